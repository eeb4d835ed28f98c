import type { Violation } from "../support/invariants/invariants.ts";
import { DURABLE_CALLS, type Trace, watchCalls } from "../support/program/strace.ts";
import { BUCKET, TestSystem } from "../support/program/test-system.ts";

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
  print: (line: string) => void;
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
      await using system = await openStage(options);
      await system.start();
      if (options.phase === "version") await archiveFirst(system);
      for (let n = 0; n < POINTS_A_FOLDER && !isPassed; n++) {
        const number = next;
        next += options.step;
        if (options.phase === "version") change(system, number);
        const name = await (options.phase === "recovery" ? killRecoveryAt : killAt)(system, number);
        if (name === undefined) isPassed = true;
        else points++;
        const found = await system.check();
        options.print(
          `${options.phase}, call ${number}: ${name === undefined ? "passed untouched" : `killed at ${name}`}`,
        );
        for (const { invariant, detail } of found) options.print(`  VIOLATED ${invariant}: ${detail}`);
        violations.push(...found);
        if (found.length > 0) {
          options.print(`  kept in ${system.folder}`);
          system.keep = true;
          break;
        }
      }
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, worker));
  return { points, violations };
}

async function openStage(options: SweepOptions): Promise<TestSystem> {
  const { template, module } = options;
  const system = await TestSystem.open({ template, ...(module !== undefined && { module }) });
  for (let i = 0; i < OBJECTS; i++)
    system.s3.put(BUCKET, `folder-${i % 3}/object-${i}`, { seed: `${i}`, size: i * 100 });
  system.s3.put(BUCKET, "large", { seed: "large", size: 1_500_000 });
  return system;
}

/** A first version, for others to follow. */
async function archiveFirst(system: TestSystem): Promise<void> {
  const id = await system.submit("first");
  const first = id === undefined ? undefined : await system.runToCompletion(id, { retries: 0 }, REST_MS);
  system.dataset = first?.dataset?.id;
  if (system.dataset === undefined) throw new Error("There is no first version");
}

/** Something changes, something is new, something goes; most of it stays. */
function change(system: TestSystem, number: number): void {
  const added = `folder-new/object-${number}`;
  const [gone] = system.s3.keys(BUCKET).filter((key) => key.startsWith("folder-new/"));
  for (const key of ["folder-1/object-1", added, ...(gone === undefined ? [] : [gone])])
    system.source.recordChange(key);
  system.s3.put(BUCKET, "folder-1/object-1", `of version ${number}`);
  system.s3.put(BUCKET, added, { seed: added, size: 900 });
  if (gone !== undefined) system.s3.remove(BUCKET, gone);
}

/** A process that is going to be killed at its nth durable call. */
class KillTarget {
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

  async attached(): Promise<void> {
    await this.#trace;
  }

  async detach(): Promise<void> {
    await (await this.#trace).detach();
  }
}

/**
 * Submits, kills at the nth durable call, starts again and lets the submission complete. Gives the name of the call, or
 * undefined when it was never reached.
 */
async function killAt(system: TestSystem, number: number): Promise<string | undefined> {
  const key = `submission ${number}`;
  const name = await workUntilKilled(system, key, number);
  if (name !== undefined) await finish(system, key);
  return name;
}

/** The same with two kills: one half way, the other at the nth durable call of the process that comes next. */
async function killRecoveryAt(system: TestSystem, number: number): Promise<string | undefined> {
  const key = `recovery ${number}`;
  if ((await workUntilKilled(system, key, HALF_WAY)) === undefined) throw new Error("It was done before half of it");
  await system.program?.end("SIGKILL");
  let hunted: KillTarget | undefined;
  await system.start((child) => {
    hunted = new KillTarget(child.pid ?? 0, number);
  });
  await complete(system, key);
  await hunted?.detach();
  if (hunted?.name !== undefined) await finish(system, key);
  return hunted?.name;
}

async function workUntilKilled(system: TestSystem, key: string, number: number): Promise<string | undefined> {
  const hunted = new KillTarget(system.program?.process.pid ?? 0, number);
  await hunted.attached();
  await complete(system, key);
  await hunted.detach();
  return hunted.name;
}

/** It may have been killed when all was done. */
async function finish(system: TestSystem, key: string): Promise<void> {
  await system.program?.end("SIGKILL");
  await system.start();
  await complete(system, key);
}

/** Lets a submission complete, or the process end. */
async function complete(system: TestSystem, key: string): Promise<void> {
  const id = await system.submit(key);
  if (id !== undefined) await system.runToCompletion(id, { retries: 0 }, REST_MS);
}
