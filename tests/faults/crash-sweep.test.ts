import { describe, expect, inject, test } from "vitest";
import { straceAvailable, straceInstall } from "../support/program/strace.ts";
import { PHASES, sweep } from "../torture/sweep.ts";

const missing = `strace is missing: ${straceInstall}`;
if (!straceAvailable() && process.env.CI === "true") throw new Error(missing);

/** Every so many durable calls; `npm run torture -- --sweep` kills at every one. */
const STEPS = { submission: 30, version: 24, recovery: 400 } as const;

describe.skipIf(!straceAvailable())(`SIGKILL at a call that makes something durable (if skipped: ${missing})`, () => {
  test.each(PHASES)(
    "of a %s, until one passes untouched: nothing is lost, nothing is left over",
    async (phase) => {
      const told: string[] = [];
      const { points, violations } = await sweep({
        template: inject("template"),
        phase,
        from: 1,
        step: STEPS[phase],
        parallel: 2,
        tell: (line) => void told.push(line),
      });
      expect(violations, told.join("\n")).toEqual([]);
      // A submission makes some eighty such calls, a start a thousand: with fewer the sweep would have missed them.
      expect(points, told.join("\n")).toBeGreaterThan(2);
    },
    300_000,
  );
});
