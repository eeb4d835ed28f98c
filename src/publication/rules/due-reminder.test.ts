import { describe, expect, test } from "vitest";
import { dueReminder } from "./due-reminder.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
const since = new Date("2026-11-01T00:00:00Z");
const daysLater = (days: number) => new Date(since.getTime() + days * DAY_MS);
const waiting = { state: "in_review" as const, since, reminded_at: null, reminders: 0 };

describe("a reminder is due", () => {
  test.each([
    ["in_review", "curator"],
    ["changes_requested", "owner"],
    ["approved", "owner"],
    ["private", undefined],
    ["declined", undefined],
    ["registering", undefined],
    ["published", undefined],
    ["withdrawn", undefined],
  ] as const)("in the state %s for: %s", (state, party) => {
    expect(dueReminder({ ...waiting, state }, WEEK_MS, daysLater(8))).toBe(party);
  });

  test("after each period, three times", () => {
    expect(dueReminder(waiting, WEEK_MS, daysLater(6.99))).toBeUndefined();
    expect(dueReminder(waiting, WEEK_MS, daysLater(7))).toBe("curator");
    const once = { ...waiting, reminded_at: daysLater(20), reminders: 1 };
    expect(dueReminder(once, WEEK_MS, daysLater(26))).toBeUndefined();
    expect(dueReminder(once, WEEK_MS, daysLater(27))).toBe("curator");
    expect(dueReminder({ ...once, reminders: 3 }, WEEK_MS, daysLater(100))).toBeUndefined();
  });

  test("never, if the period is 0", () => {
    expect(dueReminder(waiting, 0, daysLater(1_000))).toBeUndefined();
  });

  test("once, if the clock is set back by a little or by much", () => {
    const once = { ...waiting, reminded_at: daysLater(7), reminders: 1 };
    expect(dueReminder(once, WEEK_MS, daysLater(6))).toBeUndefined();
    expect(dueReminder({ ...once, reminded_at: daysLater(400) }, WEEK_MS, daysLater(14))).toBe("curator");
  });
});
