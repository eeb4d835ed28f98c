import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { HashedFile } from "./hashed-file.ts";
import { ChangedFile } from "./read-file.ts";

const BYTES = 1_000_000;
const content = randomBytes(BYTES);
const sha512 = createHash("sha512").update(content).digest("hex");
let folder: string;
let path: string;
let checked: number[] = [];
const options = { signal: new AbortController().signal, onProgress: (bytes: number) => void checked.push(bytes) };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "accession-hashed-"));
  path = join(folder, "file");
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  checked = [];
  await writeFile(path, content);
});

async function read(file: HashedFile, start: number, end: number): Promise<Buffer> {
  const { value } = await file.slice(start, end);
  return buffer(value);
}

test("the digest is that of the whole file, whatever parts of it were sent, in which order and how often", async () => {
  const file = new HashedFile(path, BYTES, options);
  expect(file.sha512).toBeUndefined();
  expect(await read(file, 200_001, 600_000)).toEqual(content.subarray(200_001, 600_000));
  expect(await read(file, 0, 300_000)).toEqual(content.subarray(0, 300_000));
  expect(await read(file, 450_000, 700_000)).toEqual(content.subarray(450_000, 700_000));
  expect(file.sha512).toBeUndefined();
  expect(await file.digest()).toBe(sha512);
  expect(await read(file, 999_999, Number.POSITIVE_INFINITY)).toEqual(content.subarray(999_999));
  expect([file.sha512, await file.digest()]).toEqual([sha512, sha512]);
});

test("an attempt that was given up does not change the digest", async () => {
  const file = new HashedFile(path, BYTES, options);
  const { value: first } = await file.slice(0, BYTES);
  for await (const _ of first) break;
  expect(await read(file, 10, BYTES)).toEqual(content.subarray(10));
  expect(file.sha512).toBe(sha512);
});

test("a file that became shorter is an error, also in the middle of a stream", async () => {
  const file = new HashedFile(path, BYTES, options);
  await truncate(path, 500_000);
  await expect(read(file, 0, BYTES)).rejects.toBeInstanceOf(ChangedFile);
  await expect(file.digest()).rejects.toBeInstanceOf(ChangedFile);
});

test("an aborted file is read no further", async () => {
  const stop = new AbortController();
  const file = new HashedFile(path, BYTES, { ...options, signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(file.slice(500_000, BYTES)).rejects.toThrow("stopped");
  await expect(file.slice(0, BYTES)).rejects.toThrow("stopped");
});

test("an error of a file that is no longer one names it", async () => {
  await rm(path);
  await mkdir(path);
  const file = new HashedFile(path, BYTES, options);
  await expect(file.digest()).rejects.toMatchObject({ code: "EISDIR", path });
  await rm(path, { recursive: true });
});

test("progress is stated for bytes that are only hashed, and not for those that are sent", async () => {
  const file = new HashedFile(path, BYTES, options);
  await read(file, 400_000, 600_000);
  expect(checked.length).toBeGreaterThan(1);
  expect(checked).toEqual(checked.toSorted((a, b) => a - b));
  expect(checked.at(-1)).toBe(400_000);
  await file.digest();
  expect(checked.at(-1)).toBe(BYTES);
});
