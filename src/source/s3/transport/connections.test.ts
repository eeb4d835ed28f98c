import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { buildConnector } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  certificate,
  localEgress,
  neverAborted,
  startRawServer,
} from "../../../../tests/support/data-source/source.ts";
import { lacks } from "../../../../tests/support/tools.ts";
import { type SentRequest, sharedBuffer } from "./connection.ts";
import { Connections } from "./connections.ts";
import type { Egress } from "./egress.ts";
import { exchange } from "./http-exchange.ts";
import type { ReplyHead } from "./response-parser.ts";

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

describe("connections to a server", () => {
  const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n";
  let server: Awaited<ReturnType<typeof startRawServer>>;
  let sockets: Socket[] = [];
  let respond: (socket: Socket) => void;
  const made: Connections[] = [];

  beforeAll(async () => {
    server = await startRawServer((socket) => {
      sockets.push(socket);
      socket.on("error", () => undefined).on("data", () => respond(socket));
    });
  });
  afterEach(() => {
    for (const connections of made.splice(0)) connections.close();
    for (const socket of sockets) socket.destroy();
    sockets = [];
  });
  afterAll(() => server.close());

  function connections(most: number, silenceMs = 30_000): Connections {
    const own = new Connections(buildConnector({ allowH2: false, onread: sharedBuffer() } as object), most, silenceMs);
    made.push(own);
    return own;
  }

  /** Sends a request, and resolves with what its receiver was told. */
  function send(through: Connections): { outcome: Promise<string>; sent: SentRequest } {
    const { promise, resolve } = Promise.withResolvers<string>();
    let body = "";
    const sent = through.send(new URL(server.endpoint), `GET / HTTP/1.1\r\nhost: test\r\n\r\n`, {
      onSent: () => undefined,
      onHead: () => undefined,
      onData: (chunk) => {
        body += chunk.toString("latin1");
      },
      onComplete: () => resolve(body),
      onFailure: (error) => resolve((error as { code?: string }).code ?? error.message),
      onUnusual: () => resolve("unusual"),
    });
    return { outcome: promise, sent };
  }

  test("are reused, and never more than allowed", async () => {
    respond = (socket) => setTimeout(() => socket.write(`${OK}\r\nok`), 5);
    const own = connections(3);
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send(own).outcome));
    expect([outcomes.every((one) => one === "ok"), sockets.length]).toEqual([true, 3]);
  });

  test("are not reused after “Connection: close”", async () => {
    respond = (socket) => socket.write(`${OK}Connection: close\r\n\r\nok`);
    const own = connections(1);
    expect([await send(own).outcome, await send(own).outcome, sockets.length]).toEqual(["ok", "ok", 2]);
  });

  test("that the server closes while they are idle are replaced", async () => {
    respond = (socket) => socket.write(`${OK}\r\nok`);
    const own = connections(1);
    expect(await send(own).outcome).toBe("ok");
    const closed = once(sockets[0] as Socket, "close");
    sockets[0]?.end();
    await closed;
    expect([await send(own).outcome, sockets.length]).toEqual(["ok", 2]);
  });

  test("that the server closes directly after a response do not fail the next requests", async () => {
    respond = (socket) => socket.end(`${OK}\r\nok`);
    const own = connections(4);
    const outcomes: string[] = [];
    const worker = async () => {
      for (let turn = 0; turn < 25; turn++) outcomes.push(await send(own).outcome);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    expect(outcomes.filter((one) => one !== "ok")).toEqual([]);
  });

  // Measures elapsed time.
  test("are closed sooner if the server announces a short time limit for idle connections", {
    tags: "extended",
  }, async () => {
    respond = (socket) => socket.write(`${OK}Keep-Alive: timeout=3\r\n\r\nok`);
    expect(await send(connections(1)).outcome).toBe("ok");
    const before = performance.now();
    await once(sockets[0] as Socket, "close");
    // Without the announcement it takes five seconds.
    expect(performance.now() - before).toBeLessThan(4_500);
  });

  test("that send a head byte by byte fail if it takes too long", { tags: "extended" }, async () => {
    respond = (socket) => {
      const timer = setInterval(() => socket.write("H"), 100);
      socket.once("close", () => clearInterval(timer));
      socket.write("HTTP/1.1 200 OK\r\nx: ");
    };
    expect(await send(connections(1, 1_000)).outcome).toBe("UND_ERR_HEADERS_TIMEOUT");
  });

  test("that send nothing for too long fail, before the head and within the body", { tags: "extended" }, async () => {
    const own = connections(2, 1_000);
    respond = () => undefined;
    expect(await send(own).outcome).toBe("UND_ERR_HEADERS_TIMEOUT");
    respond = (socket) => socket.write(`${OK}\r\no`);
    expect(await send(own).outcome).toBe("UND_ERR_BODY_TIMEOUT");
  });

  test("that send bytes without a request are closed", async () => {
    respond = (socket) => socket.write(`${OK}\r\nokHTTP/1.1 200 OK\r\n`);
    const own = connections(1);
    expect(await send(own).outcome).toBe("ok");
    respond = (socket) => socket.write(`${OK}\r\nok`);
    expect([await send(own).outcome, sockets.length]).toEqual(["ok", 2]);
  });

  test("are not used for requests that were aborted while they waited", async () => {
    let requests = 0;
    respond = (socket) => {
      requests++;
      setTimeout(() => socket.write(`${OK}\r\nok`), 20);
    };
    const own = connections(1);
    const first = send(own);
    const aborted = send(own);
    const last = send(own);
    aborted.sent.abort();
    expect([await first.outcome, await last.outcome, requests]).toEqual(["ok", "ok", 2]);
  });

  test("are closed on abort, and the next request gets another one", async () => {
    respond = (socket) => socket.write(`${OK}\r\no`);
    const own = connections(1);
    const { sent } = send(own);
    await vi.waitUntil(() => sockets.length === 1);
    const closed = once(sockets[0] as Socket, "close");
    sent.abort();
    await closed;
    respond = (socket) => socket.write(`${OK}\r\nok`);
    expect(await send(own).outcome).toBe("ok");
  });

  test("deliver nothing after an abort, also if more chunks have arrived", async () => {
    respond = (socket) =>
      socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n1\r\nb\r\n0\r\n\r\n");
    const received: string[] = [];
    await new Promise<void>((resolve) => {
      const sent = connections(1).send(new URL(server.endpoint), "GET / HTTP/1.1\r\nhost: test\r\n\r\n", {
        onSent: () => undefined,
        onHead: () => undefined,
        onData: (chunk) => {
          received.push(chunk.toString("latin1"));
          sent.abort();
          setTimeout(resolve, 20);
        },
        onComplete: () => received.push("complete"),
        onFailure: () => received.push("failure"),
        onUnusual: () => received.push("unusual"),
      });
    });
    expect(received).toEqual(["a"]);
  });

  test("fail with their requests when they are closed, also those that wait", async () => {
    respond = () => undefined;
    const own = connections(1);
    const outcomes = [send(own).outcome, send(own).outcome];
    await vi.waitUntil(() => sockets.length === 1);
    own.close();
    expect(await Promise.all([...outcomes, send(own).outcome])).toEqual(Array(3).fill("UND_ERR_DESTROYED"));
  });

  test("that cannot be established fail the requests that wait for them", async () => {
    const own = connections(1);
    const closed = await startRawServer(() => undefined);
    await closed.close();
    const before = server;
    server = closed;
    const outcomes = await Promise.all([send(own).outcome, send(own).outcome]);
    server = before;
    expect(outcomes).toEqual(["ECONNREFUSED", "ECONNREFUSED"]);
  });

  test("leave unusual responses to undici, and all of them after some in succession", async () => {
    respond = (socket) => socket.write("HTTP/1.1 200 OK\r\nx: \xff\r\nContent-Length: 2\r\n\r\nok", "latin1");
    const own = connections(1);
    const { origin } = new URL(server.endpoint);
    for (let turn = 0; turn < 4; turn++) {
      expect([own.isUnusual(origin), await send(own).outcome]).toEqual([false, "unusual"]);
    }
    expect(own.isUnusual(origin)).toBe(true);
  });
});
