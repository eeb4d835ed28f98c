import { afterEach, expect, test } from "vitest";
import { formatsOf } from "./format.ts";

const zone = process.env.TZ;
afterEach(() => {
  process.env.TZ = zone;
});

test.each(["America/New_York", "Europe/Berlin", "Pacific/Auckland"])("a day is the same day in %s", (here) => {
  process.env.TZ = here;
  const { calendarDay } = formatsOf("en-GB");
  expect(calendarDay("2027-01-01")).toBe("1 Jan 2027");
  expect(calendarDay("some day")).toBe("some day");
});
