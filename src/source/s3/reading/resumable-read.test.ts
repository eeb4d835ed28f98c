import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  accessTo,
  BUCKET,
  localEgress,
  neverAborted,
  problemOf,
  startRawServer,
} from "../../../../tests/support/data-source/source.ts";
import { Buffers, Memory } from "../../reading/read-buffers.ts";
import type { ListedObject } from "../../source.ts";
import { diagnose } from "../diagnosis/diagnose.ts";
import { listPage } from "../listing/listing.ts";
import { S3Bucket } from "../s3-bucket.ts";
import type { Egress } from "../transport/egress.ts";
import { AdaptiveConcurrency } from "./adaptive-concurrency.ts";
import { readObject } from "./read-object.ts";

// Pauses between tries are tested in retry.test.ts. Here they only take time.
vi.mock("node:timers/promises", async (original) => {
  const real = await original<typeof import("node:timers/promises")>();
  return {
    ...real,
    setTimeout: ((ms, ...rest) => real.setTimeout((ms ?? 0) / 500, ...rest)) as typeof real.setTimeout,
  };
});

const CONTENT = "0123456789abcdef";
/** Not a digest of the bytes: only the framing shows whether the body is complete. */
const ETAG = '"opaque-etag"';
const HEAD = `HTTP/1.1 200 OK\r\nETag: ${ETAG}\r\n`;
const chunk = (bytes: string) => `${bytes.length.toString(16)}\r\n${bytes}\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n";
const CLOSE = "Connection: close\r\n";
const PARTS = chunk(CONTENT.slice(0, 5)) + chunk(CONTENT.slice(5));

/** Complete responses with different framings. */
const framings: Record<string, string> = {
  "a length": `${HEAD}Content-Length: 16\r\n\r\n${CONTENT}`,
  "a length, and the connection is closed": `${HEAD}${CLOSE}Content-Length: 16\r\n\r\n${CONTENT}`,
  "one chunk": `${HEAD}${CHUNKED}\r\n${chunk(CONTENT)}0\r\n\r\n`,
  chunks: `${HEAD}${CHUNKED}\r\n${PARTS}0\r\n\r\n`,
  "chunks, and the connection is closed": `${HEAD}${CLOSE}${CHUNKED}\r\n${PARTS}0\r\n\r\n`,
  "chunks with extensions": `${HEAD}${CHUNKED}\r\n10;a=b;c="d"\r\n${CONTENT}\r\n0;last\r\n\r\n`,
  "chunks with a trailer": `${HEAD}${CLOSE}${CHUNKED}\r\n${PARTS}0\r\nx-checksum: abc\r\n\r\n`,
};

let egress: Egress;
let server: Awaited<ReturnType<typeof startRawServer>>;
/** The responses to the next requests, in order. Later requests are answered correctly. */
let replies: ((socket: Socket, head: string) => void)[] = [];
let requests: string[] = [];

beforeAll(async () => {
  egress = localEgress();
  server = await startRawServer((socket) => {
    let head = "";
    socket.on("data", (bytes) => {
      head += bytes.toString("latin1");
      if (!head.endsWith("\r\n\r\n")) return;
      const request = head;
      head = "";
      requests.push(request);
      const reply = replies.shift() ?? well;
      reply(socket, request);
    });
  });
});
afterEach(() => {
  replies = [];
  requests = [];
});
afterAll(async () => {
  await egress.close();
  await server.close();
});

/** Answers correctly, with ranges. */
function well(socket: Socket, request: string): void {
  const range = /\r\nrange: bytes=(\d+)-(\d*)/i.exec(request);
  const from = Number(range?.[1] ?? 0);
  const body = CONTENT.slice(from, range?.[2] ? Number(range[2]) + 1 : undefined);
  const part = `Content-Range: bytes ${from}-${from + body.length - 1}/${CONTENT.length}\r\n`;
  const head = range === null ? HEAD : `${HEAD.replace("200 OK", "206 Partial Content")}${part}`;
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
}

const cut =
  (reply: string, at: number, how: "FIN" | "RST") =>
  (socket: Socket): void => {
    const end = () => (how === "FIN" ? socket.end() : socket.resetAndDestroy());
    socket.write(Buffer.from(reply.slice(0, at), "latin1"), () => setImmediate(end));
  };

const source = () => new S3Bucket(accessTo(server), egress);
const object: ListedObject = { key: "k", bytes: 16, etag: ETAG, lastModified: null, storageClass: null };

async function read(rangeBytes?: number, listed = object): Promise<string> {
  const memory = new Memory(new Buffers());
  const reading = {
    source: source(),
    object: listed,
    signal: neverAborted,
    pace: new AdaptiveConcurrency(8),
    owner: "test",
  };
  const { verdict } = await readObject(reading, memory, rangeBytes);
  expect(verdict.sha512).toBe(createHash("sha512").update(memory.bytes).digest("hex"));
  return memory.bytes.toString("latin1");
}

describe.each(Object.entries(framings))("a body with %s", (_, whole) => {
  test("is read with one request if it is complete", async () => {
    replies = [(socket) => socket.write(Buffer.from(whole, "latin1"))];
    expect([await read(), requests.length]).toEqual([CONTENT, 1]);
  });

  test.each(["FIN", "RST"] as const)("is read again if it is interrupted at any byte by a %s", async (how) => {
    const once: number[] = [];
    for (let at = 0; at < whole.length; at++) {
      replies = [cut(whole, at, how)];
      requests = [];
      expect([at, await read()]).toEqual([at, CONTENT]);
      if (requests.length < 2) once.push(at);
    }
    expect(once).toEqual([]);
  });

  test("never counts as complete if it is always interrupted before its end", async () => {
    for (const at of [whole.length - 1, whole.length - 2, whole.indexOf(CONTENT.at(-1) ?? "") + 1]) {
      replies = Array.from({ length: 20 }, () => cut(whole, at, "FIN"));
      // With a length, the last byte of the body is the end of the framing.
      const isWhole = whole.includes("Content-Length") && at >= whole.length;
      if (!isWhole) expect((await problemOf(read())).code).toBe("connection_reset");
    }
  });
});

describe("a body that ends with its connection", () => {
  const whole = `${HEAD}${CLOSE}\r\n${CONTENT}`;

  test.each(["FIN", "RST"] as const)("is read again if a %s ends it early", async (how) => {
    for (let at = whole.indexOf("\r\n\r\n"); at < whole.length; at++) {
      replies = [cut(whole, at, how)];
      requests = [];
      expect([at, await read(), requests.length]).toEqual([at, CONTENT, 2]);
    }
  });

  test("is complete if all listed bytes have arrived and the connection was closed", async () => {
    replies = [cut(whole, whole.length, "FIN")];
    expect([await read(), requests.length]).toEqual([CONTENT, 1]);
  });

  test("is read again if the connection was reset after the last byte", async () => {
    replies = [cut(whole, whole.length, "RST")];
    expect([await read(), requests.length]).toEqual([CONTENT, 2]);
  });

  test("fails if it is always too short", async () => {
    replies = Array.from({ length: 50 }, () => (socket: Socket) => socket.end(`${HEAD}${CLOSE}\r\n`));
    expect((await problemOf(read())).code).toBe("object_length_wrong");
  });
});

describe("framing that breaks the rules", () => {
  const body = `${HEAD}${CHUNKED}\r\n`;
  test.each([
    ["a size that is not a number", `${body}zz\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["a negative size", `${body}-10\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["a size with 0x", `${body}0x10\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["a size that is too large", `${body}${"f".repeat(20)}\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["no size", `${body}\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["a size that is too small", `${body}f\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["a size that is larger than the chunk", `${body}11\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["no line end after a chunk", `${body}10\r\n${CONTENT}0\r\n\r\n`],
    ["a bare line feed after a size", `${body}10\n${CONTENT}\r\n0\r\n\r\n`],
    ["a NUL in an extension", `${body}10;a\0\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["a line feed in an extension", `${body}10;a\nb\r\n${CONTENT}\r\n0\r\n\r\n`],
    ["a trailer that is not a field", `${body}${chunk(CONTENT)}0\r\nnothing\r\n\r\n`],
    ["a trailer with a NUL", `${body}${chunk(CONTENT)}0\r\na: \0\r\n\r\n`],
    ["a last chunk that never ends", `${body}${chunk(CONTENT)}0`],
    ["no last chunk", `${body}${chunk(CONTENT)}`],
    ["text instead of the last chunk", `${body}${chunk(CONTENT)}the end\r\n\r\n`],
    ["a length besides chunks", `${HEAD}Content-Length: 16\r\n${CHUNKED}\r\n${chunk(CONTENT)}0\r\n\r\n`],
    ["two lengths", `${HEAD}Content-Length: 16\r\nContent-Length: 15\r\n\r\n${CONTENT}`],
    ["a length in hex", `${HEAD}Content-Length: 0x10\r\n\r\n${CONTENT}`],
    ["a length with a sign", `${HEAD}Content-Length: +16\r\n\r\n${CONTENT}`],
    ["a length that is too large", `${HEAD}Content-Length: 17\r\n\r\n${CONTENT}`],
    ["another coding", `${HEAD}Transfer-Encoding: gzip\r\n\r\n${CONTENT}`],
    ["a coding after the chunks", `${HEAD}Transfer-Encoding: chunked, gzip\r\n\r\n${chunk(CONTENT)}0\r\n\r\n`],
  ])("(%s) never completes the read with the first response", async (_, reply) => {
    for (const head of [HEAD, HEAD + CLOSE]) {
      requests = [];
      replies = [(socket) => socket.end(Buffer.from(reply.replace(HEAD, head), "latin1"))];
      const outcome = await read().catch((error: { code: string }) => error.code);
      const isRead = outcome === CONTENT && requests.length > 1;
      expect([outcome, isRead || ["object_length_wrong", "object_unreadable", "not_s3"].includes(outcome)]).toEqual([
        outcome,
        true,
      ]);
    }
  });

  test("after the end of a body affects neither it nor the next one", async () => {
    for (const more of ["more", "HTTP/1.1 200 OK\r\nContent-Length: 16\r\n\r\nfedcba9876543210"]) {
      replies = [(socket) => socket.write(`${framings["a length"]}${more}`)];
      expect(await read()).toBe(CONTENT);
      expect(await read()).toBe(CONTENT);
    }
  });
});

describe("a large object", () => {
  test("is read again by ranges, wherever the framing of one is interrupted", async () => {
    const range = (from: number, to: number) =>
      `HTTP/1.1 206 Partial Content\r\nETag: ${ETAG}\r\nContent-Range: bytes ${from}-${to}/16\r\n${CHUNKED}${CLOSE}\r\n${chunk(CONTENT.slice(from, to + 1))}0\r\n\r\n`;
    const first = range(0, 4);
    for (let at = first.indexOf("\r\n\r\n"); at < first.length; at++) {
      requests = [];
      // The metadata of the whole object is requested first.
      replies = [(socket) => socket.end(`${HEAD}${CLOSE}Content-Length: 16\r\n\r\n`), cut(first, at, "FIN")];
      expect([at, await read(5)]).toEqual([at, CONTENT]);
      expect(requests.filter((request) => /range: bytes=[0-4]-4/.test(request)).length).toBe(2);
    }
  });

  test("without a precondition starts over", async () => {
    replies = [cut(framings["one chunk"] ?? "", (framings["one chunk"] ?? "").length - 2, "FIN")];
    expect(await read(undefined, { ...object, etag: null })).toBe(CONTENT);
    expect(requests.map((request) => /range: /.test(request))).toEqual([false, false]);
  });
});

describe("bodies that are not objects", () => {
  const page = `<ListBucketResult><Name>${BUCKET}</Name><IsTruncated>false</IsTruncated><Contents><Key>k</Key><Size>16</Size><ETag>"opaque-etag"</ETag></Contents></ListBucketResult>`;
  const listing = (close: string) => `HTTP/1.1 200 OK\r\n${close}${CHUNKED}\r\n${chunk(page)}0\r\n\r\n`;

  test.each(["", CLOSE])(
    "a listing that is interrupted within its framing is a failed connection (%j)",
    async (close) => {
      const whole = listing(close);
      for (let at = whole.length - 9; at < whole.length; at++) {
        replies = [cut(whole, at, "FIN")];
        expect([at, (await problemOf(listPage(source(), { signal: neverAborted }))).code]).toEqual([
          at,
          "connection_reset",
        ]);
      }
      replies = [(socket) => socket.end(whole)];
      expect((await listPage(source(), { signal: neverAborted })).objects).toHaveLength(1);
    },
  );

  test("a check reads the response to its probe to the end", async () => {
    const probe = `HTTP/1.1 206 Partial Content\r\nETag: ${ETAG}\r\nContent-Range: bytes 0-15/16\r\n${CLOSE}${CHUNKED}\r\n${chunk(CONTENT)}0\r\n\r\n`;
    const list = (socket: Socket) => socket.end(listing(CLOSE));
    const isRead = async (answers: typeof replies) => {
      replies = [list, ...answers];
      const { report } = await diagnose(accessTo(server), egress, { signal: neverAborted });
      return report.steps.find(({ name }) => name === "read");
    };
    for (let at = probe.indexOf("\r\n\r\n"); at < probe.length; at++) {
      const always = Array.from({ length: 20 }, () => cut(probe, at, "FIN"));
      expect([at, await isRead(always)]).toMatchObject([at, { status: "failed" }]);
      expect([at, await isRead([cut(probe, at, "FIN")])]).toMatchObject([at, { status: "passed" }]);
    }
    const short = (socket: Socket) =>
      socket.end(`HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-15/16\r\nContent-Length: 3\r\n\r\n012`);
    expect(await isRead(Array.from({ length: 20 }, () => short))).toMatchObject({ code: "object_length_wrong" });
  });

  test("a check does not read a large object to its end if the server does not support ranges", async () => {
    let sent = 0;
    const large = page.replace(">16<", ">900000000<");
    const endless = (socket: Socket) => {
      socket.write(`${HEAD}Content-Length: 900000000\r\n\r\n`);
      const more = () => {
        while (!socket.destroyed && sent < 900e6) {
          sent += 65_536;
          if (!socket.write(Buffer.alloc(65_536))) return;
        }
      };
      socket.on("drain", more);
      more();
    };
    replies = [(socket) => socket.end(`HTTP/1.1 200 OK\r\n${CLOSE}\r\n${large}`), endless];
    const { report } = await diagnose(accessTo(server), egress, { signal: neverAborted });
    expect(report.ok).toBe(true);
    expect(sent).toBeLessThan(50e6);
  });
});
