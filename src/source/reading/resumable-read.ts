import { setTimeout as sleep } from "node:timers/promises";
import { Problem } from "../../domain/problems.ts";
import type { ListedObject } from "../listing/listing.ts";
import { pauseMs } from "../listing/pages.ts";
import type { Source } from "../source.ts";
import { plain } from "../transport/errors.ts";
import type { ReplyHead } from "../transport/http-exchange.ts";
import type { Flow } from "../transport/stall-detector.ts";
import type { AdaptiveConcurrency } from "./adaptive-concurrency.ts";

/** Failures in a row without a single new byte after which a span is given up. */
const TRIES = 5;
/** Seldom more than a few requests meet a server that is slow; then all of them do. */
const slowCodes = new Set(["slow_down", "connection_timeout"]);

/** What reading is done with. */
export interface Reading {
  source: Source;
  object: ListedObject;
  signal: AbortSignal;
  pace: AdaptiveConcurrency;
  /** Who waits for a turn with the pace. */
  owner: string;
  /** Notified of requests and received bytes. */
  flow?: Flow;
}

/** Bytes `[at, end)` of an object that are still to come; `at` moves as they come. */
export interface Span {
  at: number;
  end: number;
  /** Asked for as a range even where it is all of the object. */
  isRange?: true;
}

/** What is told of a span, in order: the head of each reply, which may widen the span, then bytes that have come. */
export interface SpanTaker {
  begin(head: ReplyHead): void;
  /** `span.at` has moved behind the chunk already. */
  take(at: number, chunk: Uint8Array): void;
}

/**
 * Reads a span with one request, or with more where the body breaks off: it is taken up at the byte where it broke, if
 * the object is still the same. Without a precondition the rest might be another object's, so nothing is taken up then.
 * A reply counts once its framing is complete (RFC 9112, section 8): the last byte is read again otherwise.
 *
 * @param tries failures in a row without a new byte after which it is given up
 * @throws Problem; what the taker throws; the signal's reason
 */
export async function readResumably(reading: Reading, span: Span, taker: SpanTaker, tries = TRIES): Promise<void> {
  const { object, pace, signal, flow } = reading;
  let isAsked = false;
  // Waiting for a turn is no silence of the source's; the pause before another try is.
  const entered = () => {
    if (!isAsked) flow?.asked();
    isAsked = true;
  };
  try {
    for (let failures = 0; ; ) {
      const before = span.at;
      const failure = await attempt(reading, span, taker, entered);
      if (failure === undefined) return;
      const began = span.at > 0 || failure.began;
      if (failure.problem.code !== "connection_timeout") flow?.heard();
      if (!failure.problem.retryable || (began && !isConditional(object))) throw failure.problem;
      if (slowCodes.has(failure.problem.code)) pace.slowDown();
      failures = span.at > before ? 1 : failures + 1;
      if (failures >= tries) throw failure.final ?? failure.problem;
      await sleep(pauseMs(failures, failure.problem.retryAfter), undefined, { signal });
    }
  } finally {
    if (isAsked) flow?.answered();
  }
}

/** What broke a request off. */
interface Failure {
  problem: Problem;
  /** Whether the reply had begun. */
  began: boolean;
  /** The problem to report if every attempt ends like this. */
  final?: Problem;
}

/** One request for what is left of the span; gives what broke it off, unless that is final. */
async function attempt(
  reading: Reading,
  span: Span,
  taker: SpanTaker,
  entered: () => void,
): Promise<Failure | undefined> {
  const { source, object, signal, pace, owner, flow } = reading;
  const from = span.at;
  let head: ReplyHead | undefined;
  let ours: unknown;
  // A server that does not know ranges sends again what is already here.
  let known = 0;
  // The last byte, until the reply is complete: whatever breaks it off before is then taken up here.
  let last: Uint8Array | undefined;
  const begin = (reply: ReplyHead) => {
    head = reply;
    checkReply(object, reply, span);
    known = reply.status === 206 ? 0 : from;
    taker.begin(reply);
  };
  const take = (all: Uint8Array) => {
    const fresh = all.subarray(known);
    known -= all.length - fresh.length;
    const room = span.end - span.at - (last?.length ?? 0);
    if (fresh.length > room && (span.end === object.bytes || head?.status === 206)) {
      throw wrongLength(object, `more than the ${object.bytes} bytes that were listed`);
    }
    const chunk = fresh.subarray(0, room);
    if (chunk.length < room) return pass(chunk);
    if (room === 0) return;
    last = Uint8Array.of(chunk[room - 1] ?? 0);
    pass(chunk.subarray(0, -1));
  };
  const pass = (chunk: Uint8Array) => {
    if (chunk.length === 0) return;
    const at = span.at;
    span.at += chunk.length;
    taker.take(at, chunk);
  };
  await pace.enter(owner, signal);
  entered();
  try {
    await source.stream(request(object, span, signal), {
      begin: (reply) => {
        flow?.heard();
        guarded(() => begin(reply));
      },
      take: (chunk) => {
        flow?.heard();
        guarded(() => take(chunk));
      },
    });
    if (last !== undefined) guarded(() => pass(last as Uint8Array));
  } catch (error) {
    if (ours !== undefined) throw ours;
    signal.throwIfAborted();
    if (!(error instanceof Problem)) throw error;
    return { problem: error, began: head !== undefined };
  } finally {
    pace.leave(span.at - from);
  }
  if (span.at === span.end) return undefined;
  const wrong = wrongLength(object, `${span.at} of the ${object.bytes} bytes that were listed`);
  const { headers } = head ?? { headers: {} };
  if ("content-length" in headers || "transfer-encoding" in headers) throw wrong;
  // The end of the connection is the end of such a body, also where the connection broke.
  const problem = source.failed(new Problem("connection_reset", `The connection to ${source.origin.host} ended early`));
  return { problem, began: true, final: wrong };

  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      ours = error;
      throw error;
    }
  }
}

function request(object: ListedObject, span: Span, signal: AbortSignal): Parameters<Source["stream"]>[0] {
  const isWhole = span.at === 0 && span.end === object.bytes && (span.isRange === undefined || object.bytes === 0);
  const last = span.end === object.bytes ? "" : span.end - 1;
  return {
    operation: "read",
    key: object.key,
    headers: {
      "x-amz-checksum-mode": "ENABLED",
      ...ifMatch(object),
      ...(!isWhole && { range: `bytes=${span.at}-${last}` }),
    },
    signal,
  };
}

/** A server that does not know If-Match still says which ETag it sends. */
function checkReply(object: ListedObject, reply: ReplyHead, span: Span): void {
  const etag = reply.headers.etag;
  if (object.etag !== null && etag !== undefined && bare(etag) !== bare(object.etag)) {
    throw new Problem("object_changed", `“${plain(object.key)}” was overwritten after it was listed`);
  }
  const coding = reply.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    throw new Problem(
      "object_unreadable",
      `The server sends “${plain(object.key)}” in a transfer coding that is not known`,
    );
  }
  const isPart = reply.status === 206;
  const range = reply.headers["content-range"];
  if (isPart && !range?.startsWith(`bytes ${span.at}-`)) {
    throw new Problem("object_unreadable", `The server does not send “${plain(object.key)}” from byte ${span.at} on`);
  }
  const total = isPart ? Number(/\/(\d+)$/.exec(range ?? "")?.[1] ?? object.bytes) : object.bytes;
  if (total !== object.bytes)
    throw wrongLength(object, `${total} bytes instead of the ${object.bytes} that were listed`);
  const length = reply.headers["content-length"];
  const expected = isPart ? span.end - span.at : object.bytes;
  if (length !== undefined && Number(length) !== expected) {
    throw wrongLength(object, `${Number(length)} bytes instead of the ${expected} that were asked for`);
  }
}

/** Whether reads of the object carry a precondition, so that all of them read the same one. */
export function isConditional(object: Pick<ListedObject, "etag">): boolean {
  return ifMatch(object)["if-match"] !== undefined;
}

/**
 * If-Match compares strongly (RFC 9110, section 13.1.1): a weak ETag would never match. Some servers list ETags without
 * their quotes; what cannot stand in a header is left out, the reply's own ETag is compared as well.
 */
export function ifMatch(object: Pick<ListedObject, "etag">): Record<string, string> {
  const etag = object.etag === null || object.etag.startsWith("W/") ? "" : bare(object.etag);
  return /^[\x21\x23-\x7e]+$/.test(etag) ? { "if-match": `"${etag}"` } : {};
}

function bare(etag: string): string {
  return etag.replace(/^W\//, "").replace(/^"|"$/g, "");
}

export function wrongLength(object: ListedObject, what: string): Problem {
  return new Problem("object_length_wrong", `The server sends “${plain(object.key)}” with ${what}`);
}
