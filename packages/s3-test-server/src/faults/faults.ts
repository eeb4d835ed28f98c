import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { errorReply, S3Error } from "../http/errors.ts";
import type { RawRequest } from "../http/raw-request.ts";
import type { Reply, ResponseFault } from "../http/reply.ts";
import type { Operation } from "../operations/operations.ts";

/** The requests to which a fault applies. Omitted members match everything. */
export interface FaultMatch {
  operation?: Operation;
  bucket?: string;
  key?: string | RegExp;
  /** Starts with the nth match, counted from 1; without `times` it applies only once. */
  nth?: number;
  /** Ends after this number of matches. */
  times?: number;
}

/**
 * A fault. Members can be combined and take effect in the order below. (The callback is not called `then`, because an
 * object with a `then` would count as a promise.)
 */
export interface Fault extends ResponseFault {
  /** Waits this number of milliseconds. */
  delay?: number;
  /** Runs before the request is processed, for instance to overwrite an object during a transfer. */
  run?: () => void | Promise<void>;
  /** Closes the connection with RST, without a response. */
  resetBefore?: true;
  /** Sends nothing, not even headers, for this number of milliseconds and then closes; `"forever"` never closes. */
  stall?: number | "forever";
  /**
   * Answers with an S3 error of this code; without a code, with an empty body. With `body`, the status of that
   * response.
   */
  status?: number;
  code?: string;
  message?: string;
  /** Answers with these bytes instead. */
  body?: string | Buffer;
  /** The type of `body`; default text/html. */
  contentType?: string;
  /** Added to any response. An empty value removes a header. */
  headers?: Record<string, string>;
  /** Changes the response itself. */
  rewrite?: (reply: Reply) => void;
  /** Faults of the sending that depend on the response, for instance on its length. */
  responseFaultFor?: (reply: Reply) => ResponseFault;
}

/** A fault and the requests to which it applies. */
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

/** Applies the part of a fault that precedes the request. Returns false if there must be no response. */
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

/** The response with which a fault replaces the real one, if it does. */
export function replacement(fault: Fault, resource: string, requestId: string): Reply | undefined {
  if (fault.body !== undefined) {
    const headers = { "content-type": fault.contentType ?? "text/html" };
    return { status: fault.status ?? 200, headers, body: Buffer.from(fault.body) };
  }
  if (fault.status === undefined) return undefined;
  if (fault.code === undefined) return { status: fault.status, headers: {}, body: Buffer.alloc(0) };
  return errorReply(new S3Error(fault.status, fault.code, fault.message ?? fault.code), resource, requestId);
}

/** Changes the response; adds, replaces and removes headers. */
export function changeReply(fault: Fault, reply: Reply): void {
  fault.rewrite?.(reply);
  for (const [name, value] of Object.entries(fault.headers ?? {})) {
    if (value === "") delete reply.headers[name.toLowerCase()];
    else reply.headers[name.toLowerCase()] = value;
  }
}

/** The part of a fault that concerns the sending. Undefined keeps the server on its fast path. */
export function responseFaultOf(fault: Fault, reply: Reply): ResponseFault | undefined {
  const combined = { ...fault, ...fault.responseFaultFor?.(reply) };
  const { cutAfter, stallAfter, flipByte, wrongLength, withoutLength, withoutLastChunk } = combined;
  const isAny = cutAfter ?? stallAfter ?? flipByte ?? wrongLength ?? withoutLength ?? withoutLastChunk;
  return isAny === undefined ? undefined : combined;
}

async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  // Stopping the server ends every pause. The request ends with its connection.
  await sleep(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
}
