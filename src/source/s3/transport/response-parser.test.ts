import type { Socket } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { localEgress, neverAborted, startRawServer } from "../../../../tests/support/data-source/source.ts";
import { listed } from "../../../../tests/support/listed.ts";
import type { Connections } from "./connections.ts";
import type { Egress } from "./egress.ts";
import { explainFailure } from "./errors.ts";
import { exchange } from "./http-exchange.ts";
import { ResponseParser } from "./response-parser.ts";

const HEAD = 'HTTP/1.1 200 OK\r\nETag: "abc"\r\nx-amz-meta-Site: north, field 2\r\n';
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n`;
const wellFormed = [
  `${HEAD}Content-Length: 16\r\n\r\n0123456789abcdef`,
  `${HEAD}Content-Length: 0\r\n\r\n`,
  `${HEAD}Connection: close\r\nContent-Length: 4\r\n\r\nbody`,
  `${HEAD}Keep-Alive: timeout=5\r\nConnection: keep-alive\r\nContent-Length: 4\r\n\r\nbody`,
  `${HEAD}\r\nuntil the end of the connection`,
  `${CHUNKED}\r\n5\r\n01234\r\nB;name="value"\r\n56789abcdef\r\n0\r\n\r\n`,
  `${CHUNKED}Trailer: x-checksum\r\n\r\n4\r\nbody\r\n0\r\nx-checksum: abc\r\n\r\n`,
  `HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 2-5/10\r\nContent-Length: 4\r\n\r\nbody`,
  `HTTP/1.1 404 Not Found\r\nContent-Type: application/xml\r\nContent-Length: 8\r\n\r\n<Error/>`,
  `HTTP/1.0 200 OK\r\nContent-Length: 4\r\n\r\nbody`,
];
/** Responses that the parser leaves to undici, or that are not valid. */
const otherwise = [
  "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
  "HTTP/1.1 204 No Content\r\n\r\n",
  "HTTP/1.1 304 Not Modified\r\nContent-Length: 4\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 4\r\n\r\nbody",
  "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
  "HTTP/1.1 200 OK\r\nContent-Length: +4\r\n\r\nbody",
  "HTTP/1.1 200 OK\r\nx-amz-meta-name: M\xc3\xbcller\r\nContent-Length: 4\r\n\r\nbody",
  "HTTP/1.1 200 OK\r\nx-folded: a\r\n b\r\nContent-Length: 4\r\n\r\nbody",
  "HTTP/1.1 200 OK\nContent-Length: 4\n\nbody",
  "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
  "220 mail.example.org ESMTP\r\n",
];

/** Chunked bodies: lines with a size, and trailers. */
const chunkLines = [
  ...["", "4  ", "4\t", " 4", "4\r", '4;a="b\\"c";d'],
  ...listed`4 | 04 | 0000000000000004 | 4 ; a=b | 4; | 4;a | 4;a b | 4;a=b | 4;a=b=c | 4;a="b | 4;a="b"`,
  ...listed`4;a=@[] | 4;a=b;c=d | 4;;a | +4 | 0x4 | -4 | 4, | g`,
].map((line) => `${CHUNKED}\r\n${line}\r\nbody\r\n0\r\n\r\n`);
const trailers = [
  ...listed`x: y | x: | x | : y | x : y`,
  ...[" x: y", "Content-Length: 4", "Transfer-Encoding: chunked", "x: \xff"],
  ...[`x: ${"a".repeat(15_000)}`, `x: ${"a".repeat(17_000)}`, `${`x: ${"a".repeat(1_000)}\r\n`.repeat(17)}y: z`],
].map((line) => `${CHUNKED}\r\n4\r\nbody\r\n0\r\n${line}\r\n\r\n`);

interface Outcome {
  status?: number;
  headers?: Record<string, string>;
  body: string;
  /** The code of the failure. */
  code?: string;
}

let egress: Egress;
let server: Awaited<ReturnType<typeof startRawServer>>;
/** The pieces of the response to every request. The connection is closed after the last one. */
let pieces: Buffer[] = [];
const open = new Set<Socket>();

beforeAll(async () => {
  egress = localEgress();
  server = await startRawServer((socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    socket.setNoDelay(true).once("data", async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await new Promise((resolve) => setImmediate(resolve));
      }
      socket.end();
    });
  });
});
afterAll(async () => {
  await egress.close();
  await server.close();
});

/** The outcome of a request: through the parser, or through undici alone. */
async function request(by: "parser" | "undici"): Promise<Outcome> {
  const undiciAlone = { isUnusual: () => true } as unknown as Connections;
  const { dispatcher, stallDetector } = egress;
  const connections = by === "parser" ? egress.connections : undiciAlone;
  const outcome: Outcome = { body: "" };
  const origin = new URL(server.endpoint);
  const asked = { origin, path: "/key", method: "GET" as const, headers: {} };
  const failure = await exchange({ connections, dispatcher, stallDetector }, asked, neverAborted, {
    onHead({ status, headers }) {
      outcome.status = status;
      outcome.headers = { ...headers };
    },
    onData(chunk) {
      outcome.body += chunk.toString("latin1");
    },
  });
  if (failure?.from === "transport") outcome.code = explainFailure(failure.error, origin, failure.phase).code;
  // Otherwise the next request could be sent on this connection, which the server is closing.
  await vi.waitUntil(() => open.size === 0, { interval: 1 });
  return outcome;
}

/** Splits a response at these positions. */
function split(response: Buffer, positions: readonly number[]): Buffer[] {
  const cuts = [...new Set([0, ...positions.map((at) => at % (response.length + 1)), response.length])].sort(
    (a, b) => a - b,
  );
  return cuts.slice(1).map((end, index) => response.subarray(cuts[index], end));
}

/** A response with some bytes replaced, removed, inserted or repeated. */
const damaged = fc
  .tuple(
    fc.constantFrom(...wellFormed, ...otherwise, ...chunkLines, ...trailers.slice(0, 9)),
    fc.array(
      fc.record({
        at: fc.nat(400),
        remove: fc.nat(3),
        insert: fc.constantFrom(
          ...["", " ", "\r", "\n", "\r\n", "\r\n\r\n", "\0", "\x80", "x: y\r\n", "0", "f", ":", ";", ","],
        ),
      }),
      { maxLength: 3 },
    ),
  )
  .map(([text, changes]) => {
    let bytes = text;
    for (const { at, remove, insert } of changes) {
      const place = at % (bytes.length + 1);
      bytes = bytes.slice(0, place) + insert + bytes.slice(place + remove);
    }
    return Buffer.from(bytes, "latin1");
  });

describe("a response has the same outcome as through undici", () => {
  test.each([...wellFormed, ...otherwise].map((text) => [JSON.stringify(text.slice(0, 60)), text] as const))(
    "%s …",
    async (_, text) => {
      pieces = [Buffer.from(text, "latin1")];
      const expected = await request("undici");
      expect(await request("parser")).toEqual(expected);
      pieces = [...Buffer.from(text, "latin1")].map((byte) => Buffer.of(byte));
      expect(await request("parser")).toEqual(expected);
    },
  );

  test.each(
    [...chunkLines, ...trailers].map((text) => [JSON.stringify(text.slice(CHUNKED.length, 160)), text] as const),
  )("chunks %s", async (_, text) => {
    pieces = [Buffer.from(text, "latin1")];
    expect(await request("parser")).toEqual(await request("undici"));
  });

  test("whatever bytes are changed, and wherever it is split", async () => {
    await fc.assert(
      fc.asyncProperty(damaged, fc.array(fc.nat(400), { maxLength: 4 }), async (response, cuts) => {
        pieces = split(response, cuts);
        const expected = await request("undici");
        expect(await request("parser")).toEqual(expected);
      }),
      { numRuns: Number(process.env.FUZZ_RUNS ?? 400) },
    );
  });
});

describe("the parser itself", () => {
  function parse(text: string): { parser: ResponseParser; used: number; body: string } {
    let body = "";
    const parser = new ResponseParser({
      onHead: () => undefined,
      onData: (chunk) => {
        body += chunk.toString("latin1");
      },
    });
    return { parser, used: parser.parse(Buffer.from(text, "latin1")), body };
  }

  test.each(wellFormed)("accepts %j", (text) => {
    expect(["body", "complete"]).toContain(parse(text).parser.state);
  });

  test.each(otherwise)("leaves %j to undici", (text) => {
    expect(parse(text).parser.state).toBe("unusual");
  });

  test("uses no byte after the end of the response", () => {
    const [first = ""] = wellFormed;
    const { parser, used, body } = parse(`${first}HTTP/1.1 200 OK\r\n`);
    expect([parser.state, used, body]).toEqual(["complete", first.length, "0123456789abcdef"]);
  });

  test("accepts a head of at most 16 KiB", () => {
    const filler = (bytes: number) => `${HEAD}x-filler: ${"a".repeat(bytes)}\r\nContent-Length: 0\r\n\r\n`;
    expect(parse(filler(15_000)).parser.state).toBe("complete");
    expect(parse(filler(17_000)).parser.state).toBe("unusual");
    expect(parse(filler(17_000).slice(0, 16_800)).parser.state).toBe("unusual");
  });
});
