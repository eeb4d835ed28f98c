import { openContentWriter } from "../../archive/content-writer.ts";
import type { Lease } from "../../archive/lease.ts";
import type { S3Links } from "../../archive/s3/links.ts";
import type { Outcome } from "../../db/chunks/outcomes.ts";
import { Problem } from "../../domain/problems.ts";
import { SOURCE_SILENT_MS } from "../../domain/source-time-limits.ts";
import type { AdaptiveConcurrency } from "../../source/reading/adaptive-concurrency.ts";
import type { FileHashers } from "../../source/reading/file-hashers.ts";
import { Flow, type FlowState } from "../../source/reading/flow.ts";
import type { Buffers } from "../../source/reading/read-buffers.ts";
import { Source } from "../../source/source.ts";
import type { Egress } from "../../source/transport/egress.ts";
import { plain } from "../../source/transport/errors.ts";
import type { TransferTask, WantedObject } from "./messages.ts";
import { storeObject } from "./store-object.ts";

/** Objects of one task that wait or are read at the same time; how many requests there really are is up to the pace. */
const WIDTH = 64;
/** A chunk is recorded as a whole, so as seldom as may be: a quick one once, a slow one once a second. */
const BATCH_OBJECTS = 1_000;
const BATCH_INTERVAL_MS = 1_000;
/** Batches that are not recorded yet: with more, the reading waits. It bounds what a crash can cost. */
const UNRECORDED_BATCHES = 2;
/** Each of these is several tries by itself, and between them the bucket has answered a probe. */
const READS_BEFORE_BLAME = 3;

/** What all tasks of a thread share. */
export interface ThreadResources {
  egress: Egress;
  hashers: FileHashers;
  buffers: Buffers;
  links: S3Links;
  paceOf(endpoint: string): AdaptiveConcurrency;
}

/** Why a task ends early, and the object at which it does. */
export class TaskAborted extends Error {
  readonly seq: number;

  constructor(seq: number, cause: unknown) {
    super("An object could not be read", { cause });
    this.seq = seq;
  }
}

/** The outcomes of a task on their way to be recorded, in batches. */
export class OutcomeBatches {
  readonly #send: (outcomes: Outcome[]) => void;
  #batch: Outcome[] = [];
  #unrecorded = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  constructor(send: (outcomes: Outcome[]) => void) {
    this.#send = send;
  }

  add(outcome: Outcome): void {
    this.#batch.push(outcome);
    if (this.#batch.length >= BATCH_OBJECTS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_INTERVAL_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#batch.length === 0) return;
    this.#unrecorded++;
    this.#send(this.#batch);
    this.#batch = [];
  }

  /** A batch is recorded. */
  recorded(): void {
    this.#unrecorded--;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Resolves when there is room for more; at once, and without a promise, most of the time. */
  waitForCapacity(): Promise<void> | undefined {
    if (this.#unrecorded < UNRECORDED_BATCHES) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/**
 * Reads and stores the objects of a task, in their order and side by side. The first failure that is not an object's
 * own ends the others too.
 *
 * @throws TaskAborted; the signal's reason
 */
export async function runTask(
  task: TransferTask,
  tools: ThreadResources,
  {
    batches,
    lease,
    allBegun,
    flows,
  }: { batches: OutcomeBatches; lease: Lease; allBegun: () => void; flows: (state: FlowState) => void },
  signal: AbortSignal,
): Promise<void> {
  const source = new Source(task.access, tools.egress);
  const pace = tools.paceOf(source.origin.origin);
  const target = {
    writer: await openContentWriter(task.writerOptions, tools.links, lease),
    hashers: tools.hashers,
    buffers: tools.buffers,
    md5Proven: task.md5Proven,
  };
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const rest = task.objects.values();
  let failure: TaskAborted | undefined;
  const flow = new Flow();
  const begun = new Set<WantedObject>();
  // With few places at a time, objects of a silent source would be waited for one after the other.
  const unwatch = flow.watch(flows, () => {
    const [first] = begun;
    const minutes = SOURCE_SILENT_MS / 60_000;
    const silent = new Problem("connection_timeout", `${source.origin.host} has sent nothing for ${minutes} minutes`);
    if (first !== undefined) failure ??= new TaskAborted(first.seq, silent);
    failed.abort(silent);
  });
  const worker = async () => {
    for (const object of rest) {
      for (let full = batches.waitForCapacity(); full !== undefined; full = batches.waitForCapacity()) await full;
      if (stop.aborted) return;
      begun.add(object);
      try {
        batches.add(await storeObject({ source, object, signal: stop, pace, owner: task.submission, flow }, target));
      } catch (error) {
        // A read that was broken off here says nothing about its object.
        const outcome = stop.aborted ? undefined : blame(object, error);
        if (outcome !== undefined) batches.add(outcome);
        else {
          failure ??= new TaskAborted(object.seq, error);
          failed.abort(error);
        }
      } finally {
        begun.delete(object);
      }
    }
  };
  const workers = Array.from({ length: Math.min(WIDTH, task.objects.length) }, worker);
  Promise.race(workers).then(allBegun);
  await Promise.all(workers).finally(unwatch);
  batches.flush();
  signal.throwIfAborted();
  if (failure !== undefined) throw failure;
}

/**
 * An object whose reads break off again and again, while the bucket itself answers in between, is unreadable; until
 * then the source as a whole is at fault. A server that asks to slow down says nothing about an object.
 */
function blame(object: WantedObject, error: unknown): Outcome | undefined {
  if (!(error instanceof Problem) || !error.retryable || error.code === "slow_down") return undefined;
  if (object.attempts + 1 < READS_BEFORE_BLAME) return undefined;
  const { message } = new Problem("object_unreadable", `“${plain(object.key)}” cannot be read: ${error.message}`);
  return { seq: object.seq, state: "failed", error: { code: "object_unreadable", message } };
}
