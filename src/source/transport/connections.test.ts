import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { certificate, localEgress, neverAborted } from "../../../tests/support/data-source/source.ts";
import { lacks } from "../../../tests/support/tools.ts";
import type { Egress } from "./egress.ts";
import { exchange, type ReplyHead } from "./http-exchange.ts";

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
      const request = { origin: new URL(origin), path, method: "GET" as const, headers: {} };
      const failure = await exchange(egress, request, more.signal ?? neverAborted, handler);
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
