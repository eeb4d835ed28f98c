import { describe, expect, inject, test } from "vitest";
import { lacks, skipNote } from "../support/tools.ts";
import { sweepPublications, torturePublications } from "../torture/publication/torture-publications.ts";

describe.skipIf(lacks("strace"))(`SIGKILL at a system call that makes data durable ${skipNote("strace")}`, () => {
  test("at successive calls of a publication, a change and a withdrawal", {
    tags: "extended",
    timeout: 600_000,
  }, async () => {
    const told: string[] = [];
    const print = (line: string) => void told.push(line);
    const options = { template: inject("template"), parallel: 2, print };
    const { points, violations } = await sweepPublications({ ...options, from: 1, step: 9 });
    expect(violations, told.join("\n")).toEqual([]);
    expect(points).toBeGreaterThan(2);
  });

  test("publications with random faults of DataCite and random kills", {
    tags: "extended",
    timeout: 600_000,
  }, async () => {
    const told: string[] = [];
    const print = (line: string) => void told.push(line);
    const options = { template: inject("template"), parallel: 2, print };
    const { violations } = await torturePublications({ ...options, runs: 6, seed: "suite" });
    expect(violations, told.join("\n")).toEqual([]);
  });
});
