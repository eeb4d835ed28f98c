/** `npm run bench`: compares Accession with copy programs and the floor on the same buckets; see README.md. */

import { type Contestant, contestants } from "./contestants/contestants.ts";
import { type Workload, workloads } from "./support/cases.ts";
import { writeResults } from "./support/machine.ts";
import {
  flushWrites,
  RequirementError,
  readArguments,
  readCount,
  requirePrograms,
  run,
  workFolder,
} from "./support/program.ts";
import { medians, type Run, ratioRow, ratios, table, threadRows } from "./support/report.ts";
import { type Bucket, openSource, warm } from "./support/source.ts";
import { removeTargets, withTarget } from "./support/target.ts";
import { TARGETS } from "./support/targets.ts";

const ROUNDS = 5;

interface Options {
  work: string;
  rounds: number;
  /** Uses small cases. The results only show that everything runs. */
  isSmoke: boolean;
  chosen: Workload[];
  taking: Contestant[];
}

await run(async () => {
  const options = readOptions();
  requirePrograms("nginx", "rclone");
  const { server, buckets } = await openSource(options.work, options.chosen);
  const runs: Run[] = [];
  for (const bucket of buckets) runs.push(...(await measureCase(bucket, options)));
  await server.stop();
  const found = buckets.flatMap(({ workload }) => ratios(workload.name, runs, options.isSmoke ? [] : TARGETS));
  console.log(table(buckets.flatMap((bucket) => medians(bucket, runs))));
  if (found.length > 0) console.log(`\n${table(found.map(ratioRow))}`);
  const threads = buckets.flatMap((bucket) => threadRows(bucket, runs));
  if (threads.length > 0) console.log(`\n${table(threads)}`);
  const cases = buckets.map(({ workload, objects, bytes }) => ({ name: workload.name, objects, bytes }));
  console.log(`\n${writeResults("bench", { rounds: options.rounds, cases, ratios: found, runs })}`);
  removeTargets(options.work);
});

function readOptions(): Options {
  const { texts, flags, words } = readArguments(["runs", "only", "work", "before"], ["smoke"]);
  const isSmoke = flags.smoke === true;
  const rounds = readCount("runs", texts.runs, isSmoke ? 1 : ROUNDS);
  const able = contestants(texts.before);
  return {
    work: workFolder(texts.work),
    rounds,
    isSmoke,
    chosen: words.length === 0 ? workloads(isSmoke) : named(workloads(isSmoke), words),
    taking: texts.only === undefined ? able.filter(({ isExtra }) => !isExtra) : named(able, texts.only.split(",")),
  };
}

function named<T extends { name: string }>(all: readonly T[], names: readonly string[]): T[] {
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined) {
    throw new RequirementError(`“${unknown}” is not one of ${all.map(({ name }) => name).join(", ")}`);
  }
  return all.filter(({ name }) => names.includes(name));
}

/** Runs all rounds of a case. The order changes from round to round, so that no contestant always follows the same one. */
async function measureCase(bucket: Bucket, { work, rounds, taking }: Options): Promise<Run[]> {
  const workload = bucket.workload.name;
  const runs: Run[] = [];
  warm(work, bucket);
  for (let round = 1; round <= rounds; round++) {
    const first = (round - 1) % taking.length;
    for (const contestant of [...taking.slice(first), ...taking.slice(0, first)]) {
      flushWrites(work);
      const results = await withTarget(work, (target) => contestant.run(bucket, target));
      for (const [name, measured] of Object.entries(results)) {
        runs.push({ workload, contestant: name, round, ...measured });
        const { seconds, cpuSeconds, peakMib } = measured;
        process.stderr.write(
          `${workload} ${round}/${rounds} ${name}: ${seconds.toFixed(2)} s, CPU ${cpuSeconds.toFixed(2)} s, peak ${peakMib.toFixed(0)} MiB\n`,
        );
      }
    }
  }
  return runs;
}
