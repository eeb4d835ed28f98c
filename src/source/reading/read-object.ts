import { Problem } from "../../domain/problems.ts";
import type { ListedObject } from "../listing/listing.ts";
import { withRetries } from "../retry.ts";
import type { ReplyHead } from "../transport/response-parser.ts";
import { type DigestResult, multipartEtag, type StatedDigests } from "./digests.ts";
import { type RangesDestination, readInRanges } from "./ranges.ts";
import { ifMatch, isConditional, type Reading, readResumably } from "./resumable-read.ts";

/** Metadata that the source sent with an object's bytes. */
export interface ResponseMetadata {
  versionId?: string;
  contentType?: string;
  contentEncoding?: string;
  userMetadata?: Record<string, string>;
  checksums?: Record<string, string>;
}

export interface ReadResult {
  verdict: DigestResult;
  responseMetadata: ResponseMetadata;
}

/** Receives an object's bytes, each at its position. */
export interface Destination extends RangesDestination {
  /**
   * Number of bytes, from the first, that an earlier try of the same object (bytes, ETag) has left here. They are
   * hashed again, but not read again.
   */
  readonly kept: number;
  /** A read begins. `kept` bytes stay; all other written bytes are void. */
  begin(offers: StatedDigests, kept: number): void;
  /** To be called after the last byte. Whether the bytes match the digests of the source. */
  verdict(): Promise<DigestResult>;
}

/** Larger objects are read in several ranges concurrently. */
const RANGE_BYTES = 16 * 1024 * 1024;

/**
 * Reads one object as it was listed. Every request has If-Match, the number of bytes must equal the listed size, and
 * every digest that the source states is compared. Large objects are read in concurrent ranges. A digest that does not
 * match is reported in the verdict, not thrown.
 *
 * @throws Problem about the object (`object_…`), or about the connection to the source
 */
export async function readObject(
  reading: Reading,
  destination: Destination,
  rangeBytes = RANGE_BYTES,
): Promise<ReadResult> {
  // Without a precondition the rest might belong to another object, so such a read starts over.
  if (!isConditional(reading.object)) return withRetries(reading.signal, () => readWhole(reading, destination));
  return reading.object.bytes <= rangeBytes
    ? readWhole(reading, destination)
    : readRanges(reading, destination, rangeBytes);
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
      destination.begin(offersOf(object, head.headers, partBytes), 0);
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
  const { object } = reading;
  const partBytes = await partSize(reading);
  const whole = (await ask(reading, [])) ?? {};
  const kept = destination.kept;
  destination.begin(offersOf(object, whole, partBytes), kept);
  destination.reached(kept);
  const first = await readInRanges(reading, { from: kept, partBytes: rangeBytes }, destination);
  return { verdict: await destination.verdict(), responseMetadata: responseMetadataOf({ ...first, ...whole }) };
}

function offersOf(
  object: ListedObject,
  headers: StatedDigests["headers"],
  partBytes: number | undefined,
): StatedDigests {
  return { headers, etag: object.etag, bytes: object.bytes, partBytes };
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

/** The headers of a HEAD request, or undefined if the server refuses it. */
async function ask(
  { source, object, signal, pace, owner, flow }: Reading,
  query: readonly (readonly [string, string])[],
): Promise<Record<string, string> | undefined> {
  const headers = { "x-amz-checksum-mode": "ENABLED", ...ifMatch(object) };
  const head = async () => {
    await pace.enter(owner, signal);
    flow?.asked();
    try {
      const reply = await source.request({
        operation: "read",
        method: "HEAD",
        key: object.key,
        query,
        headers,
        signal,
      });
      flow?.heard();
      reply.body.destroy();
      return reply.headers;
    } finally {
      flow?.answered();
      pace.leave(0);
    }
  };
  try {
    return await withRetries(signal, head);
  } catch (error) {
    // If the object itself has a problem, reading it reports that in more detail.
    if (error instanceof Problem && !error.retryable) return undefined;
    throw error;
  }
}

function responseMetadataOf(headers: Readonly<Record<string, string>>): ResponseMetadata {
  let userMetadata: Record<string, string> | undefined;
  let checksums: Record<string, string> | undefined;
  for (const name in headers) {
    const value = headers[name] ?? "";
    if (name.startsWith("x-amz-meta-")) {
      userMetadata ??= {};
      userMetadata[name.slice("x-amz-meta-".length)] = value;
    } else if (name.startsWith("x-amz-checksum-") && name !== "x-amz-checksum-type") {
      checksums ??= {};
      checksums[name.slice("x-amz-checksum-".length)] = value;
    }
  }
  return {
    ...(headers["x-amz-version-id"] !== undefined && { versionId: headers["x-amz-version-id"] }),
    ...(headers["content-type"] !== undefined && { contentType: headers["content-type"] }),
    ...(headers["content-encoding"] !== undefined && { contentEncoding: headers["content-encoding"] }),
    ...(userMetadata && { userMetadata }),
    ...(checksums && { checksums }),
  };
}
