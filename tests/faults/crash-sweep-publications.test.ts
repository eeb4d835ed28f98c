import { describe, expect, inject, test } from "vitest";
import { lacks, skipNote } from "../support/tools.ts";
import { sweepPublications, torturePublications } from "../torture/publication/torture-publications.ts";

const LIMITS = { tags: "extended", timeout: 600_000 };

describe.skipIf(lacks("strace"))(`SIGKILL at a system call that makes data durable ${skipNote("strace")}`, () => {
  test("at successive calls of a publication, a change and a withdrawal", LIMITS, async () => {
    const { points } = await soundly((options) =>
      sweepPublications({ ...options, swept: "publication", from: 1, step: 9 }),
    );
    expect(points).toBeGreaterThan(2);
  });

  test("publications with random faults of DataCite and random kills", LIMITS, async () => {
    await soundly((options) => torturePublications({ ...options, runs: 6, seed: "suite" }));
  });
});

/** Runs kills of publications and expects no violation. */
async function soundly<Result extends { violations: unknown[] }>(
  run: (options: { template: string; parallel: number; print: (line: string) => void }) => Promise<Result>,
): Promise<Result> {
  const told: string[] = [];
  const result = await run({ template: inject("template"), parallel: 2, print: (line) => void told.push(line) });
  expect(result.violations, told.join("\n")).toEqual([]);
  return result;
}
