import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Problem } from "../domain/problems.ts";
import { SentBody } from "./sent-body.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Sends chunks of this size at an interval. */
async function* sender(bytes: number, milliseconds: number, count: number): AsyncGenerator<Uint8Array> {
  for (let n = 0; n < count; n++) {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    yield new Uint8Array(bytes);
  }
}

/** What arrives, until the end or a problem. */
async function receive(body: SentBody, write: () => Promise<void> = async () => undefined) {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      await write();
    }
    return { bytes, code: undefined };
  } catch (error) {
    return { bytes, code: (error as Problem).code };
  }
}

test("a client that sends a byte a second is interrupted after half a minute", async () => {
  const received = receive(new SentBody(sender(1, 1_000, 86_400)));
  await vi.advanceTimersByTimeAsync(40_000);
  const { bytes, code } = await received;
  expect(code).toBe("request_timeout");
  expect(bytes).toBeGreaterThan(25);
  expect(bytes).toBeLessThan(35);
});

test("a client that stops after a fast beginning is interrupted", async () => {
  const stops = async function* () {
    yield new Uint8Array(10_000_000);
    await new Promise(() => undefined);
  };
  const received = receive(new SentBody(stops()));
  await vi.advanceTimersByTimeAsync(70_000);
  expect(await received).toEqual({ bytes: 10_000_000, code: "request_timeout" });
});

test("a slow connection is not interrupted, and the time that the disk takes does not count", async () => {
  const slow = receive(new SentBody(sender(2_048, 1_000, 600)));
  const busy = receive(new SentBody(sender(100, 1, 100)), () => new Promise((resolve) => setTimeout(resolve, 5_000)));
  await vi.advanceTimersByTimeAsync(700_000);
  expect(await slow).toEqual({ bytes: 2_048 * 600, code: undefined });
  expect(await busy).toEqual({ bytes: 10_000, code: undefined });
});

test("an interruption ends a body that waits", async () => {
  const body = new SentBody(sender(1, 1_000_000, 1));
  const received = receive(body);
  await vi.advanceTimersByTimeAsync(10);
  body.interrupt(new Problem("upload_taken_over"));
  expect(await received).toEqual({ bytes: 0, code: "upload_taken_over" });
});

test("what arrives while the disk is busy is collected up to a limit, and comes before an error", async () => {
  let sent = 0;
  const fast = async function* () {
    for (; sent < 100; sent++) yield new Uint8Array([sent]);
    throw new Error("broken");
  };
  const found: number[][] = [];
  const write = async () => {
    for await (const chunks of new SentBody(fast()).collected(10)) {
      found.push(chunks.map(([first = -1]) => first));
      await new Promise((resolve) => setTimeout(resolve, 1));
      expect(sent).toBeLessThanOrEqual(found.flat().length + 11);
    }
  };
  const written = expect(write()).rejects.toMatchObject({ code: "bad_request" });
  await vi.advanceTimersByTimeAsync(1_000);
  await written;
  expect(found.flat()).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(found.length).toBeLessThan(20);
});

test("a body that is left is not read to its end", async () => {
  let isEnded = false;
  const endless = async function* () {
    try {
      for (;;) yield new Uint8Array(10);
    } finally {
      isEnded = true;
    }
  };
  for await (const _ of new SentBody(endless()).collected(100)) break;
  await vi.waitUntil(() => isEnded);
});
