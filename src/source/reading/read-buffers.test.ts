import { expect, test } from "vitest";
import { Buffers } from "./read-buffers.ts";

test("a returned buffer is reused for content of the same size class", () => {
  const buffers = new Buffers();
  const first = buffers.take(5_000);
  expect(first).toHaveLength(5_000);
  buffers.give(first);
  const second = buffers.take(8_192);
  expect(second).toHaveLength(8_192);
  expect(second.buffer).toBe(first.buffer);
  expect(buffers.take(8_192).buffer).not.toBe(first.buffer);
});

test.each([0, 1, 4_096, 4_097, 1_048_576])("a buffer for %i bytes has exactly that length", (bytes) => {
  const buffers = new Buffers();
  expect(buffers.take(bytes)).toHaveLength(bytes);
});
