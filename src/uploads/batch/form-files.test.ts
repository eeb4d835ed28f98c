import { randomUUID } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { type FormFile, readFormFiles } from "./form-files.ts";

const KIB = 1024;
const LIMITS = { files: 100_000, fileBytes: 1 << 30 };

/** A form with files of this size, in pieces as they arrive from a network, and the number of bytes that were taken. */
function formOf(count: number, bytes: number) {
  const boundary = randomUUID();
  const content = Buffer.alloc(bytes, "x");
  const taken = { bytes: 0 };
  async function* parts() {
    for (let n = 0; n < count; n++) {
      yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="path"\r\n\r\n${n}\r\n`);
      yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="file"\r\n\r\n`);
      yield content;
      yield Buffer.from("\r\n");
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  }
  async function* body() {
    let rest = Buffer.alloc(0);
    for await (const part of parts()) {
      rest = Buffer.concat([rest, part]);
      for (; rest.length >= 64 * KIB; rest = rest.subarray(64 * KIB)) {
        taken.bytes += 64 * KIB;
        yield rest.subarray(0, 64 * KIB);
      }
    }
    yield rest;
  }
  return { body: body(), type: `multipart/form-data; boundary=${boundary}`, taken };
}

test.each([
  ["many small files", 2_000, 4 * KIB],
  ["many empty files", 5_000, 0],
  ["one large file", 1, 8 * KIB * KIB],
  ["files of the size of a buffer", 500, 16 * KIB],
])("little memory is used while nothing is stored, with %s", async (_, count, bytes) => {
  const { body, type, taken } = formOf(count, bytes);
  const go = Promise.withResolvers<void>();
  const read = new Map<string, number>();
  const receive = async ({ path, content }: FormFile) => {
    await go.promise;
    let size = 0;
    for await (const chunk of content) size += chunk.length;
    read.set(path, size);
  };
  const reading = readFormFiles(body, type, LIMITS, receive);
  // It takes no more after these turns, however many follow.
  for (let before = -1, quiet = 0; quiet < 100; quiet = taken.bytes === before ? quiet + 1 : 0, before = taken.bytes) {
    await turn();
  }
  expect(taken.bytes).toBeGreaterThan(0);
  expect(taken.bytes).toBeLessThanOrEqual(384 * KIB);
  go.resolve();
  await reading;
  expect(read.size).toBe(count);
  expect(new Set(read.values())).toEqual(new Set([bytes]));
});

test("a body that breaks ends the file that has not arrived, and no other", async () => {
  const { body, type } = formOf(20, 10 * KIB);
  async function* broken() {
    yield (await body.next()).value ?? Buffer.alloc(0);
    throw new Error("cut");
  }
  const ended: string[] = [];
  const receive = async ({ path, content }: FormFile) => {
    try {
      for await (const chunk of content) expect(chunk.length).toBeGreaterThan(0);
      ended.push(`${path} whole`);
    } catch {
      ended.push(`${path} broken`);
    }
  };
  await expect(readFormFiles(broken(), type, LIMITS, receive)).rejects.toThrow("cut");
  expect(ended.sort()).toEqual([...Array.from({ length: 6 }, (_, n) => `${n} whole`), "6 broken"].sort());
});
