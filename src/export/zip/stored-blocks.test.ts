import { inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { inStoredBlocks, lengthInBlocks } from "./stored-blocks.ts";

const pieces = (content: Buffer, length: number) =>
  Array.from({ length: Math.ceil(content.length / length) }, (_, n) => content.subarray(n * length, (n + 1) * length));

test.each([1, 65_534, 65_535, 65_536, 131_070, 200_000])("%i bytes, in pieces of any length", async (bytes) => {
  const content = Buffer.from(Uint8Array.from({ length: bytes }, (_, n) => (n * 31) % 251));
  for (const length of [1_000, 65_535, 65_536, 200_000]) {
    const packed = Buffer.concat(await Array.fromAsync(inStoredBlocks(pieces(content, length), bytes)));
    expect(packed).toHaveLength(lengthInBlocks(bytes));
    expect(inflateRawSync(packed).equals(content)).toBe(true);
  }
});

test("empty content has no blocks", async () => {
  expect(await Array.fromAsync(inStoredBlocks([], 0))).toEqual([]);
  expect(lengthInBlocks(0)).toBe(0);
});
