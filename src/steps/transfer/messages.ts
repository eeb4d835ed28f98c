import type { ContentWriterOptions } from "../../archive/content-writer.ts";
import type { ClockReading } from "../../archive/lease.ts";
import type { S3LinksOptions } from "../../archive/s3/links.ts";
import type { OutcomeBatch } from "../../db/chunks/outcome-batch.ts";
import { type Code, Problem } from "../../domain/problems.ts";
import type { FlowState } from "../../source/reading/flow.ts";
import type { Source } from "../../source/source.ts";
import type { SourceOptions } from "../../source/sources.ts";

/** The `workerData` of a transfer thread. */
export interface TransferThreadData {
  sources: SourceOptions;
  /** Set if the archive is in an object store. */
  s3?: S3LinksOptions | undefined;
}

/** The objects of a chunk to read and store. Plain data, because it is sent to a thread. */
export interface TransferTask {
  submission: string;
  access: Source["access"];
  writerOptions: ContentWriterOptions;
  /** Start of the latest check that found the attempt active. */
  confirmed: ClockReading;
  /** Whether an ETag of this source has proved to be an MD5. */
  md5Proven: boolean;
  /** The text of the chunk, because many objects are expensive to send. Objects that are not `listed` are not read. */
  chunkText: string;
  firstSeq: number;
  /** The digests that the submitter has stated, by key; see `ObjectReading`. */
  stated: ReadonlyMap<string, Readonly<Record<string, string>>>;
}

/** Messages of a transfer thread; a call is a task. */
export interface TransferMessages {
  request: TransferTask;
  /** Why the task ended early. */
  result: Failure | undefined;
  /** A batch of outcomes is recorded, or the attempt was confirmed to be active at this time. */
  toCall: "recorded" | { confirmed: ClockReading };
  fromCall:
    | { outcomes: OutcomeBatch }
    /** Once a second: whether the source sends data. */
    | { flow: FlowState }
    /** The read of every object of the task has begun. */
    | "allBegun";
  /** An endpoint has asked another thread to slow down. */
  toThread: { slowDown: string };
  fromThread:
    | { slowed: string }
    /** Number of failed requests to sources since the last message, by code. */
    | { requestsFailed: ReadonlyMap<Code, number> };
}

/** Why a task ended early. `seq` identifies the object that caused it, if any. */
export interface Failure {
  seq?: number;
  problem?: { code: Code; message: string; retryAfter?: number };
  /** Set for any error that is not a Problem: an internal error. */
  error?: Error;
}

export function toFailure(error: unknown, seq?: number): Failure {
  const at = seq === undefined ? {} : { seq };
  if (!(error instanceof Problem)) return { ...at, error: error instanceof Error ? error : new Error(String(error)) };
  const { code, message } = error;
  return { ...at, problem: { code, message, ...retryOf(error) } };
}

function retryOf({ retryAfter }: { retryAfter?: number | undefined }): { retryAfter?: number } {
  return retryAfter === undefined ? {} : { retryAfter };
}

/** A task ended early; thrown in the thread that started it. */
export class TaskFailed extends Error {
  readonly seq: number | undefined;

  constructor({ seq, problem, error }: Failure) {
    const cause = problem === undefined ? error : new Problem(problem.code, problem.message, retryOf(problem));
    super("A transfer ended early", { cause });
    this.name = "TaskFailed";
    this.seq = seq;
  }
}

/** Callbacks of a running task. */
export interface TaskCallbacks {
  /** Records outcomes. Reading pauses while too many wait to be recorded. If the task ends early, the outcomes so far are recorded too. */
  record: (outcomes: OutcomeBatch) => Promise<void>;
  /** Checks whether the task's attempt is still active. */
  watch: {
    whenConfirmed(confirmed: (at: ClockReading) => void): void;
    /** Reports whether the source sends data. */
    flows(flow: FlowState): void;
  };
  /** Called when the read of every object has begun. */
  allBegun: () => void;
}
