import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { postgresPrograms } from "./tests/support/postgres.ts";

/**
 * Journeys in which the database has a part, and that are gone through on PostgreSQL too. What is about sources, forms and
 * disks alone is the same on both.
 */
const journeys = [
  "attempts",
  "auth",
  "decisions",
  "journey",
  "listings",
  "lists",
  "rebuild",
  "sharing",
  "webhooks",
  "withdraw",
].map((name) => `tests/${name}.test.ts`);

/** Files that take a minute or more; the others, longest text first, fill the time beside them. */
const longest = [
  "crash-sweep",
  "rebuild-faults",
  "machines",
  "s3-archive",
  "crash",
  "s3-archive-crash",
  "ceph",
  "machine-faults",
  "versions",
  "chaos",
  "bench",
  "docs-commands",
].map((name) => `/tests/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((path) => moduleId.endsWith(path));
      return index < 0 ? longest.length : index;
    };
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

/** On a machine of one’s own a missing server is a skipped test; in CI it is a failure (see the set-up). */
const isWithPostgres = postgresPrograms() !== undefined || process.env.CI !== undefined;
const setup = ["tests/support/built-page.ts", "tests/support/template.ts", "tests/support/postgres-template.ts"];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // CI shares its machine: a test with a time limit can fail for want of a core. One that fails twice has failed, and
    // the report names those that passed at the second try.
    retry: process.env.CI === undefined ? 0 : 1,
    // Many tests wait for processes and clocks: more than the cores of a small machine.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "embedded",
          globalSetup: setup,
          provide: { onPostgres: false },
          include: ["src/**/*.test.ts", "web/src/**/*.test.ts", "tests/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "postgres",
          globalSetup: setup,
          provide: { onPostgres: true },
          include: isWithPostgres ? journeys : ["tests/skipped/postgres.test.ts"],
        },
      },
    ],
  },
});
