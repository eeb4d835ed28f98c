import { describe, expect, inject, test } from "vitest";
import { lacks, skipNote } from "../support/tools.ts";
import { PHASES, type Phase, sweep } from "../torture/sweep.ts";

/** Distance between kills, in durable calls. `npm run torture -- --sweep` kills at every call. */
const STEPS = { submission: 30, version: 24, revision: 9, upload: 24, recovery: 400 } as const;

/** A call in the middle of a submission, which makes about eighty such calls. */
const HALF_WAY = 40;

describe.skipIf(lacks("strace"))(`SIGKILL at a system call that makes data durable ${skipNote("strace")}`, () => {
  test("during a submission: no data is lost, and no file remains", { tags: "extended" }, async () => {
    // No submission reaches the second call of the sweep.
    expect(await kill("submission", HALF_WAY, 1_000)).toBe(1);
  });

  test.each(PHASES)(
    "at successive calls of a %s, until it ends without a kill: no data is lost, and no file remains",
    { tags: "extended" },
    async (phase) => {
      // A start makes a thousand such calls. With fewer kills, the sweep would have missed them.
      expect(await kill(phase, 1, STEPS[phase])).toBeGreaterThan(2);
    },
  );
});

/** Kills at successive calls and expects no violation. Returns the number of kills. */
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
