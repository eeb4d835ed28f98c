import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import { localEgress, neverAborted, problemOf } from "../../../../tests/support/data-source/source.ts";
import { S3Bucket } from "../s3-bucket.ts";
import { StallDetector } from "./stall-detector.ts";

const LEAST = { bytes: 1_000, milliseconds: 400 };

/** Reads a body that `send` sends. The server is never silent for long. */
async function read(send: (response: ServerResponse) => void): Promise<number> {
  const server = createServer((_, response) => send(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const egress = localEgress({ least: LEAST });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const source = new S3Bucket({ endpoint, bucket: "bucket" }, egress);
  let bytes = 0;
  try {
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
    };
    const request = { operation: "read", key: "k", signal: neverAborted } as const;
    const problem = await source.stream(request, { onHead: () => undefined, onData });
    if (problem !== undefined) throw problem;
    return bytes;
  } finally {
    await egress.close();
    server.closeAllConnections();
    server.close();
  }
}

/** Sends pieces of this size every 10 ms. */
function drip(pieceBytes: number, pieces: number) {
  return (response: ServerResponse) => {
    response.writeHead(200);
    let sent = 0;
    const timer = setInterval(() => {
      response.write(Buffer.alloc(pieceBytes));
      if (++sent === pieces) {
        clearInterval(timer);
        response.end();
      }
    }, 10);
    response.on("close", () => clearInterval(timer));
  };
}

test("a body that arrives too slowly is aborted, and the message states it", async () => {
  const problem = await problemOf(read(drip(1, Number.POSITIVE_INFINITY)));
  expect(problem.code).toBe("connection_timeout");
  expect(problem.message).toContain("is too slow");
});

test("a response whose headers never arrive is aborted as well", async () => {
  const problem = await problemOf(read(() => undefined));
  expect(problem.code).toBe("connection_timeout");
});

test("a long body with sufficient throughput is read to its end", async () => {
  expect(await read(drip(1_000, 100))).toBe(100_000);
});

// Checks take place every 50 ms: two of them can pass during a pause of 60 ms if the machine is busy.
test("after the thread was suspended, no response is aborted before the next check", {
  tags: "extended",
}, async () => {
  const stallDetector = new StallDetector({ bytes: 1_000, milliseconds: 50 });
  let blamed = false;
  const tooSlow = () => {
    blamed = true;
  };
  stallDetector.watch({ place: -1, bytesBefore: 0, bytes: 0, tooSlow });
  // The first check skips responses that began after the previous one.
  await sleep(60);
  for (const since = performance.now(); performance.now() - since < 150; );
  await sleep(1);
  expect(blamed).toBe(false);
  await vi.waitUntil(() => blamed);
  stallDetector.close();
});
