import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { postgresPrograms } from "./tests/support/database/postgres.ts";
import { RepeatFailures } from "./tests/support/repeat-failures.ts";
import { ReportMissingTools } from "./tests/support/tools.ts";
import { shared } from "./web/build/shared.ts";

/** The contract of both databases. The default suite runs it on each. */
const databaseTests = ["src/db/**/*.test.ts"];
/** A journey that the default suite runs on both databases. */
const onBoth = ["tests/transfer/attempts.test.ts"];
/** Tests that look into the folder of the embedded database. */
const onlyEmbedded = ["tests/support/invariants/invariants.test.ts"];

/** Tests that depend on the database. The extended suite, which runs on the embedded one, runs them on PostgreSQL, too. */
const extendedOnPostgres = [
  "tests/api/vocabulary.test.ts",
  "tests/api/lists.test.ts",
  "tests/archive/rebuild.test.ts",
  "tests/archive/restored-database.test.ts",
  "tests/archive/withdraw.test.ts",
  "tests/cli/vocabulary.test.ts",
  "tests/notifications/webhooks.test.ts",
  "tests/publication/access.test.ts",
  "tests/publication/datacite.test.ts",
  "tests/publication/review.test.ts",
  "tests/security/auth.test.ts",
  "tests/site/files-part.test.ts",
  "tests/site/find-files.test.ts",
  "tests/site/folders.test.ts",
  "tests/transfer/decisions.test.ts",
  "tests/transfer/journey.test.ts",
  "tests/transfer/listings.test.ts",
  "tests/transfer/sharing.test.ts",
  "tests/versions/revisions.test.ts",
];

/** Their files run in this order. */
const projects = ["page", "service", "embedded", "postgres", "unit", "isolated"];
/** Small files that take long. */
const longest = ["faults/crash", "publication/closed-files"];

/**
 * A worker that changes to another project loses the modules that it has loaded, so the files of a project run together.
 * Those that take the longest start first; without earlier results, the largest ones.
 */
class ByProject extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) =>
      2 * projects.indexOf(project.name) +
      (longest.some((name) => moduleId.endsWith(`/tests/${name}.test.ts`)) ? 0 : 1);
    return (await super.sort(files)).sort((one, other) => rank(one) - rank(other));
  }
}

const isPostgresInstalled = postgresPrograms() !== undefined;
/** Whether the services of tests use PostgreSQL: in the default suite if it is installed, which is a fifth faster. */
const onPostgres = isPostgresInstalled && process.env.EXTENDED === undefined;
/** Stands for the tests on PostgreSQL where it is not installed: skipped by name, or failed in CI. */
const postgresMissing = ["tests/support/database/postgres-missing.test.ts"];
const globalSetup = [
  "tests/support/files-in-memory.ts",
  "tests/support/page/built-page.ts",
  "tests/support/database/templates.ts",
];

const otherCode = ["**/{node_modules,dist}/**"];
const unitTests = ["{src,web/src,packages}/**/*.test.ts"];
/** They replace modules of Node.js for the modules that they import. */
const withMockedModules = [
  "src/source/s3/diagnosis/diagnose.test.ts",
  "src/source/s3/reading/ranges.test.ts",
  "src/source/s3/reading/read-object.test.ts",
  "src/source/s3/reading/resumable-read.test.ts",
  "src/source/s3/retry.test.ts",
];
/** Tests in Chromium. */
const pageTests = ["tests/page/**/*.test.ts", "tests/site/pages.test.ts", "tests/api/cross-origin.test.ts"];

function project(name: string, include: string[], options: TestProjectInlineConfiguration["test"] = {}) {
  return {
    extends: true,
    // Files of one worker share the modules that they import, which take longer to load than most files to run.
    test: { name, include, provide: { onPostgres: false }, isolate: false, ...options },
  };
}

export default defineConfig({
  resolve: shared.resolve,
  test: {
    // Limits for tests that would not end. Together with tests/support/patience.ts they leave room for a busy machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 180_000 } },
    globalSetup,
    setupFiles: ["tests/support/patience.ts", "tests/support/seed.ts", "tests/support/restore.ts"],
    tags: [{ name: "extended", description: "Runs with `npm run test:extended` instead of `npm test`." }],
    maxWorkers: availableParallelism(),
    sequence: { sequencer: ByProject },
    reporters: ["default", new ReportMissingTools(), new RepeatFailures()],
    projects: [
      project("unit", unitTests, { exclude: [...otherCode, ...withMockedModules] }),
      project("isolated", withMockedModules, { isolate: true }),
      project("page", pageTests, { provide: { onPostgres } }),
      project("service", ["tests/**/*.test.ts"], {
        exclude: [...pageTests, ...postgresMissing, ...(onPostgres ? onlyEmbedded : [])],
        provide: { onPostgres },
      }),
      project("embedded", onPostgres ? [...onBoth, ...onlyEmbedded] : []),
      project("postgres", isPostgresInstalled ? databaseTests : postgresMissing, { provide: { onPostgres: true } }),
      project("postgres-extended", isPostgresInstalled ? extendedOnPostgres : postgresMissing, {
        provide: { onPostgres: true },
      }),
    ],
  },
});
