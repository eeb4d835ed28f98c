import { expect, test } from "vitest";
import { percentArrived } from "./snapshot.ts";

const counts = { failed: 0, sending: 0, reading: 0, waiting: 0, partial: 0, extra: 0, done: 0 };

test("the bar is full only if all files have arrived, also if the missing ones are small or empty", () => {
  const large = { files: 2, bytes: 1_000_000, arrived: 999_999 };
  expect(percentArrived({ ...large, counts: { ...counts, done: 1, failed: 1 } })).toBe(99);
  expect(percentArrived({ ...large, arrived: 1_000_000, counts: { ...counts, done: 1, waiting: 1 } })).toBe(99);
  expect(percentArrived({ ...large, arrived: 1_000_000, counts: { ...counts, done: 1, extra: 1 } })).toBe(100);
  expect(percentArrived({ ...large, arrived: 250_000, counts: { ...counts, sending: 2 } })).toBe(25);
  expect(percentArrived({ files: 4, bytes: 0, arrived: 0, counts: { ...counts, done: 1, waiting: 3 } })).toBe(25);
});
