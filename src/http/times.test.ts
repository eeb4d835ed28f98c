import { expect, test } from "vitest";
import { listed } from "../../tests/support/listed.ts";
import { isTime } from "../db/submissions/list.ts";
import { timeIn } from "./responses/paging.ts";

test.each(listed`
  0000-01-01T00:00:00Z | 0000-12-31T23:59:59.999Z | 0001-01-01T00:00:00+14:00 | 9999-12-31T23:59:59-23:59
  +010000-01-01T00:00:00Z | -000001-01-01T00:00:00Z | 2026-06-30T23:59:60Z | yesterday
`)("%s is rejected: the database cannot store it", (text) => {
  expect(timeIn(text)).toBeUndefined();
});

test.each(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "2026-11-01T00:00:00+01:00"])("%s is accepted", (text) => {
  expect(timeIn(text)).toEqual(new Date(text));
});

test("the date in a cursor must exist", () => {
  expect(isTime("2026-02-28T00:00:00.000Z")).toBe(true);
  expect(isTime("2026-02-30T00:00:00.000Z")).toBe(false);
});
