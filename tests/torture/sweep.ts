import type { Violation } from "../support/invariants.ts";
import { BUCKET, Stage } from "../support/stage.ts";
import { DURABLE_CALLS, watchCalls } from "../support/strace.ts";

const OBJECTS = 12;
const REST_MS = 120_000;
/** So many crashes, one after the other, are played on one data folder. */
const POINTS_A_FOLDER = 6;

export interface SweepOptions {
  template: string;
  module?: string;
  /** The first call at which to kill, and every how many after it. */
  from: number;
  step: number;
  parallel: number;
  tell: (line: string) => void;
}

/**
 * Kills the program at one call after the other that makes something durable (rename, fsync, commit, …) while it takes
 * a small bucket in, until a submission passes untouched; after each kill the next process has to finish the work.
 */
export async function sweep(options: SweepOptions): Promise<{ points: number; violations: Violation[] }> {
  const violations: Violation[] = [];
  let next = options.from;
  let isPassed = false;
  let points = 0;
  const worker = async () => {
    while (!isPassed) {
      await using stage = await openStage(options);
      await stage.start();
      for (let n = 0; n < POINTS_A_FOLDER && !isPassed; n++) {
        const number = next;
        next += options.step;
        const name = await killAt(stage, number);
        if (name === undefined) isPassed = true;
        else points++;
        const found = await stage.check();
        options.tell(`call ${number}: ${name === undefined ? "passed untouched" : `killed at ${name}`}`);
        for (const { invariant, detail } of found) options.tell(`  VIOLATED ${invariant}: ${detail}`);
        violations.push(...found);
        if (found.length > 0) {
          options.tell(`  kept in ${stage.folder}`);
          stage.keep = true;
          break;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, worker));
  return { points, violations };
}

async function openStage(options: SweepOptions): Promise<Stage> {
  const { template, module } = options;
  const stage = await Stage.open({ template, ...(module !== undefined && { module }) });
  for (let i = 0; i < OBJECTS; i++)
    stage.s3.put(BUCKET, `folder-${i % 3}/object-${i}`, { seed: `${i}`, size: i * 100 });
  stage.s3.put(BUCKET, "large", { seed: "large", size: 1_500_000 });
  return stage;
}

/**
 * Submits, kills at the nth durable call, starts again and lets the submission complete. Gives the name of the call, or
 * undefined when it was never reached.
 */
async function killAt(stage: Stage, number: number): Promise<string | undefined> {
  const pid = stage.program?.process.pid ?? 0;
  let name: string | undefined;
  const trace = await watchCalls(pid, DURABLE_CALLS, (count, call) => {
    if (count !== number) return;
    name = call;
    process.kill(pid, "SIGKILL");
  });
  const key = `call ${number}`;
  let id = await stage.submit(key);
  if (id !== undefined) await stage.operate(id, { retries: 0 }, REST_MS);
  await trace.detach();
  if (name === undefined) return undefined;
  // It may have been killed when all was done.
  await stage.program?.end("SIGKILL");
  await stage.start();
  id = (await stage.submit(key)) ?? "";
  await stage.operate(id, { retries: 0 }, REST_MS);
  return name;
}
