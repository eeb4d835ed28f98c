import { describe, expect, inject, test } from "vitest";
import { straceAvailable, straceInstall } from "./support/strace.ts";
import { sweep } from "./torture/sweep.ts";

const missing = `strace is missing: ${straceInstall}`;
if (!straceAvailable() && process.env.CI === "true") throw new Error(missing);

/** Every so many durable calls; `npm run torture -- --sweep` kills at every one. */
const STEP = 15;

describe.skipIf(!straceAvailable())(`SIGKILL at a call that makes something durable (if skipped: ${missing})`, () => {
  test("at one after the other, until a submission passes untouched: nothing is lost, nothing is left over", async () => {
    const told: string[] = [];
    const tell = (line: string) => void told.push(line);
    const { points, violations } = await sweep({
      template: inject("template"),
      from: 1,
      step: STEP,
      parallel: 2,
      tell,
    });
    expect(violations, told.join("\n")).toEqual([]);
    // A submission of a few objects makes some sixty such calls; with fewer the sweep would have missed them.
    expect(points, told.join("\n")).toBeGreaterThan(4);
  }, 300_000);
});
