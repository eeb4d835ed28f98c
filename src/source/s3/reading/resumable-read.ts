import { setTimeout as sleep } from "node:timers/promises";
import { inMessage } from "../../../domain/in-message.ts";
import { Problem } from "../../../domain/problems.ts";
import type { ListedObject, ObjectReading } from "../../source.ts";
import { bareEtag, sameEtag } from "../etag.ts";
import { pauseMs } from "../retry.ts";
import type { S3Bucket } from "../s3-bucket.ts";
import type { ReplyHead } from "../transport/response-parser.ts";
import type { AdaptiveConcurrency } from "./adaptive-concurrency.ts";

/** A range fails after this many consecutive failures without a new byte. */
const TRIES = 5;
/** Problems after which fewer requests are sent at the same time. */
const slowCodes = new Set(["slow_down", "connection_timeout"]);

/** The input of a read from a bucket. */
export interface Reading extends ObjectReading {
  source: S3Bucket;
  pace: AdaptiveConcurrency;
  /** Accepts stored content codings, for servers that otherwise unpack objects. The bytes are not decoded. */
  acceptEncoding?: "gzip";
}

/** Bytes `[at, end)` of an object that are still missing; `at` moves as they arrive. */
export interface ByteRange {
  at: number;
  end: number;
  /** Requested as a range even if it is the whole object. */
  isRange?: true;
}

/** Receives a byte range in order: the head of each response, which may extend the range, and the bytes after it. */
interface RangeHandler {
  onHead(head: ReplyHead): void;
  /** `range.at` is already behind the chunk. */
  onData(at: number, chunk: Uint8Array): void;
}

/**
 * Reads a byte range with one request, or with more if a response is interrupted: reading resumes at the missing byte
 * if the object is still the same. Without a precondition the rest might belong to another object, so such a read does
 * not resume. A response counts only when its framing is complete (RFC 9112, section 8): otherwise the last byte is
 * read again.
 *
 * @param tries consecutive failures without a new byte after which the read fails
 * @throws Problem; errors of the handler; the signal's reason
 */
export async function readResumably(
  reading: Reading,
  range: ByteRange,
  handler: RangeHandler,
  tries = TRIES,
): Promise<void> {
  const { source, object, pace, signal, flow } = reading;
  let isAsked = false;
  // The source is not silent while a request is queued, but it is during the pause before a retry.
  const entered = () => {
    if (!isAsked) flow?.asked();
    isAsked = true;
  };
  try {
    for (let failures = 0; ; ) {
      const before = range.at;
      const failure = await attempt(reading, range, handler, entered);
      if (failure === undefined) return;
      const began = range.at > 0 || failure.began;
      if (failure.problem.code !== "connection_timeout") flow?.heard();
      if (!failure.problem.retryable || (began && !isConditional(object, source))) throw failure.problem;
      if (slowCodes.has(failure.problem.code)) pace.slowDown();
      failures = range.at > before ? 1 : failures + 1;
      if (failures >= tries) throw failure.final ?? failure.problem;
      await sleep(pauseMs(failures, failure.problem.retryAfter), undefined, { signal });
    }
  } finally {
    if (isAsked) flow?.answered();
  }
}

/** The reason for which a request did not complete the range. */
interface Failure {
  problem: Problem;
  /** Whether the response had begun. */
  began: boolean;
  /** The problem to report if every attempt ends like this. */
  final?: Problem;
}

/**
 * Sends one request for the rest of the range.
 *
 * @returns undefined when the range is complete; otherwise the failure of the server or the connection
 * @throws what the handler throws; the signal's reason; Problem if the response contradicts the listing
 */
async function attempt(
  reading: Reading,
  range: ByteRange,
  handler: RangeHandler,
  entered: () => void,
): Promise<Failure | undefined> {
  const { source, object, signal, pace, owner, flow } = reading;
  const from = range.at;
  let head: ReplyHead | undefined;
  // A server that ignores ranges sends bytes again that have already been received.
  let known = 0;
  // The last byte is withheld until the response is complete, so that an interrupted read resumes here.
  let last: Uint8Array | undefined;
  const pass = (chunk: Uint8Array) => {
    if (chunk.length === 0) return;
    const at = range.at;
    range.at += chunk.length;
    handler.onData(at, chunk);
  };
  let problem: Problem | undefined;
  await pace.enter(owner, signal);
  entered();
  try {
    problem = await source.stream(request(reading, range), {
      onHead: (reply) => {
        flow?.heard();
        head = reply;
        checkReply(object, reply, range);
        checkPrecondition(source, object, reply, range);
        known = reply.status === 206 ? 0 : from;
        handler.onHead(reply);
      },
      onData: (all) => {
        flow?.heard();
        const fresh = all.subarray(known);
        known -= all.length - fresh.length;
        const missing = range.end - range.at - (last?.length ?? 0);
        if (fresh.length > missing && (range.end === object.bytes || head?.status === 206)) {
          throw wrongLength(object, `more than the listed ${object.bytes} bytes`);
        }
        const chunk = fresh.subarray(0, missing);
        if (chunk.length < missing) return pass(chunk);
        if (missing === 0) return;
        last = Uint8Array.of(chunk[missing - 1] ?? 0);
        pass(chunk.subarray(0, -1));
      },
    });
    if (problem === undefined && last !== undefined) pass(last);
  } finally {
    pace.leave(range.at - from);
  }
  if (problem !== undefined) {
    signal.throwIfAborted();
    return { problem, began: head !== undefined };
  }
  if (range.at === range.end) return undefined;
  const wrong = wrongLength(object, `${range.at} of the listed ${object.bytes} bytes`);
  const { headers } = head ?? { headers: {} };
  if ("content-length" in headers || "transfer-encoding" in headers) throw wrong;
  // Such a body ends with the connection, even if the connection failed.
  problem = source.failed(new Problem("connection_reset", `The connection to ${source.origin.host} ended early`));
  return { problem, began: true, final: wrong };
}

function request({ object, signal, acceptEncoding }: Reading, range: ByteRange): Parameters<S3Bucket["stream"]>[0] {
  const isWhole = range.at === 0 && range.end === object.bytes && (range.isRange === undefined || object.bytes === 0);
  const last = range.end === object.bytes ? "" : range.end - 1;
  return {
    operation: "read",
    key: object.key,
    headers: {
      "x-amz-checksum-mode": "ENABLED",
      ...ifMatch(object),
      ...(!isWhole && { range: `bytes=${range.at}-${last}` }),
    },
    ...(acceptEncoding && { acceptEncoding }),
    signal,
  };
}

/** The server neither applies If-Match nor sends ETags, so later requests may reach another object. */
export class UnprovenPart extends Problem {
  constructor(object: ListedObject) {
    const what = `The server supports neither If-Match nor ETags, so parts of “${inMessage(object.key)}” may be of two objects`;
    super("object_unreadable", what);
  }
}

/**
 * If the server does not support If-Match, the ETag of each response replaces it. @throws UnprovenPart without an ETag in a
 * response to a later part
 */
function checkPrecondition({ traits }: S3Bucket, object: ListedObject, reply: ReplyHead, range: ByteRange): void {
  if (reply.headers.etag !== undefined || !traits.refuses("if-match")) return;
  traits.omitsEtags = true;
  if (range.at > 0 && object.etag !== null) throw new UnprovenPart(object);
}

/** Compares a response with the listing. A server without If-Match still reports the ETag that it sends. */
function checkReply(object: ListedObject, reply: ReplyHead, asked: ByteRange): void {
  const etag = reply.headers.etag;
  if (object.etag !== null && etag !== undefined && !sameEtag(etag, object.etag)) {
    throw new Problem("object_changed", `“${inMessage(object.key)}” was overwritten after it was listed`);
  }
  const coding = reply.headers["transfer-encoding"];
  if (coding !== undefined && coding.toLowerCase() !== "chunked") {
    throw new Problem("object_unreadable", `The server sends “${inMessage(object.key)}” in an unknown transfer coding`);
  }
  const isPart = reply.status === 206;
  const range = reply.headers["content-range"];
  if (isPart && !range?.startsWith(`bytes ${asked.at}-`)) {
    throw new Problem(
      "object_unreadable",
      `The server did not send “${inMessage(object.key)}” from byte ${asked.at} as requested`,
    );
  }
  const total = isPart ? Number(/\/(\d+)$/.exec(range ?? "")?.[1] ?? object.bytes) : object.bytes;
  if (total !== object.bytes) throw wrongLength(object, `${total} bytes instead of the listed ${object.bytes}`);
  const length = reply.headers["content-length"];
  const expected = isPart ? asked.end - asked.at : object.bytes;
  if (length !== undefined && Number(length) !== expected) {
    throw wrongLength(object, `${Number(length)} bytes instead of the requested ${expected}`);
  }
}

/** Whether reads of the object carry a precondition, or responses an ETag, so that all of them read the same one. */
export function isConditional(object: Pick<ListedObject, "etag">, { traits }: S3Bucket): boolean {
  if (traits.omitsEtags && traits.refuses("if-match")) return false;
  return ifMatch(object)["if-match"] !== undefined;
}

/**
 * The If-Match header of an object. It compares strongly (RFC 9110, section 13.1.1), so a weak ETag would never match.
 * Some servers list ETags without quotes. ETags that a header cannot contain are omitted; the ETag of the response is
 * compared as well.
 */
export function ifMatch(object: Pick<ListedObject, "etag">): Record<string, string> {
  const etag = object.etag === null || object.etag.startsWith("W/") ? "" : bareEtag(object.etag);
  return /^[\x21\x23-\x7e]+$/.test(etag) ? { "if-match": `"${etag}"` } : {};
}

export function wrongLength(object: ListedObject, what: string): Problem {
  return new Problem("object_length_wrong", `The server sends “${inMessage(object.key)}” with ${what}`);
}
