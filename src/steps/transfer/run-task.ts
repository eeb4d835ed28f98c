import { openContentWriter } from "../../archive/content-writer.ts";
import type { Lease } from "../../archive/lease.ts";
import type { S3Links } from "../../archive/s3/links.ts";
import { readObject, splitLines } from "../../db/chunks/chunk-text.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { type Outcome, type OutcomeBatch, OutcomeCollector } from "../../db/chunks/outcome-batch.ts";
import { inMessage } from "../../domain/in-message.ts";
import { Problem } from "../../domain/problems.ts";
import { SOURCE_SILENT_MS } from "../../domain/source-access/source-time-limits.ts";
import type { FileHashers } from "../../source/reading/file-hashers.ts";
import { Flow, type FlowState } from "../../source/reading/flow.ts";
import type { Buffers } from "../../source/reading/read-buffers.ts";
import type { Sources } from "../../source/sources.ts";
import { mayBeOfObject } from "./may-be-of-object.ts";
import type { TransferTask } from "./messages.ts";
import { storeObject } from "./store-object.ts";

/** Objects of one task that are read in parallel or wait for a request slot. The pace limits the number of parallel requests. */
const WIDTH = 64;
/** Size of a batch of outcomes. Each record updates the whole chunk, so it is done rarely: once for a fast chunk, once a second for a slow one. */
const BATCH_OBJECTS = 2_000;
const BATCH_INTERVAL_MS = 1_000;
/** Maximum number of unrecorded batches. Reading pauses at this limit, which bounds how much work a crash can lose. */
const UNRECORDED_BATCHES = 2;
/** Failed reads after which an object counts as unreadable. Each read includes several tries, and between reads the source has answered a probe. */
const READS_BEFORE_BLAME = 3;

/** Resources shared by all tasks of a thread. */
export interface ThreadResources {
  sources: Sources;
  hashers: FileHashers;
  buffers: Buffers;
  links: S3Links;
}

/** Ends a task early; names the object that caused it. */
export class TaskAborted extends Error {
  readonly seq: number;

  constructor(seq: number, cause: unknown) {
    super("An object could not be read", { cause });
    this.seq = seq;
  }
}

/** Collects the outcomes of a task in batches to be recorded. */
export class OutcomeBatches {
  readonly #send: (outcomes: OutcomeBatch) => void;
  readonly #batch = new OutcomeCollector();
  #unrecorded = 0;
  #timer: NodeJS.Timeout | undefined;
  #waiting: (() => void)[] = [];

  constructor(send: (outcomes: OutcomeBatch) => void) {
    this.#send = send;
  }

  /** @param object the object as it was listed */
  add(object: ObjectRecord, outcome: Outcome): void {
    this.#batch.add(object, outcome);
    if (this.#batch.count >= BATCH_OBJECTS) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), BATCH_INTERVAL_MS);
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#batch.count === 0) return;
    this.#unrecorded++;
    this.#send(this.#batch.take());
  }

  /** A batch is recorded. */
  recorded(): void {
    this.#unrecorded--;
    for (const go of this.#waiting.splice(0)) go();
  }

  /** Resolves when more outcomes may be added. Returns undefined, usually, if that is now. */
  waitForCapacity(): Promise<void> | undefined {
    if (this.#unrecorded < UNRECORDED_BATCHES) return undefined;
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/**
 * Reads and stores the objects of a task in parallel, starting them in order. The first problem that does not concern a
 * single object ends the task.
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
  const source = tools.sources.open(task.access);
  const target = {
    writer: await openContentWriter(task.writerOptions, tools.links, lease),
    hashers: tools.hashers,
    buffers: tools.buffers,
    md5Proven: task.md5Proven,
  };
  const failed = new AbortController();
  const stop = AbortSignal.any([signal, failed.signal]);
  const lines = splitLines(task.chunkText);
  const rest = wantedObjects(lines, task.firstSeq);
  let failure: TaskAborted | undefined;
  const flow = new Flow();
  /** The object that each worker reads. */
  const begun: (ObjectRecord | undefined)[] = [];
  // Otherwise, with few parallel requests, each object of a silent source would use up its own timeout, one after the other.
  const unwatch = flow.watch(flows, () => {
    // Objects begin in the order of their numbers, so the lowest one has waited longest.
    const first = begun.reduce((low, object) => (object && !(low && low.seq < object.seq) ? object : low), undefined);
    const minutes = SOURCE_SILENT_MS / 60_000;
    const silent = new Problem("connection_timeout", `${source.name} has sent nothing for ${minutes} minutes`);
    if (first !== undefined) failure ??= new TaskAborted(first.seq, silent);
    failed.abort(silent);
  });
  const work = async (worker: number) => {
    for (const object of rest) {
      for (let full = batches.waitForCapacity(); full !== undefined; full = batches.waitForCapacity()) await full;
      if (stop.aborted) return;
      begun[worker] = object;
      try {
        const stated = task.stated.get(object.key);
        const reading = { source, object, signal: stop, owner: task.submission, stated, flow };
        batches.add(object, await storeObject(reading, target));
      } catch (error) {
        // A read that was aborted here proves nothing about its object.
        const outcome = stop.aborted ? undefined : blame(object, error);
        if (outcome !== undefined) batches.add(object, outcome);
        else {
          failure ??= new TaskAborted(object.seq, error);
          failed.abort(error);
        }
      } finally {
        begun[worker] = undefined;
      }
    }
  };
  const workers = Array.from({ length: Math.min(WIDTH, lines.length) }, (_, worker) => work(worker));
  Promise.race(workers).then(allBegun);
  await Promise.all(workers).finally(unwatch);
  batches.flush();
  signal.throwIfAborted();
  if (failure !== undefined) throw failure;
}

/** The objects to read, in order. Each is parsed when it is needed. */
function* wantedObjects(lines: readonly string[], firstSeq: number): Generator<ObjectRecord> {
  for (const [index, line] of lines.entries()) {
    const object = readObject(line, firstSeq + index);
    if (object.state === "listed") yield object;
  }
}

/**
 * An object counts as unreadable if its reads fail repeatedly although the bucket answers probes in between. Until then the
 * cause is attributed to the source as a whole.
 */
function blame(object: ObjectRecord, error: unknown): Outcome | undefined {
  if (!mayBeOfObject(error)) return undefined;
  if (object.attempts + 1 < READS_BEFORE_BLAME) return undefined;
  const { message } = new Problem("object_unreadable", `“${inMessage(object.key)}” cannot be read: ${error.message}`);
  return { seq: object.seq, state: "failed", error: { code: "object_unreadable", message } };
}
