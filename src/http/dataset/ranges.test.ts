import { expect, test } from "vitest";
import { listed } from "../../../tests/support/listed.ts";
import { rangesOf } from "./send-file.ts";

const of = (header: string, bytes = 10) => rangesOf(header, bytes)?.map(({ from, to }) => `${from}-${to}`);

test.each([
  ["bytes=0-3", ["0-4"]],
  ["bytes=3-", ["3-10"]],
  ["bytes=-4", ["6-10"]],
  ["bytes=-100", ["0-10"]],
  ["bytes=5-100", ["5-10"]],
  ["BYTES=0-0, ,9-9", ["0-1", "9-10"]],
  ["bytes=7-8,0-1", ["7-9", "0-2"]],
  ["bytes=0-4,3-6", ["0-7"]],
  ["bytes=8-9,0-2,2-8", ["0-10"]],
  ["bytes=0-0,20-30", ["0-1"]],
])("%s of ten bytes", (header, expected) => {
  expect(of(header)).toEqual(expected);
});

test.each(["bytes=10-", "bytes=-0", "bytes=20-30,11-"])("%s is outside of a file of ten bytes", (header) => {
  expect(of(header)).toEqual([]);
});

test("an empty file has no ranges", () => {
  for (const header of ["bytes=0-", "bytes=-5", "bytes=0-0"]) expect(of(header, 0)).toEqual([]);
});

test.each(listed`
  bytes | bytes= | bytes=- | bytes=3-1 | bytes=a-b | bytes=1-2,x | lines=1-2 | bytes=1e3- | bytes=0-1=foo
  bytes==0-1 | bytes =0-1 | bytes=0 -1 | 0-1
`)("%s is ignored", (header) => {
  expect(of(header)).toBeUndefined();
});

test("up to 100 ranges are returned; a header with more is ignored", () => {
  const many = (count: number) => `bytes=${Array.from({ length: count }, (_, n) => `${n * 2}-${n * 2}`).join(",")}`;
  expect(of(many(100), 1_000)).toHaveLength(100);
  expect(of(many(101), 1_000)).toBeUndefined();
});
