import type { ContentWriter } from "../../archive/content-writer.ts";
import { type S3ContentWriter, WHOLE_BYTES } from "../../archive/s3/content-writer.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import type { Outcome } from "../../db/chunks/outcome-batch.ts";
import { inMessage } from "../../domain/in-message.ts";
import { type Code, Problem } from "../../domain/problems.ts";
import type { FileHashers } from "../../source/reading/file-hashers.ts";
import type { Buffers } from "../../source/reading/read-buffers.ts";
import { Memory } from "../../source/reading/read-buffers.ts";
import type { Destination, ObjectReading, ReadResult, Source } from "../../source/source.ts";
import { FileDestination } from "./file-destination.ts";
import { UploadDestination } from "./upload-destination.ts";

/** Problems of a single object. The transfer of the others continues. */
const objectCodes = new Set<Code>([
  "object_gone",
  "object_changed",
  "object_denied",
  "object_key_denied",
  "object_archived",
  "object_encrypted",
  "object_length_wrong",
  "object_unreadable",
  "source_corrupt",
  "digest_differs",
]);

/** Objects of at most this size are read into memory and stored at once. */
const SMALL_BYTES = 1024 * 1024;

/** Range of one request for an object that is uploaded in parts: memory holds six of them. */
const PASSING_RANGE_BYTES = 8 * 1024 * 1024;

/** Maximum number of reads of an object whose bytes do not match. */
const MOST_READS = 4;

/** An object to read, and where. */
interface Reading extends ObjectReading {
  source: Source;
  object: ObjectRecord;
}

/** The destination of objects, and facts about their source. */
interface StoreTarget {
  writer: ContentWriter;
  hashers: FileHashers;
  buffers: Buffers;
  md5Proven: boolean;
}

/**
 * Reads one object into the staging area and compares every digest that the source offers. Bytes that do not match
 * are read again; a proven mismatch is never stored.
 *
 * @returns the outcome, also if the object cannot be read
 * @throws Problem of the source as a whole or of the archive
 */
export async function storeObject(reading: Reading, target: StoreTarget): Promise<Outcome> {
  const { object } = reading;
  try {
    return object.bytes <= SMALL_BYTES ? await storeSmall(reading, target) : await storeLarge(reading, target);
  } catch (error) {
    if (!(error instanceof Problem) || !objectCodes.has(error.code)) throw error;
    return { seq: object.seq, state: "failed", error: { code: error.code, message: error.message } };
  }
}

async function storeSmall(reading: Reading, target: StoreTarget): Promise<Outcome> {
  const { object } = reading;
  const memory = new Memory(target.buffers);
  try {
    const result = await readUntilVerified(reading, memory, target);
    const place = target.writer.store(object.key, object.odd, memory.bytes, reading.signal);
    // A folder stores synchronously. Awaiting a non-promise would add a tenth to the time of a small object.
    return stored(reading, result, place instanceof Promise ? await place : place);
  } finally {
    memory.release();
  }
}

async function storeLarge(reading: Reading, target: StoreTarget): Promise<Outcome> {
  const { object } = reading;
  const { writer } = target;
  if (writer.passesThroughMemory) return passOn(reading, target, writer);
  const file = new FileDestination(writer, object, target.hashers, reading.signal);
  try {
    const result = await readUntilVerified(reading, file, target);
    return stored(reading, result, file.place());
  } catch (error) {
    const isOver = error instanceof Problem && objectCodes.has(error.code);
    if (isOver) file.discard();
    // The read's error is thrown, also if keeping the received bytes fails.
    else await file.leave().catch(() => undefined);
    throw error;
  }
}

/** Stores a large object in an object store, through a bounded amount of memory. */
async function passOn(reading: Reading, target: StoreTarget, writer: S3ContentWriter): Promise<Outcome> {
  const { object } = reading;
  const release = await writer.reserve(object.bytes, reading.signal);
  try {
    if (object.bytes <= WHOLE_BYTES) return await storeSmall(reading, target);
    const upload = new UploadDestination(writer, object, reading.signal);
    try {
      const result = await readUntilVerified(reading, upload, target, PASSING_RANGE_BYTES);
      return stored(reading, result, upload.place());
    } finally {
      await upload.leave();
    }
  } finally {
    release();
  }
}

/**
 * Reads an object, and reads it again if the digests do not match. Bytes that differ between reads were damaged during
 * transfer, whatever the ETag means. The object is read until a digest matches or two consecutive reads are equal.
 *
 * @throws Problem `source_corrupt`; `digest_differs` if the bytes are those of the source, and not those of the submitter's list
 */
async function readUntilVerified(
  reading: Reading,
  destination: Destination,
  target: StoreTarget,
  rangeBytes?: number,
): Promise<ReadResult> {
  let last = await reading.source.read(reading, destination, rangeBytes);
  for (let reads = 1; isDoubtful(last.verdict); reads++) {
    if (reads === MOST_READS) throw corrupt(reading.object, `were different in each of ${MOST_READS} reads`);
    const before = last.verdict.sha512;
    last = await reading.source.read(reading, destination, rangeBytes);
    if (last.verdict.sha512 !== before) continue;
    refuseMismatch(reading.object, last, target);
    break;
  }
  refuseDifference(reading.object, last);
  return last;
}

/**
 * Whether another read can give other bytes. If a digest of the source matches, these are its bytes, also if they differ from the
 * submitter's digest. If the submitter's digest matches, an ETag that differs is none of the bytes.
 */
function isDoubtful({ mismatch, difference, verifiedBy }: ReadResult["verdict"]): boolean {
  if (mismatch !== undefined) return verifiedBy !== "submitter" || mismatch.by === "checksum";
  return difference !== undefined && verifiedBy === "length";
}

function refuseDifference({ key }: ObjectRecord, { verdict: { difference } }: ReadResult): void {
  if (difference === undefined) return;
  const { algorithm, stated, found } = difference;
  throw new Problem(
    "digest_differs",
    `The ${algorithm} of “${inMessage(key)}” is ${found}, but the submitter’s list states ${stated}`,
  );
}

/**
 * A checksum that does not match is proof. An ETag that only looks like MD5 may be something else, as long as no
 * other ETag of the source proved to be one.
 */
function refuseMismatch(object: ObjectRecord, { verdict }: ReadResult, target: Pick<StoreTarget, "md5Proven">): void {
  const { mismatch } = verdict;
  if (mismatch === undefined) return;
  const proof = mismatch.by === "checksum" || (looksLikeMd5(verdict) && target.md5Proven);
  if (proof) throw corrupt(object, `did not match the ${mismatch.algorithm} that the server reports, in two reads`);
}

const looksLikeMd5 = ({ verifiedBy, mismatch }: ReadResult["verdict"]): boolean =>
  verifiedBy === "length" && mismatch?.by === "md5";

const corrupt = (object: ObjectRecord, how: string): Problem =>
  new Problem("source_corrupt", `The bytes of “${inMessage(object.key)}” ${how}`);

function stored(
  { object, stated }: Reading,
  { verdict, responseMetadata }: ReadResult,
  contentPath: string | null,
): Outcome {
  return {
    seq: object.seq,
    state: "stored",
    contentPath,
    sha512: verdict.sha512,
    verifiedBy: verdict.verifiedBy,
    verifiedWith: verdict.verifiedWith,
    stated: stated ?? null,
    etagIsDigest: verdict.etagIsDigest === true,
    suspect: looksLikeMd5(verdict),
    responseMetadata,
  };
}
