import { describe, expect, test } from "vitest";
import { nextTry } from "./next-try.ts";

const DAY_MS = 86_400_000;
const start = new Date("2026-01-01T00:00:00Z");
const end = new Date(start.getTime() + DAY_MS);

describe("tries", () => {
  test("start within seconds, become hours apart, and end with a try at the deadline", () => {
    const times = [start];
    for (let failures = 1; ; failures++) {
      const next = nextTry(failures, times.at(-1) ?? start, end);
      if (next === undefined) break;
      times.push(next);
    }
    const pauses = times.slice(1).map((time, n) => time.getTime() - (times[n] ?? start).getTime());
    expect(pauses[0]).toBeLessThan(3_000);
    expect(times.at(-1)).toEqual(end);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(14_400_000 * 1.25);
    expect(times.length).toBeGreaterThan(10);
    expect(times.length).toBeLessThan(25);
  });

  test("are spread out for deliveries that failed together", () => {
    const next = Array.from({ length: 50 }, () => nextTry(4, start, end)?.getTime());
    expect(new Set(next).size).toBeGreaterThan(40);
  });

  test("respect the requested delay, up to one hour", () => {
    expect(nextTry(1, start, end, 60_000)?.getTime()).toBe(start.getTime() + 60_000);
    expect(nextTry(1, start, end, DAY_MS)?.getTime()).toBe(start.getTime() + 3_600_000);
  });
});
