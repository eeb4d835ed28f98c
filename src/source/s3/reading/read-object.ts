import { inMessage } from "../../../domain/in-message.ts";
import { type Code, Problem } from "../../../domain/problems.ts";
import { multipartEtag, type StatedDigests } from "../../reading/digests.ts";
import type { Destination, ReadResult, ResponseMetadata } from "../../source.ts";
import { sameEtag } from "../etag.ts";
import { withRetries } from "../retry.ts";
import type { ReplyHead } from "../transport/response-parser.ts";
import { readInRanges } from "./ranges.ts";
import { ifMatch, isConditional, type Reading, readResumably, UnprovenPart } from "./resumable-read.ts";
import { userMetadataOf } from "./user-metadata.ts";

/** Larger objects are read in several ranges concurrently. */
const RANGE_BYTES = 16 * 1024 * 1024;

/**
 * Reads one object as it was listed. Every request has If-Match if the server supports it, the number of bytes must equal the
 * listed size, and every digest that the source states is compared. Large objects are read in concurrent ranges. A digest that does not
 * match is reported in the verdict, not thrown.
 *
 * @throws Problem about the object (`object_…`), or about the connection to the source
 */
export async function readObject(
  reading: Reading,
  destination: Destination,
  rangeBytes = RANGE_BYTES,
): Promise<ReadResult> {
  try {
    return await readOnce(reading, destination, rangeBytes);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "object_length_wrong") throw error;
    // A server that unpacks objects sends the stored bytes to a client that accepts their coding.
    return await readOnce({ ...reading, acceptEncoding: "gzip" }, destination, rangeBytes).catch((second: unknown) => {
      throw second instanceof Problem && !second.retryable ? error : second;
    });
  }
}

async function readOnce(reading: Reading, destination: Destination, rangeBytes: number): Promise<ReadResult> {
  const readAgain = () => withRetries(reading.signal, () => readWhole(reading, destination));
  // Without a precondition the rest might belong to another object, so such a read starts over.
  if (!isConditional(reading.object, reading.source)) return readAgain();
  try {
    return await (reading.object.bytes <= rangeBytes
      ? readWhole(reading, destination)
      : readRanges(reading, destination, rangeBytes));
  } catch (error) {
    if (error instanceof UnprovenPart) return readAgain();
    throw error;
  }
}

/** Reads the object with one request. */
async function readWhole(reading: Reading, destination: Destination): Promise<ReadResult> {
  const { object } = reading;
  const partBytes = await partSize(reading);
  const range = { at: 0, end: object.bytes };
  let first: ReplyHead | undefined;
  await readResumably(reading, range, {
    onHead: (head) => {
      if (first !== undefined) return;
      first = head;
      destination.begin(offersOf(reading, head.headers, partBytes), 0);
    },
    onData: (at, chunk) => {
      destination.write(at, chunk);
      destination.reached(at + chunk.length);
    },
  });
  return { verdict: await destination.verdict(), responseMetadata: responseMetadataOf(first?.headers ?? {}) };
}

/**
 * Reads the object in ranges. Requests the metadata of the whole object first, because responses to ranges do not
 * contain it.
 */
async function readRanges(reading: Reading, destination: Destination, rangeBytes: number): Promise<ReadResult> {
  const partBytes = await partSize(reading);
  const whole = (await ask(reading, [])) ?? {};
  const kept = destination.kept;
  destination.begin(offersOf(reading, whole, partBytes), kept);
  destination.reached(kept);
  const first = await readInRanges(reading, { from: kept, partBytes: rangeBytes }, destination);
  return { verdict: await destination.verdict(), responseMetadata: responseMetadataOf({ ...first, ...whole }) };
}

function offersOf(
  { object, stated }: Reading,
  headers: StatedDigests["headers"],
  partBytes: number | undefined,
): StatedDigests {
  return { submitter: stated, headers, etag: object.etag, bytes: object.bytes, partBytes };
}

/** Requests the size of the first part of a multipart upload. Many servers do not report it. */
async function partSize(reading: Reading): Promise<number | undefined> {
  const { object } = reading;
  const multipart = multipartEtag(object.etag);
  if (multipart === undefined || multipart.parts === 1) return undefined;
  const headers = await ask(reading, [["partNumber", "1"]]);
  const bytes = Number(headers?.["content-length"]);
  return Math.ceil(object.bytes / bytes) === multipart.parts ? bytes : undefined;
}

/** HEAD is evidence, not a need: fewer tries than for a read. */
const HEAD_TRIES = 2;

/**
 * The headers of an object, or undefined if the server does not send them. A server that fails to answer HEAD is asked for the
 * head of a GET instead, and later objects at once.
 */
async function ask(
  reading: Reading,
  query: readonly (readonly [string, string])[],
): Promise<Record<string, string> | undefined> {
  const { source, object, signal } = reading;
  const { traits } = source;
  const isRefused = traits.refusesHead;
  let failures = 0;
  const attempt = () =>
    askOnce(reading, query, isRefused ? "GET" : "HEAD").catch((error: unknown) => {
      const isFailure = error instanceof Problem && error.code === "source_error" && ++failures === HEAD_TRIES;
      throw isFailure ? new Problem("object_unreadable", error.message, { cause: error }) : error;
    });
  try {
    return await withRetries(signal, attempt);
  } catch (error) {
    // If the connection or the whole server fails, so would the read.
    if (!(error instanceof Problem) || error.retryable) throw error;
    // If the object itself has a problem, reading it reports that in more detail.
    if (isRefused || object.bytes === 0 || !BROKEN_HEAD.has(error.code)) return undefined;
  }
  const headers = await askOnce(reading, query, "GET").catch((error: unknown) => {
    if (error instanceof Problem) return undefined;
    throw error;
  });
  if (headers !== undefined) traits.refusesHead = true;
  return headers;
}

/** Answers to HEAD, which have no body, that may be about HEAD and not about the object. */
const BROKEN_HEAD = new Set<Code>(["object_unreadable", "object_denied"]);

async function askOnce(
  { source, object, signal, pace, owner, flow }: Reading,
  query: readonly (readonly [string, string])[],
  method: "HEAD" | "GET",
): Promise<Record<string, string>> {
  const headers = { "x-amz-checksum-mode": "ENABLED", ...ifMatch(object) };
  await pace.enter(owner, signal);
  flow?.asked();
  try {
    const reply = await source.request({ operation: "read", method, key: object.key, query, headers, signal });
    flow?.heard();
    reply.body.destroy();
    const { etag } = reply.headers;
    if (object.etag !== null && etag !== undefined && !sameEtag(etag, object.etag)) {
      throw new Problem("object_changed", `“${inMessage(object.key)}” was overwritten after it was listed`);
    }
    return reply.headers;
  } finally {
    flow?.answered();
    pace.leave(0);
  }
}

function responseMetadataOf(headers: Readonly<Record<string, string>>): ResponseMetadata {
  let checksums: Record<string, string> | undefined;
  for (const name in headers) {
    if (!name.startsWith("x-amz-checksum-") || name === "x-amz-checksum-type") continue;
    checksums ??= {};
    checksums[name.slice("x-amz-checksum-".length)] = headers[name] ?? "";
  }
  return {
    ...(headers["x-amz-version-id"] !== undefined && { versionId: headers["x-amz-version-id"] }),
    ...(headers["content-type"] !== undefined && { contentType: headers["content-type"] }),
    ...(headers["content-encoding"] !== undefined && { contentEncoding: headers["content-encoding"] }),
    ...userMetadataOf(headers),
    ...(checksums && { checksums }),
  };
}
