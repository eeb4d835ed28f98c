import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { archiveProblemOf } from "./archive-problem.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("probes of an archive that hangs wait for one proof, and are answered in time", async () => {
  const proof = Promise.withResolvers<void>();
  const proveSame = vi.fn(() => proof.promise);
  const problem = archiveProblemOf({ proveSame });
  for (let probe = 0; probe < 5; probe++) {
    const answer = problem();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await answer).toMatchObject({ code: "archive_unwritable", message: "The archive does not answer" });
  }
  expect(proveSame).toHaveBeenCalledTimes(1);
  proof.resolve();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await problem()).toBeUndefined();
  expect(proveSame).toHaveBeenCalledTimes(2);
});
