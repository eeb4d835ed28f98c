import { expect, test } from "vitest";
import { listed } from "../../../../tests/support/listed.ts";
import { calendarDate } from "./date.ts";

test.each([
  ["2026-12-31", "2026-12-31"],
  [" 2028-02-29 ", "2028-02-29"],
  ["2026-12-31T23:00:00.000Z", "2026-12-31"],
  ["2026-12-31T23:59+05:30", "2026-12-31"],
  ["2026-12-31T00:00:00", "2026-12-31"],
])("%j is the day %s", (text, date) => {
  expect(calendarDate(text)).toBe(date);
});

test.each([
  "",
  ...listed`
    2026-02-30 | 2027-02-29 | 2026-13-01 | 2026-00-10 | 2026-01-00 | 0000-01-01 | 26-01-01 | 2026-1-1 | 2026
    31.12.2026 | 2026-12-31T25:00 | 2026-12-31T10:60 | 2026-12-31 10:00 | 2026-12-31Tx | tomorrow
    +002026-01-01
  `,
])("%j is not a date", (text) => {
  expect(calendarDate(text)).toBeUndefined();
});
