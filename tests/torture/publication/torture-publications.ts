import type { Violation } from "../../support/invariants/invariants.ts";
import { describePlan, hasConceptDois, orderFaults, publicationPlan, type SWEPT, sweepPlan } from "./plan.ts";
import { PublicationStage } from "./publication-stage.ts";

/** Consecutive publications with the same data folder. */
const DATASETS_PER_FOLDER = 8;

export interface PublicationOptions {
  template: string;
  module?: string;
  /** URL of a PostgreSQL server; without it, the embedded database. */
  server?: string;
  parallel: number;
  print: (line: string) => void;
}

/**
 * Kills the program at successive durable calls of a plan (approval, registration of the DOI, record, commit, change of the title
 * and withdrawal, or take-back and publication). The next process must complete all of this. Ends when the plan is completed
 * before the call is reached.
 */
export async function sweepPublications({
  swept,
  from,
  step,
  ...options
}: PublicationOptions & { swept: (typeof SWEPT)[number]; from: number; step: number }): Promise<{
  points: number;
  violations: Violation[];
}> {
  const violations: Violation[] = [];
  let next = from;
  let isDone = false;
  let points = 0;
  await inParallel({ ...options, seed: "sweep" }, async (stage) => {
    for (let n = 0; n < DATASETS_PER_FOLDER && !isDone; n++) {
      const number = next;
      next += step;
      const dataset = await stage.archive(sweepPlan(number, swept));
      const call = await stage.workUntilKilled(dataset, number);
      if (call === undefined) isDone = true;
      else points++;
      await stage.finish(dataset);
      options.print(
        `${swept}, call ${number}: ${call === undefined ? "finished before the call" : `killed at ${call}`}`,
      );
    }
    violations.push(...(await stage.reportTo(options.print)));
    return !isDone;
  });
  return { points, violations };
}

/** Carries out random plans while DataCite fails in random ways and the program is killed at random moments. */
export async function torturePublications(
  options: PublicationOptions & { runs: number; seed: string },
): Promise<{ killed: number; asked: number; violations: Violation[] }> {
  const violations: Violation[] = [];
  const { seed, runs, print } = options;
  let killed = 0;
  let asked = 0;
  await inParallel(options, async (stage, folder) => {
    const first = folder * DATASETS_PER_FOLDER + 1;
    const last = Math.min(runs, first + DATASETS_PER_FOLDER - 1);
    for (let number = first; number <= last; number++) {
      const plan = publicationPlan(seed, number);
      orderFaults(stage.datacite, plan);
      const dataset = await stage.archive(plan);
      for (const { call, afterMs } of plan.kills) {
        if ((await stage.workUntilKilled(dataset, call, afterMs)) === undefined) break;
        killed += 1;
        await stage.restart();
      }
      await stage.finish(dataset);
      print(`publication ${number}: ${describePlan(plan)}`);
    }
    if (first <= last) violations.push(...(await stage.reportTo(print)));
    asked += stage.outsider.sent;
    return last < runs;
  });
  return { killed, asked, violations };
}

/** Runs the work with several systems at a time, each time with a new one, until it returns false. */
async function inParallel(
  { parallel, template, module, server, seed }: PublicationOptions & { seed: string },
  work: (stage: PublicationStage, folder: number) => Promise<boolean>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let isOver = false; !isOver; ) {
      const folder = next++;
      const conceptDois = hasConceptDois(seed, folder);
      const options = {
        ...{ template, conceptDois, seed: `${seed} ${folder}` },
        ...(module !== undefined && { module }),
        ...(server !== undefined && { server }),
      };
      await using stage = await PublicationStage.open(options);
      isOver = !(await work(stage, folder));
    }
  };
  await Promise.all(Array.from({ length: parallel }, worker));
}
