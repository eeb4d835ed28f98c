import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { goodMetadata } from "../support/api/api.ts";
import type { Violation } from "../support/invariants/invariants.ts";
import { DURABLE_CALLS, type Trace, watchCalls } from "../support/program/strace.ts";
import { BUCKET, TestSystem } from "../support/program/test-system.ts";
import type { PlannedFile } from "./uploads/upload-plan.ts";
import { Uploader } from "./uploads/uploader.ts";

const OBJECTS = 12;
const FINISH_MS = 120_000;
/** A submission makes about eighty durable calls. At this one, there is state to recover and work left to do. */
const HALF_WAY = 40;
/** Number of consecutive crashes with the same data folder. */
const POINTS_PER_FOLDER = 6;

/**
 * The work at whose calls the process is killed: a submission, a submission that becomes a dataset's next version, a change
 * of a dataset's metadata, an upload with its submission, or the start and recovery of a process after a kill.
 */
export const PHASES = ["submission", "version", "revision", "upload", "recovery"] as const;
export type Phase = (typeof PHASES)[number];

export interface SweepOptions {
  template: string;
  module?: string;
  phase: Phase;
  /** The first call at which to kill, and the distance between calls. */
  from: number;
  step: number;
  parallel: number;
  print: (line: string) => void;
}

/**
 * Kills the program at each call that makes data durable (rename, fsync, commit, …) while it ingests a small bucket, or
 * starts and recovers. After each kill, the next process must finish the work. The sweep ends when the work finishes
 * before the call is reached.
 */
export async function sweep(options: SweepOptions): Promise<{ points: number; violations: Violation[] }> {
  const violations: Violation[] = [];
  let next = options.from;
  let isDone = false;
  let points = 0;
  const worker = async () => {
    while (!isDone) {
      await using system = await openStage(options);
      await system.start();
      if (options.phase === "version" || options.phase === "revision") await archiveFirst(system);
      for (let n = 0; n < POINTS_PER_FOLDER && !isDone; n++) {
        const number = next;
        next += options.step;
        if (options.phase === "version") change(system, number);
        const { name, wrong = [] } = await killIn(options.phase, system, number);
        if (name === undefined) isDone = true;
        else points++;
        const found = [...wrong, ...(await system.check())];
        options.print(
          `${options.phase}, call ${number}: ${name === undefined ? "finished before the call" : `killed at ${name}`}`,
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

/** Archives the first version of a dataset. */
async function archiveFirst(system: TestSystem): Promise<void> {
  const id = await system.submit("first");
  const first = id === undefined ? undefined : await system.runToCompletion(id, { retries: 0 }, FINISH_MS);
  system.dataset = first?.dataset?.id;
  if (system.dataset === undefined) throw new Error("The first version was not archived");
}

/** Changes one object, adds one and removes one; the others stay unchanged. */
function change(system: TestSystem, number: number): void {
  const added = `folder-new/object-${number}`;
  const [gone] = system.s3.keys(BUCKET).filter((key) => key.startsWith("folder-new/"));
  for (const key of ["folder-1/object-1", added, ...(gone === undefined ? [] : [gone])])
    system.source.recordChange(key);
  system.s3.put(BUCKET, "folder-1/object-1", `of version ${number}`);
  system.s3.put(BUCKET, added, { seed: added, size: 900 });
  if (gone !== undefined) system.s3.remove(BUCKET, gone);
}

/** Kills a process at its nth durable call. */
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
    // `attached` and `detach` report the error.
    this.#trace.catch(() => undefined);
  }

  async attached(): Promise<void> {
    await this.#trace;
  }

  async detach(): Promise<void> {
    await (await this.#trace).detach();
  }
}

/** What a kill left. `name` is the call; undefined if it was not reached. */
interface Killed {
  name: string | undefined;
  wrong?: Violation[];
}

async function killIn(phase: Phase, system: TestSystem, number: number): Promise<Killed> {
  if (phase === "revision") return killRevisionAt(system, number);
  if (phase === "upload") return killUploadAt(system, number);
  return { name: await (phase === "recovery" ? killRecoveryAt : killAt)(system, number) };
}

/**
 * Changes the metadata and kills at the nth durable call. The next process must have the old or the new metadata, and must
 * finish or accept the change.
 */
async function killRevisionAt(system: TestSystem, number: number): Promise<Killed> {
  const before = await metadataOf(system);
  const title = `Title of change ${number}`;
  const target = new KillTarget(system.program?.process.pid ?? 0, number);
  await target.attached();
  await changeTitle(system, title);
  await target.detach();
  if (target.name === undefined) return { name: undefined };
  await system.program?.end("SIGKILL");
  await system.start();
  const wrong: Violation[] = [];
  const left = await metadataOf(system);
  const isOneState = left === title || left === before;
  if (!isOneState) wrong.push({ invariant: "no partial datasets", detail: `the title is “${left}” after the kill` });
  await changeTitle(system, title);
  await stagingIsEmpty(system);
  const now = await metadataOf(system);
  if (now !== title) wrong.push({ invariant: "nothing hangs", detail: `the title is still “${now}”` });
  return { name: target.name, wrong };
}

async function metadataOf(system: TestSystem): Promise<string> {
  return (await system.program?.api.get(`/dataset/${system.dataset}/metadata`))?.json.metadata.title;
}

/** Waits until the service has removed what an interrupted change left. */
async function stagingIsEmpty(system: TestSystem): Promise<void> {
  const staging = join(system.data, "archive", "staging");
  for (let rounds = 0; rounds < 100 && (await readdir(staging)).length > 0; rounds++) await sleep(100);
}

/** Repeats the change until it is archived, or the process has ended. */
async function changeTitle(system: TestSystem, title: string): Promise<void> {
  for (const end = Date.now() + FINISH_MS; system.isRunning && Date.now() < end; await sleep(40)) {
    const answer = await system.program?.api
      .send(`/dataset/${system.dataset}/metadata`, {
        method: "PUT",
        body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
        headers: { "content-type": "application/json", "if-match": "*" },
      })
      .catch(() => undefined);
    if (answer?.status === 200) return;
  }
}

/**
 * Submits, kills at the nth durable call, starts again and waits until the submission is completed. Returns the name of the
 * call, or undefined if it was not reached.
 */
async function killAt(system: TestSystem, number: number): Promise<string | undefined> {
  const key = `submission ${number}`;
  const name = await workUntilKilled(system, key, number);
  if (name !== undefined) await finish(system, key);
  return name;
}

/** Files in a batch, in one and several requests and in parts, one whose digest is stated when it has arrived, one that is replaced, and one that has wrong bytes at first. */
const UPLOADED: PlannedFile[] = [
  ...Array.from({ length: 6 }, (_, i) => ({ path: `small-${i}`, size: i * 100, by: "batch" as const })),
  { path: "in-one-request", size: 40_000, by: { requestBytes: 40_000 } },
  { path: "in-three", size: 1_500_000, by: { requestBytes: 600_000 } },
  { path: "in-parts", size: 30_000, by: { parts: 2 } },
  { path: "stated-later", size: 20_000, by: { requestBytes: 20_000 }, digest: "later" as const },
  { path: "replaced", size: 5_000, by: { requestBytes: 5_000 }, fate: "replaced" as const },
  { path: "damaged", size: 5_000, by: { requestBytes: 5_000 }, fate: "damaged" as const },
].map((file) => ({ digest: "stated", cut: [], fate: "sent", ...file }));

/** Uploads files and submits them, with a kill at the nth durable call. The next process must have all that was acknowledged. */
async function killUploadAt(system: TestSystem, number: number): Promise<Killed> {
  const uploader = new Uploader(system, "sweep", UPLOADED);
  const work = async () => {
    const id = await uploader.send(FINISH_MS);
    if (id === undefined) return;
    system.upload = { id, files: uploader.expected() };
    await complete(system, `upload ${number}`);
  };
  const target = new KillTarget(system.program?.process.pid ?? 0, number);
  await target.attached();
  await work();
  await target.detach();
  if (target.name !== undefined) {
    await system.program?.end("SIGKILL");
    await system.start();
    await work();
  }
  return { name: target.name, wrong: uploader.violations };
}

/** Like {@link killAt}, with two kills: one half way, and one at the nth durable call of the next process. */
async function killRecoveryAt(system: TestSystem, number: number): Promise<string | undefined> {
  const key = `recovery ${number}`;
  if ((await workUntilKilled(system, key, HALF_WAY)) === undefined)
    throw new Error("The submission completed before the first kill");
  await system.program?.end("SIGKILL");
  let target: KillTarget | undefined;
  await system.start((child) => {
    target = new KillTarget(child.pid ?? 0, number);
  });
  await complete(system, key);
  await target?.detach();
  if (target?.name !== undefined) await finish(system, key);
  return target?.name;
}

async function workUntilKilled(system: TestSystem, key: string, number: number): Promise<string | undefined> {
  const target = new KillTarget(system.program?.process.pid ?? 0, number);
  await target.attached();
  await complete(system, key);
  await target.detach();
  return target.name;
}

/** Starts a new process and waits until the submission is completed. */
async function finish(system: TestSystem, key: string): Promise<void> {
  await system.program?.end("SIGKILL");
  await system.start();
  await complete(system, key);
}

/** Waits until a submission is completed or the process has ended. */
async function complete(system: TestSystem, key: string): Promise<void> {
  const id = await system.submit(key);
  if (id !== undefined) await system.runToCompletion(id, { retries: 0 }, FINISH_MS);
}
