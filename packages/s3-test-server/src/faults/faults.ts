import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { errorReply, S3Error } from "../http/errors.ts";
import type { RawRequest } from "../http/raw-request.ts";
import type { Bend, Reply } from "../http/reply.ts";
import type { Operation } from "../operations/operations.ts";

/** Which requests a fault meets. What is left out matches everything. */
export interface FaultMatch {
  operation?: Operation;
  bucket?: string;
  key?: string | RegExp;
  /** Starts with the nth match, counted from 1; alone, it is that one only. */
  nth?: number;
  /** Ends after so many. */
  times?: number;
}

/**
 * What goes wrong. Members can be combined; they act in the order in which they stand here. (The callback is not
 * called `then`, because an object with a `then` would pass for a promise.)
 */
export interface Fault extends Bend {
  /** Waits so many milliseconds. */
  delay?: number;
  /** Runs before the request is looked at, for instance to overwrite an object in mid-run. */
  run?: () => void | Promise<void>;
  /** Closes the connection with RST, without an answer. */
  resetBefore?: true;
  /** Says nothing, not even headers, for so many milliseconds and then closes; `"forever"` never closes. */
  stall?: number | "forever";
  /** Answers with an S3 error of this code; without a code, an empty body. With `body`, the status of that. */
  status?: number;
  code?: string;
  message?: string;
  /** Answers with these bytes instead. */
  body?: string | Buffer;
  /** Of `body`; default text/html. */
  contentType?: string;
  /** Added to the answer, whatever it is; an empty value takes a header away. */
  headers?: Record<string, string>;
  /** Changes the answer itself. */
  rewrite?: (reply: Reply) => void;
  /** How the sending goes wrong where that depends on the answer, on its length for instance. */
  bendBy?: (reply: Reply) => Bend;
}

/** A fault and the requests that it meets. */
export interface FaultRule {
  match?: FaultMatch;
  fault: Fault;
}

export const merged = (one: Fault | undefined, other: Fault | undefined): Fault | undefined =>
  other === undefined ? one : { ...one, ...other };

export function matches(match: FaultMatch, request: RawRequest, operation: Operation): boolean {
  if (match.operation !== undefined && match.operation !== operation) return false;
  if (match.bucket !== undefined && match.bucket !== request.bucket) return false;
  if (match.key === undefined) return true;
  return typeof match.key === "string" ? match.key === request.key : match.key.test(request.key);
}

/** Acts before the request is looked at. Returns false when there shall be no answer. */
export async function actBefore(fault: Fault, response: ServerResponse, stopped: AbortSignal): Promise<boolean> {
  if (fault.delay !== undefined) await pause(fault.delay, stopped);
  await fault.run?.();
  if (fault.resetBefore) {
    response.socket?.resetAndDestroy();
    return false;
  }
  if (fault.stall === undefined) return true;
  if (fault.stall !== "forever") {
    await pause(fault.stall, stopped);
    response.socket?.destroy();
  }
  return false;
}

/** The answer that a fault puts in place of the real one, if it does. */
export function replacement(fault: Fault, resource: string, requestId: string): Reply | undefined {
  if (fault.body !== undefined) {
    const headers = { "content-type": fault.contentType ?? "text/html" };
    return { status: fault.status ?? 200, headers, body: Buffer.from(fault.body) };
  }
  if (fault.status === undefined) return undefined;
  if (fault.code === undefined) return { status: fault.status, headers: {}, body: Buffer.alloc(0) };
  return errorReply(new S3Error(fault.status, fault.code, fault.message ?? fault.code), resource, requestId);
}

/** Changes the answer as told; adds, replaces and takes away headers. */
export function bendReply(fault: Fault, reply: Reply): void {
  fault.rewrite?.(reply);
  for (const [name, value] of Object.entries(fault.headers ?? {})) {
    if (value === "") delete reply.headers[name.toLowerCase()];
    else reply.headers[name.toLowerCase()] = value;
  }
}

/** The part of a fault that concerns the sending; undefined keeps the server on its quick path. */
export function bendOf(fault: Fault, reply: Reply): Bend | undefined {
  const bend = { ...fault, ...fault.bendBy?.(reply) };
  const { cutAfter, stallAfter, flipByte, wrongLength, withoutLength, withoutLastChunk } = bend;
  const bends = cutAfter ?? stallAfter ?? flipByte ?? wrongLength ?? withoutLength ?? withoutLastChunk;
  return bends === undefined ? undefined : bend;
}

async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  // Stopping the server ends every pause; what is left of the request goes down with its connection.
  await sleep(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
}
