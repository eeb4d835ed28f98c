import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Problem } from "../../domain/problems.ts";
import { pauseMs, withRetries } from "./retry.ts";

const pauses: number[] = [];

vi.mock("node:timers/promises", () => ({
  setTimeout: async (ms: number, _: unknown, { signal }: { signal: AbortSignal }) => {
    pauses.push(ms);
    signal.throwIfAborted();
  },
}));

beforeEach(() => {
  pauses.length = 0;
});

afterEach(() => vi.restoreAllMocks());

describe("a Problem that may be temporary", () => {
  const { signal } = new AbortController();

  test("is retried until the attempt succeeds", async () => {
    const attempt = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new Problem("slow_down"))
      .mockRejectedValueOnce(new Problem("connection_reset"))
      .mockResolvedValue("done");
    expect(await withRetries(signal, attempt)).toBe("done");
    expect(pauses).toHaveLength(2);
  });

  test("is thrown after five attempts", async () => {
    let n = 0;
    const attempt = async () => {
      throw new Problem("slow_down", `number ${++n}`);
    };
    await expect(withRetries(signal, attempt)).rejects.toThrow("number 5");
    expect(pauses).toHaveLength(4);
  });

  test("is not retried after the time for all attempts, so that retries do not multiply the time of a silent server", async () => {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const attempt = vi.fn(async () => {
      now += 60;
      throw new Problem("connection_timeout");
    });
    await expect(withRetries(signal, attempt, { withinMs: 100 })).rejects.toMatchObject({ code: "connection_timeout" });
    expect(attempt).toHaveBeenCalledTimes(2);
  });

  test("is retried after the time that the server requests", async () => {
    const attempt = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Problem("slow_down", "", { retryAfter: 7 }));
    await withRetries(signal, attempt);
    expect(pauses).toEqual([7_000]);
  });

  test.each([new Problem("list_denied"), new Error("a bug")])("is retried, but %o is thrown at once", async (error) => {
    const attempt = vi.fn<() => Promise<void>>().mockRejectedValue(error);
    await expect(withRetries(signal, attempt)).rejects.toBe(error);
    expect(attempt).toHaveBeenCalledOnce();
  });

  test("is not retried after an abort", async () => {
    const stop = new AbortController();
    const attempt = vi.fn(async () => {
      stop.abort(new Error("enough"));
      throw new Problem("slow_down");
    });
    await expect(withRetries(stop.signal, attempt)).rejects.toThrow("enough");
    expect(attempt).toHaveBeenCalledOnce();
  });
});

test("pauses grow to ten seconds, vary, and are never shorter than the server requests", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 0, max: 60 }), (n, retryAfter) => {
      const pause = pauseMs(n, retryAfter);
      expect(pause).toBeGreaterThanOrEqual(Math.max(retryAfter * 1_000, 200));
      expect(pause).toBeLessThanOrEqual(Math.max(retryAfter * 1_000, 10_000));
    }),
  );
  vi.spyOn(Math, "random").mockReturnValue(0);
  expect([1, 2, 3, 9].map((n) => pauseMs(n))).toEqual([200, 400, 800, 5_000]);
});
