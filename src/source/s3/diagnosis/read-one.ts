import { inMessage } from "../../../domain/in-message.ts";
import { type Code, Problem } from "../../../domain/problems.ts";
import type { ListedObject } from "../../source.ts";
import { AdaptiveConcurrency } from "../reading/adaptive-concurrency.ts";
import { type Reading, readResumably } from "../reading/resumable-read.ts";
import type { S3Bucket } from "../s3-bucket.ts";
import type { OptionalPart } from "../server-traits.ts";
import type { ReplyHead } from "../transport/response-parser.ts";
import { kmsKeyIn } from "./bucket-policy.ts";
import type { Steps } from "./steps.ts";

/** Number of objects that are tried until one can be read. */
const OBJECTS_TO_TRY = 5;
const START_BYTES = 1_024;
/** Few tries, because the caller is waiting. */
const READ_TRIES = 2;

/**
 * Reads the first bytes of up to five objects until one can be read.
 * @param found told the key with which an object is encrypted, as by {@link kmsKeyIn}
 */
export async function readOne(
  { source, objects, signal }: { source: S3Bucket; objects: readonly ListedObject[]; signal: AbortSignal },
  steps: Steps,
  found: (kmsKey: string) => void,
): Promise<void> {
  const candidates = [...objects.filter(({ bytes }) => bytes > 0), ...objects.filter(({ bytes }) => bytes === 0)];
  if (candidates.length === 0) {
    steps.note("read", "skipped", "no_object", "There is no object to read");
    return;
  }
  const readable = await steps.attempt("read", signal, () =>
    firstReadable({ source, signal, found }, candidates.slice(0, OBJECTS_TO_TRY)),
  );
  const key = inMessage(readable);
  const lost = source.traits.refused.map((part) => LOST[part]).filter((text) => text !== "");
  if (lost.length === 0) return steps.pass("read", "object_readable", `“${key}” can be read`, { key });
  const parts = source.traits.refused.join(", ");
  const detail = `“${key}” can be read, but the server refuses requests with ${parts}`;
  const hint = `No action is required. ${lost.join(" ")}`;
  steps.note("read", "warning", "request_parts_refused", detail, { hint, values: { key, parts } });
}

/** What the service loses without an optional part of requests. */
const LOST: Record<OptionalPart, string> = {
  "x-amz-checksum-mode":
    "The service does not receive the server’s checksums, and verifies each object by its ETag if that is a digest, otherwise by its length.",
  "if-match":
    "The service compares the ETag of each response instead. An object for which the server sends no ETag is read again from the beginning after an interruption.",
  "encoding-type": "",
  "max-keys": "",
  "list-type": "",
};

interface Check {
  source: S3Bucket;
  signal: AbortSignal;
  found: (kmsKey: string) => void;
}

/** Problems of an object that are those of the bucket if no object can be read. */
const OF_BUCKET: Partial<Record<Code, Code>> = { object_denied: "read_denied", object_key_denied: "key_denied" };

/** The key of the first object that can be read. If none can, throws the problem of the first object. */
async function firstReadable(check: Check, objects: readonly ListedObject[]): Promise<string> {
  let first: Problem | undefined;
  for (const object of objects) {
    try {
      await readStart(check, object);
      return object.key;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      first ??= await withCause(check, object, error);
    }
  }
  const code = first && OF_BUCKET[first.code];
  throw code === undefined ? first : new Problem(code, first?.message, { cause: first });
}

/**
 * Finds out whether the key of the encryption is the cause of a denial, which many servers do not say: the head of an encrypted
 * object can be read without its key.
 */
async function withCause({ source, signal, found }: Check, { key }: ListedObject, problem: Problem): Promise<Problem> {
  const isKeyDenied = problem.code === "object_key_denied";
  if (problem.code !== "object_denied" && !isKeyDenied) return problem;
  const headers = await source
    .request({ operation: "read", method: "HEAD", key, signal })
    .then((reply) => {
      reply.body.destroy();
      return reply.headers;
    })
    .catch((error: unknown) => {
      if (error instanceof Problem) return {};
      throw error;
    });
  const kmsKey = kmsKeyIn(headers) ?? (isKeyDenied ? "" : undefined);
  if (kmsKey === undefined) return problem;
  found(kmsKey);
  if (isKeyDenied) return problem;
  const message = `These credentials do not permit the use of the KMS key with which “${inMessage(key)}” is encrypted`;
  return new Problem("object_key_denied", message, { cause: problem });
}

/** Reads the first bytes in the same way as a submission, but with fewer tries. */
async function readStart({ source, signal, found }: Check, object: ListedObject): Promise<void> {
  const enough = new Error("Enough has been read");
  const end = Math.min(object.bytes, START_BYTES);
  let sendsAll = false;
  const reading: Reading = { source, object, signal, pace: new AdaptiveConcurrency(1), owner: "check" };
  const handler = {
    onHead: ({ status, headers }: ReplyHead) => {
      const kmsKey = kmsKeyIn(headers);
      if (kmsKey !== undefined) found(kmsKey);
      sendsAll = status !== 206 && end < object.bytes;
    },
    // The last byte is withheld until the response has ended. A server that ignores ranges may send for hours.
    onData: (at: number, chunk: Uint8Array) => {
      if (sendsAll && at + chunk.length === end - 1) throw enough;
    },
  };
  const read = (how: Reading) =>
    readResumably(how, { at: 0, end, isRange: true }, handler, READ_TRIES).catch((error: unknown) => {
      if (error !== enough) throw error;
    });
  await read(reading).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== "object_length_wrong") throw error;
    // As in a submission: the server may unpack the object.
    return read({ ...reading, acceptEncoding: "gzip" });
  });
}
