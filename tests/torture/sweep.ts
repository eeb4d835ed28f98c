import type { Violation } from "../support/invariants/invariants.ts";
import { BUCKET, Stage } from "../support/program/stage.ts";
import { DURABLE_CALLS, type Trace, watchCalls } from "../support/program/strace.ts";

const OBJECTS = 12;
const REST_MS = 120_000;
/** Of some eighty durable calls of a submission: there is something to recover then, and something still to do. */
const HALF_WAY = 40;
/** So many crashes, one after the other, are played on one data folder. */
const POINTS_A_FOLDER = 6;

/**
 * Whose calls are swept: those of a submission, those of one that becomes a dataset's next version, or those of the
 * process that recovers from a kill, from its start.
 */
export const PHASES = ["submission", "version", "recovery"] as const;
export type Phase = (typeof PHASES)[number];

export interface SweepOptions {
  template: string;
  module?: string;
  phase: Phase;
  /** The first call at which to kill, and every how many after it. */
  from: number;
  step: number;
  parallel: number;
  tell: (line: string) => void;
}

/**
 * Kills the program at one call after the other that makes something durable (rename, fsync, commit, …) while it takes
 * a small bucket in, or starts and recovers, until one passes untouched; after each kill the next process has to
 * finish the work.
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
      if (options.phase === "version") await archiveFirst(stage);
      for (let n = 0; n < POINTS_A_FOLDER && !isPassed; n++) {
        const number = next;
        next += options.step;
        if (options.phase === "version") change(stage, number);
        const name = await (options.phase === "recovery" ? killRecoveryAt : killAt)(stage, number);
        if (name === undefined) isPassed = true;
        else points++;
        const found = await stage.check();
        options.tell(
          `${options.phase}, call ${number}: ${name === undefined ? "passed untouched" : `killed at ${name}`}`,
        );
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

/** A first version, for others to follow. */
async function archiveFirst(stage: Stage): Promise<void> {
  const id = await stage.submit("first");
  const first = id === undefined ? undefined : await stage.operate(id, { retries: 0 }, REST_MS);
  stage.dataset = first?.dataset?.id;
  if (stage.dataset === undefined) throw new Error("There is no first version");
}

/** Something changes, something is new, something goes; most of it stays. */
function change(stage: Stage, number: number): void {
  const added = `folder-new/object-${number}`;
  const [gone] = stage.s3.keys(BUCKET).filter((key) => key.startsWith("folder-new/"));
  for (const key of ["folder-1/object-1", added, ...(gone === undefined ? [] : [gone])]) stage.truth.touch(key);
  stage.s3.put(BUCKET, "folder-1/object-1", `of version ${number}`);
  stage.s3.put(BUCKET, added, { seed: added, size: 900 });
  if (gone !== undefined) stage.s3.remove(BUCKET, gone);
}

/** A process that is going to be killed at its nth durable call. */
class Hunted {
  /** The call at which it was killed. */
  name: string | undefined;
  readonly #trace: Promise<Trace>;

  constructor(pid: number, number: number) {
    this.#trace = watchCalls(pid, DURABLE_CALLS, (count, call) => {
      if (count !== number) return;
      this.name = call;
      process.kill(pid, "SIGKILL");
    });
    // Told to whoever waits.
    this.#trace.catch(() => undefined);
  }

  async watched(): Promise<void> {
    await this.#trace;
  }

  async letGo(): Promise<void> {
    await (await this.#trace).detach();
  }
}

/**
 * Submits, kills at the nth durable call, starts again and lets the submission complete. Gives the name of the call, or
 * undefined when it was never reached.
 */
async function killAt(stage: Stage, number: number): Promise<string | undefined> {
  const key = `submission ${number}`;
  const name = await workUntilKilled(stage, key, number);
  if (name !== undefined) await finish(stage, key);
  return name;
}

/** The same with two kills: one half way, the other at the nth durable call of the process that comes next. */
async function killRecoveryAt(stage: Stage, number: number): Promise<string | undefined> {
  const key = `recovery ${number}`;
  if ((await workUntilKilled(stage, key, HALF_WAY)) === undefined) throw new Error("It was done before half of it");
  await stage.program?.end("SIGKILL");
  let hunted: Hunted | undefined;
  await stage.start((child) => {
    hunted = new Hunted(child.pid ?? 0, number);
  });
  await complete(stage, key);
  await hunted?.letGo();
  if (hunted?.name !== undefined) await finish(stage, key);
  return hunted?.name;
}

async function workUntilKilled(stage: Stage, key: string, number: number): Promise<string | undefined> {
  const hunted = new Hunted(stage.program?.process.pid ?? 0, number);
  await hunted.watched();
  await complete(stage, key);
  await hunted.letGo();
  return hunted.name;
}

/** It may have been killed when all was done. */
async function finish(stage: Stage, key: string): Promise<void> {
  await stage.program?.end("SIGKILL");
  await stage.start();
  await complete(stage, key);
}

/** Lets a submission complete, or the process end. */
async function complete(stage: Stage, key: string): Promise<void> {
  const id = await stage.submit(key);
  if (id !== undefined) await stage.operate(id, { retries: 0 }, REST_MS);
}
