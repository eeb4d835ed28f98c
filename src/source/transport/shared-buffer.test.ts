import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { certificate, localEgress, neverAborted } from "../../../tests/support/data-source/source.ts";
import { lacks } from "../../../tests/support/tools.ts";
import type { Egress } from "./egress.ts";
import { exchange, type ReplyHead } from "./http-exchange.ts";
import { sharedBuffer } from "./shared-buffer.ts";

const server = createServer();
const peers: Socket[] = [];

beforeEach(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));

afterEach(async () => {
  for (const peer of peers.splice(0)) peer.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** Both ends of a connection. The first reads through the shared buffer. */
async function pair(onread: ReturnType<typeof sharedBuffer>): Promise<[ours: Socket, theirs: Socket]> {
  const accepted = once(server, "connection");
  const ours = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", onread });
  const [theirs] = (await accepted) as [Socket];
  peers.push(ours, theirs);
  return [ours, theirs];
}

function readAll(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  socket.on("readable", () => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) parts.push(Buffer.from(chunk));
  });
  return once(socket, "end").then(() => Buffer.concat(parts));
}

test("several sockets read through one buffer, each its own bytes", async () => {
  const onread = sharedBuffer();
  const contents = ["a", "b", "c"].map((letter) => Buffer.alloc(3_000_000, letter));
  const pairs: [Socket, Socket][] = [];
  for (const _ of contents) pairs.push(await pair(onread));
  const reads = pairs.map(([ours]) => readAll(ours));
  for (const [index, [, theirs]] of pairs.entries()) theirs.end(contents[index] ?? "");
  const equal = (await Promise.all(reads)).map((read, index) => read.equals(contents[index] ?? Buffer.alloc(0)));
  expect(equal).toEqual([true, true, true]);
});

test("unread bytes are kept while other sockets are read", async () => {
  const onread = sharedBuffer();
  const [late, writer] = await pair(onread);
  late.read(0);
  writer.write("kept ");
  await vi.waitFor(() => expect(late.readableLength).toBe(5));
  const [other, loud] = await pair(onread);
  const heard = readAll(other);
  loud.end(Buffer.alloc(500_000, "x"));
  expect((await heard).length).toBe(500_000);
  writer.end("for later");
  expect((await readAll(late)).toString()).toBe("kept for later");
});

describe.each(lacks("openssl") ? (["http"] as const) : (["http", "https"] as const))(
  "responses over %s, while others are read through the same buffer",
  (scheme) => {
    const head = [
      "HTTP/1.1 200 OK",
      'ETag: "0123456789abcdef0123456789abcdef"',
      "x-amz-checksum-sha256: 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
      "x-amz-server-side-encryption: aws:kms",
      "x-amz-meta-camera: north",
      "Content-Length: 300000",
      "",
      "",
    ].join("\r\n");
    const body = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    const reply = Buffer.concat([Buffer.from(head), body]);
    const noise = Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Length: ${1e12}\r\n\r\n${"ANOTHER-OWNERS-BYTES ".repeat(50_000)}`,
    );
    let origin: string;
    let egress: Egress;
    let close: () => void;
    let heard = 0;
    const listen = (bytes: number) => {
      heard += bytes;
    };
    const hush = new AbortController();

    beforeAll(async () => {
      const tls = scheme === "https" ? await certificate("IP:127.0.0.1") : undefined;
      const open = new Set<Socket>();
      const answer = (socket: Socket) => {
        open.add(socket);
        socket
          .on("error", () => undefined)
          .on("data", (bytes: Buffer) => void respond(socket, bytes.toString("latin1")).catch(() => undefined));
      };
      const own = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
      await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
      origin = `${scheme}://127.0.0.1:${(own.address() as AddressInfo).port}`;
      egress = localEgress({ ...(tls && { ca: [tls.cert] }) });
      close = () => {
        for (const socket of open) socket.destroy();
        own.close();
      };
      get("/noise", { take: listen, signal: hush.signal }).catch(() => undefined);
      await vi.waitUntil(() => heard > 1e6);
    });

    afterAll(async () => {
      hush.abort();
      await egress.close();
      close();
    });

    /**
     * `/split/N`: the first N bytes of the response, and the rest after others have been read; `/after`: with bytes
     * after it.
     */
    async function respond(socket: Socket, request: string): Promise<void> {
      const [, , what, at] = request.split(/[ /]/);
      if (what === "noise") {
        while (!socket.destroyed)
          if (!socket.write(noise)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
      } else if (what === "after") {
        socket.write(Buffer.concat([reply, Buffer.from('HTTP/1.1 200 OK\r\nETag: "not asked')]));
      } else {
        socket.write(reply.subarray(0, Number(at)));
        const before = heard;
        await vi.waitUntil(() => heard > before + 1e6 || socket.destroyed, { interval: 1 });
        socket.write(reply.subarray(Number(at)));
      }
    }

    async function get(path: string, more: { take: (bytes: number, chunk: Buffer) => void; signal?: AbortSignal }) {
      const seen: { head?: ReplyHead } = {};
      const handler = {
        onHead: (head: ReplyHead) => {
          seen.head = head;
        },
        onData: (chunk: Buffer) => more.take(chunk.length, chunk),
      };
      const request = { origin, path, method: "GET" as const };
      const { streaming, stallDetector } = egress;
      const failure = await exchange(streaming, request, more.signal ?? neverAborted, stallDetector, handler);
      if (failure !== undefined) throw failure.error;
      return seen.head;
    }

    async function whole(path: string): Promise<{ headers: object | undefined; isWhole: boolean }> {
      const parts: Buffer[] = [];
      const got = await get(path, { take: (_, chunk) => void parts.push(Buffer.from(chunk)) });
      return { headers: { ...got?.headers }, isWhole: Buffer.concat(parts).equals(body) };
    }

    const headers = {
      etag: '"0123456789abcdef0123456789abcdef"',
      "x-amz-checksum-sha256": "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=",
      "x-amz-server-side-encryption": "aws:kms",
      "x-amz-meta-camera": "north",
      "content-length": "300000",
    };

    test("a head that arrives in two pieces is unchanged, wherever it was split", async () => {
      const cuts = Array.from({ length: head.length + 2 }, (_, index) => index + 1).values();
      const worker = async () => {
        for (const cut of cuts) expect([cut, await whole(`/split/${cut}`)]).toEqual([cut, { headers, isWhole: true }]);
      };
      await Promise.all(Array.from({ length: 4 }, worker));
    });

    test("bytes after a response are not part of the next one", async () => {
      for (let turn = 0; turn < 20; turn++) {
        const before = heard;
        expect(await whole("/after")).toEqual({ headers, isWhole: true });
        await vi.waitUntil(() => heard > before + 1e6, { interval: 1 });
        expect(await whole("/split/70")).toEqual({ headers, isWhole: true });
      }
    });

    test("a body is in the shared buffer while it is handled, and not afterwards", async () => {
      const kept: Buffer[] = [];
      await get("/split/1", { take: (_, chunk) => void kept.push(chunk) });
      expect(Buffer.concat(kept).equals(body)).toBe(false);
    });
  },
);
