import type { ContentWriterOptions } from "../../archive/content-writer.ts";
import type { ClockReading } from "../../archive/lease.ts";
import type { S3LinksOptions } from "../../archive/s3/links.ts";
import type { Outcome } from "../../db/chunks/outcomes.ts";
import type { SourceAccess } from "../../domain/access.ts";
import { type Code, Problem } from "../../domain/problems.ts";
import type { ListedObject } from "../../source/listing/listing.ts";
import type { FlowState } from "../../source/reading/flow.ts";
import type { EgressOptions } from "../../source/transport/egress.ts";

/** The `workerData` of a transfer thread. */
export interface TransferThreadData {
  egress: EgressOptions;
  /** Set when the archive lies in an object store. */
  s3?: S3LinksOptions | undefined;
}

/** An object to be read, as it was listed. */
export interface WantedObject extends ListedObject {
  seq: number;
  odd: boolean;
  /** Reads that came to nothing so far. */
  attempts: number;
}

/** Objects of one submission to be read and stored. Plain data: it goes to a thread. */
export interface TransferTask {
  submission: string;
  access: SourceAccess;
  writerOptions: ContentWriterOptions;
  /** When somebody last began to look, and the attempt was at work. */
  confirmed: ClockReading;
  /** Whether an ETag of this bucket has proved to be an MD5. */
  md5Proven: boolean;
  objects: WantedObject[];
}

/** Messages of a transfer thread; a call is a task. */
export interface TransferMessages {
  request: TransferTask;
  /** Why the task ended early. */
  result: Failure | undefined;
  /** A batch of outcomes is recorded, or the attempt was confirmed to be active at this time. */
  toCall: "recorded" | { confirmed: ClockReading };
  fromCall:
    | { outcomes: Outcome[] }
    /** Once a second: whether the source sends. */
    | { flow: FlowState }
    /** No object of the task is left that has not begun. */
    | "allBegun";
  /** An endpoint has asked another thread to slow down. */
  toThread: { slowDown: string };
  fromThread:
    | { slowed: string }
    /** How many requests to sources have failed since the last message, by code. */
    | { requestsFailed: ReadonlyMap<Code, number> };
}

/** Why a task ended early. `seq` is the object at which it did, where one is to blame. */
export interface Failure {
  seq?: number;
  problem?: { code: Code; message: string; retryAfter?: number };
  /** Anything that is no Problem: a fault of ours. */
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

/** A task that ended early, on the side that ordered it. */
export class TaskFailed extends Error {
  readonly seq: number | undefined;

  constructor({ seq, problem, error }: Failure) {
    const cause = problem === undefined ? error : new Problem(problem.code, problem.message, retryOf(problem));
    super("A transfer ended early", { cause });
    this.name = "TaskFailed";
    this.seq = seq;
  }
}

/** What whoever orders a task does while it runs. */
export interface TaskCallbacks {
  /** Awaited before much more is read; what was read when the task ends early is recorded too. */
  record: (outcomes: Outcome[]) => Promise<void>;
  /** Looks whether the task's attempt is still at work. */
  watch: {
    whenConfirmed(confirmed: (at: ClockReading) => void): void;
    /** Takes whether the source sends. */
    flows(flow: FlowState): void;
  };
  /** Told when none of the task's objects waits any more. */
  allBegun: () => void;
}
