import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cachedByCost } from "./installation-metrics.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A query that takes this many milliseconds, and returns how often it was called. */
function asked(milliseconds: number, fail = false): { ask: () => Promise<number>; times: () => number } {
  let times = 0;
  const ask = cachedByCost(async () => {
    const now = ++times;
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    if (fail) throw new Error("away");
    return now;
  });
  return { ask, times: () => times };
}

test("an answer is shared, and cached for a hundred times as long as it took", async () => {
  const { ask } = asked(20);
  const [one, two] = [ask(), ask()];
  await vi.advanceTimersByTimeAsync(20);
  expect([await one, await two]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(1_990);
  expect(await ask()).toBe(1);
  await vi.advanceTimersByTimeAsync(20);
  const next = ask();
  await vi.advanceTimersByTimeAsync(20);
  expect(await next).toBe(2);
});

test("an answer is cached for a minute at most", async () => {
  const { ask, times } = asked(5_000);
  void ask();
  await vi.advanceTimersByTimeAsync(5_000 + 59_990);
  void ask();
  expect(times()).toBe(1);
  await vi.advanceTimersByTimeAsync(20);
  void ask();
  expect(times()).toBe(2);
});

test("a failure rejects for the callers that waited, and the next call queries again", async () => {
  const { ask, times } = asked(20, true);
  const failed = Promise.all([expect(ask()).rejects.toThrow("away"), expect(ask()).rejects.toThrow("away")]);
  await vi.advanceTimersByTimeAsync(20);
  await failed;
  expect(times()).toBe(1);
  const again = expect(ask()).rejects.toThrow("away");
  await vi.advanceTimersByTimeAsync(20);
  await again;
  expect(times()).toBe(2);
});
