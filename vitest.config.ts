import { defineConfig } from "vitest/config";
import { postgresPrograms } from "./tests/support/postgres.ts";

/** Journeys of the service that are the same on every database, and are gone through on PostgreSQL too. */
const journeys = [
  "attempts",
  "audit",
  "auth",
  "chaos",
  "decisions",
  "journey",
  "large-objects",
  "listings",
  "oidc",
  "rebuild",
  "refusals",
  "requests",
  "sharing",
  "withdraw",
].map((name) => `tests/${name}.test.ts`);

/** On a machine of one’s own a missing server is a skipped test; in CI it is a failure (see the set-up). */
const isWithPostgres = postgresPrograms() !== undefined || process.env.CI !== undefined;
const setup = ["tests/support/template.ts", "tests/support/postgres-template.ts"];

export default defineConfig({
  test: {
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: "embedded",
          globalSetup: setup,
          provide: { onPostgres: false },
          include: ["src/**/*.test.ts", "tests/*.test.ts"],
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
