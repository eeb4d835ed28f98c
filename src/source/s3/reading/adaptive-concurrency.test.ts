import { describe, expect, test } from "vitest";
import { AdaptiveConcurrency } from "./adaptive-concurrency.ts";

const never = new AbortController().signal;

/** Simulates a server whose rate grows with the number of requests up to `useful`. */
function run(pace: AdaptiveConcurrency, clock: { now: number }, useful: number, looks: number): number[] {
  const limits: number[] = [];
  let inside = 0;
  const fill = () => {
    for (; inside < pace.limit; inside++) void pace.enter("one", never);
    // One more request waits, so that the limit counts as reached.
    void pace.enter("one", never)?.catch(() => undefined);
    inside++;
  };
  for (let look = 0; look < looks; look++) {
    fill();
    const done = Math.min(pace.limit, useful);
    for (let i = 0; i < done; i++) {
      clock.now += 250 / done;
      pace.leave(100_000);
      inside--;
    }
    limits.push(pace.limit);
  }
  return limits;
}

describe("the number of concurrent requests", () => {
  test("grows to its maximum while the rate grows, and never above it", () => {
    const clock = { now: 0 };
    const limits = run(new AdaptiveConcurrency(64, undefined, () => clock.now), clock, 1_000, 40);
    expect(limits[0]).toBeLessThan(40);
    expect(Math.max(...limits)).toBe(64);
  });

  test("stays near what the server can use", () => {
    const clock = { now: 0 };
    const limits = run(new AdaptiveConcurrency(64, undefined, () => clock.now), clock, 12, 100);
    const late = limits.slice(20);
    expect(late.reduce((sum, one) => sum + one, 0) / late.length).toBeLessThan(24);
  });

  test("is halved when the server asks to slow down, once for all concurrent requests", () => {
    const clock = { now: 0 };
    let told = 0;
    const pace = new AdaptiveConcurrency(
      64,
      () => told++,
      () => clock.now,
    );
    run(pace, clock, 1_000, 40);
    const before = pace.limit;
    for (let i = 0; i < 30; i++) pace.slowDown();
    expect(pace.limit).toBe(before / 2);
    expect(told).toBe(1);
    for (let i = 0; i < 20; i++) {
      clock.now += 2_000;
      pace.slowDown();
    }
    expect(pace.limit).toBe(1);
  });

  test("starts no higher than its maximum", () => {
    expect(new AdaptiveConcurrency(3).limit).toBe(3);
  });
});

describe("a request that waits", () => {
  test("is served alternately with those of other owners, in the order of arrival for each", async () => {
    const pace = new AdaptiveConcurrency(1);
    const served: string[] = [];
    expect(pace.enter("first", never)).toBeUndefined();
    const ask = (owner: string, name: string) =>
      pace.enter(owner, never)?.then(() => {
        served.push(name);
        pace.leave(0);
      });
    const all = [ask("big", "b1"), ask("big", "b2"), ask("big", "b3"), ask("small", "s1"), ask("third", "t1")];
    pace.leave(0);
    await Promise.all(all);
    expect(served).toEqual(["b1", "s1", "t1", "b2", "b3"]);
  });

  test("ends with the reason of the abort, and is not sent", async () => {
    const pace = new AdaptiveConcurrency(1);
    const stop = new AbortController();
    void pace.enter("one", never);
    const waiting = pace.enter("one", stop.signal);
    const behind = pace.enter("one", never);
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    pace.leave(0);
    await behind;
    expect(() => pace.enter("one", stop.signal)).toThrow("enough");
  });
});
