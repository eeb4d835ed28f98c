import { describe, expect, inject, test } from "vitest";
import { lacks, skipNote } from "../support/tools.ts";
import { PHASES, type Phase, sweep } from "../torture/sweep.ts";

/** Every so many durable calls; `npm run torture -- --sweep` kills at every one. */
const STEPS = { submission: 30, version: 24, recovery: 400 } as const;

/** A call half way through a submission, which makes some eighty such calls. */
const HALF_WAY = 40;

describe.skipIf(lacks("strace"))(`SIGKILL at a system call that makes data durable ${skipNote("strace")}`, () => {
  test("during a submission: no data is lost, and no file is left over", { tags: "extended" }, async () => {
    // The second call of the sweep is one that no submission reaches.
    expect(await kill("submission", HALF_WAY, 1_000)).toBe(1);
  });

  test.each(PHASES)(
    "of a %s, until one passes untouched: nothing is lost, nothing is left over",
    { tags: "extended", timeout: 300_000 },
    async (phase) => {
      // A start makes a thousand such calls: with fewer points the sweep would have missed them.
      expect(await kill(phase, 1, STEPS[phase])).toBeGreaterThan(2);
    },
  );
});

/** Kills at one call after the other and expects no violation. Gives the number of kills. */
async function kill(phase: Phase, from: number, step: number): Promise<number> {
  const told: string[] = [];
  const tell = (line: string) => void told.push(line);
  const parallel = 2;
  const { points, violations } = await sweep({
    template: inject("template"),
    phase,
    from,
    step,
    parallel,
    print: tell,
  });
  expect(violations, told.join("\n")).toEqual([]);
  return points;
}
