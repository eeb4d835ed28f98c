/**
 * Runs the built program with random faults: `npm run torture -- --runs N --seed S`. Seed and number determine the plan of
 * every run, which ends with a check of the invariants. See README.md.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { startPostgres } from "../support/database/postgres.ts";
import { createSystemTemplate } from "../support/program/test-system.ts";
import { install, lacks } from "../support/tools.ts";
import { type Plan, planOf } from "./plan.ts";
import { SWEPT } from "./publication/plan.ts";
import { sweepPublications, torturePublications } from "./publication/torture-publications.ts";
import { type Outcome, runPlan } from "./run-plan.ts";
import { PHASES, sweep } from "./sweep.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    seed: { type: "string", default: String(Date.now()) },
    /** Only this run. */
    only: { type: "string" },
    parallel: { type: "string", default: "2" },
    /** Instead, kills at every durable call of a small submission, of a next version, and of a recovery. */
    sweep: { type: "boolean", default: false },
    /** Instead, publishes datasets with random faults of DataCite and random kills; with `sweep`, kills at every call. */
    publication: { type: "boolean", default: false },
    /** For publications: PostgreSQL, and a worker beside the service, which is killed every other time. */
    postgres: { type: "boolean", default: false },
    /** Instead, the sources are uploads: connections are cut, wrong bytes are sent, and files are replaced. */
    uploads: { type: "boolean", default: false },
    /** Only this phase of the sweep. */
    phase: { type: "string" },
    /** Distance between calls of the sweep, and its first call. */
    step: { type: "string", default: "1" },
    from: { type: "string", default: "1" },
  },
});

const module = fileURLToPath(new URL("../../dist/src/cli/accession.js", import.meta.url));
const seed = values.seed;
const strace = !lacks("strace");
if (!strace) console.log(`Without strace there are fewer types of faults: ${install(["strace"])}`);

const folder = await mkdtemp(join(tmpdir(), "accession-torture-"));
const template = join(folder, "template");
process.env.NODE_COMPILE_CACHE = join(folder, "compiled");
const began = Date.now();
let failed = 0;
try {
  await createSystemTemplate(template, module);
  if (values.publication) failed = await runPublications();
  else failed = values.sweep ? await runSweep() : await runMany();
} finally {
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;

async function runMany(): Promise<number> {
  const numbers =
    values.only === undefined ? Array.from({ length: Number(values.runs) }, (_, i) => i + 1) : [Number(values.only)];
  const queue = numbers.values();
  const outcomes: Outcome[] = [];
  const worker = async () => {
    for (const run of queue) {
      const start = Date.now();
      const outcome = await runPlan(planOf(seed, run, { strace, uploads: values.uploads }), { template, module });
      outcomes.push(outcome);
      print(outcome, Date.now() - start);
    }
  };
  await Promise.all(Array.from({ length: Number(values.parallel) }, worker));
  const bad = outcomes.filter(({ violations }) => violations.length > 0);
  const killed = outcomes.reduce((sum, one) => sum + one.killed, 0);
  const objects = outcomes.reduce((sum, { plan }) => sum + sizeOf(plan), 0);
  const minutes = ((Date.now() - began) / 60_000).toFixed(1);
  console.log(
    `seed ${seed}: ${outcomes.length} runs, ${objects} objects, ${killed} processes killed, ` +
      `${bad.length} runs with violations, ${minutes} minutes`,
  );
  for (const { plan } of bad)
    console.log(
      `repeat with: npm run torture -- ${values.uploads ? "--uploads " : ""}--seed ${seed} --only ${plan.run}`,
    );
  return bad.length;
}

function sizeOf({ objects, files }: Plan): number {
  return (files ?? objects).length;
}

function print({ plan, violations, folder, status, attempts, killed }: Outcome, milliseconds: number): void {
  const seconds = (milliseconds / 1000).toFixed(1);
  const what = `${sizeOf(plan)} objects, ${plan.chaos.rules.length} faults, ${killed} kills`;
  console.log(`run ${plan.run}: ${status} in attempt ${attempts}, ${what}, ${seconds} s`);
  if (violations.length === 0) return;
  console.log(`  VIOLATED, seed ${seed}, run ${plan.run}, kept in ${folder}`);
  for (const { invariant, detail } of violations.slice(0, 20)) console.log(`  ${invariant}: ${detail}`);
}

async function runPublications(): Promise<number> {
  await using server = values.postgres ? await openServer() : undefined;
  const options = {
    ...{ template, module, parallel: Number(values.parallel), print: (line: string) => console.log(line) },
    ...(server !== undefined && { server: server.url }),
  };
  const since = Date.now();
  const minutes = () => ((Date.now() - since) / 60_000).toFixed(1);
  if (values.sweep) {
    let failures = 0;
    for (const swept of SWEPT) {
      if (values.phase !== undefined && values.phase !== swept) continue;
      const began = Date.now();
      const ofSweep = { ...options, swept, from: Number(values.from), step: Number(values.step) };
      const { points, violations } = await sweepPublications(ofSweep);
      const minutes = ((Date.now() - began) / 60_000).toFixed(1);
      console.log(
        `sweep of a ${swept}: killed at ${points} calls, ${violations.length} violations, ${minutes} minutes`,
      );
      failures += violations.length;
    }
    return failures;
  }
  const { killed, asked, violations } = await torturePublications({ ...options, runs: Number(values.runs), seed });
  console.log(
    `seed ${seed}: ${values.runs} publications, ${killed} processes killed, ${asked} responses to outsiders, ` +
      `${violations.length} violations, ${minutes()} minutes`,
  );
  return violations.length;
}

async function openServer(): Promise<{ url: string } & AsyncDisposable> {
  const { url, stop } = await startPostgres();
  return { url, [Symbol.asyncDispose]: stop };
}

async function runSweep(): Promise<number> {
  let failures = 0;
  for (const phase of PHASES) {
    if (values.phase !== undefined && values.phase !== phase) continue;
    const since = Date.now();
    const { points, violations } = await sweep({
      template,
      module,
      phase,
      from: Number(values.from),
      step: Number(values.step),
      parallel: Number(values.parallel),
      print: (line) => console.log(line),
    });
    const minutes = ((Date.now() - since) / 60_000).toFixed(1);
    console.log(`sweep of a ${phase}: killed at ${points} calls, ${violations.length} violations, ${minutes} minutes`);
    failures += violations.length;
  }
  return failures;
}
