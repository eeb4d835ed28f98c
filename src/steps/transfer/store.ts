import type { FolderReceiver } from "../../archive/folder-receiver.ts";
import type { Outcome } from "../../db/outcomes.ts";
import type { Buffers } from "../../source/buffers.ts";
import { plain } from "../../source/errors.ts";
import type { Followers } from "../../source/follow.ts";
import { Memory } from "../../source/memory.ts";
import { type Destination, type ReadResult, readObject } from "../../source/read.ts";
import type { Reading } from "../../source/span.ts";
import { type Code, Problem } from "../../submission/problems.ts";
import { FileDestination } from "./file-destination.ts";
import type { Wanted } from "./messages.ts";

/** Problems of a single object: the others go on. */
const objectCodes = new Set<Code>([
  "object_gone",
  "object_changed",
  "object_denied",
  "object_archived",
  "object_encrypted",
  "object_length_wrong",
  "object_unreadable",
  "source_corrupt",
]);

/** Objects up to so many bytes are gathered in memory and written at once. */
const SMALL_BYTES = 1024 * 1024;

/** Where objects go, and what is known of their bucket. */
export interface Target {
  receiver: FolderReceiver;
  followers: Followers;
  buffers: Buffers;
  md5Proven: boolean;
}

/**
 * Reads one object into the staging area and compares every digest that the source offers. Bytes that do not match
 * are read a second time; a proven mismatch is never stored.
 *
 * @returns what became of it, also when the object cannot be read
 * @throws Problem when the source as a whole or the archive is the matter
 */
export async function store(reading: Reading & { object: Wanted }, target: Target): Promise<Outcome> {
  const { object } = reading;
  try {
    return object.bytes <= SMALL_BYTES ? await storeSmall(reading, target) : await storeLarge(reading, target);
  } catch (error) {
    if (!(error instanceof Problem) || !objectCodes.has(error.code)) throw error;
    return { seq: object.seq, state: "failed", error: { code: error.code, message: error.message } };
  }
}

async function storeSmall(reading: Reading & { object: Wanted }, target: Target): Promise<Outcome> {
  const { object } = reading;
  const memory = new Memory(target.buffers);
  try {
    const result = await readTwice(reading, memory, target);
    return stored(object, result, target.receiver.store(object.key, object.odd, memory.bytes));
  } finally {
    memory.release();
  }
}

async function storeLarge(reading: Reading & { object: Wanted }, target: Target): Promise<Outcome> {
  const { object } = reading;
  const file = new FileDestination(target.receiver, object, target.followers, reading.signal);
  try {
    const result = await readTwice(reading, file, target);
    return stored(object, result, file.place());
  } catch (error) {
    const isOver = error instanceof Problem && objectCodes.has(error.code);
    if (isOver) file.discard();
    // Why the read ended counts, not that its beginning could not be kept as well.
    else await file.leave().catch(() => undefined);
    throw error;
  }
}

async function readTwice(reading: Reading, destination: Destination, target: Target): Promise<ReadResult> {
  const first = await readObject(reading, destination);
  if (first.verdict.mismatch === undefined) return first;
  const second = await readObject(reading, destination);
  refuseMismatch(reading.object, second, target);
  return second;
}

/**
 * A checksum that does not match is proof. An ETag that only looks like MD5 may be something else, as long as no
 * other ETag of the bucket proved to be one.
 */
function refuseMismatch(object: Reading["object"], { verdict }: ReadResult, bucket: Pick<Target, "md5Proven">): void {
  const { mismatch } = verdict;
  if (mismatch === undefined) return;
  const proof = mismatch.by === "checksum" || (verdict.verifiedBy === "length" && bucket.md5Proven);
  if (!proof) return;
  throw new Problem(
    "source_corrupt",
    `The bytes of “${plain(object.key)}” do not match the ${mismatch.algorithm} that the server states, twice`,
  );
}

function stored(object: Wanted, { verdict, came }: ReadResult, contentPath: string | null): Outcome {
  return {
    seq: object.seq,
    state: "stored",
    contentPath,
    sha512: verdict.sha512,
    verifiedBy: verdict.verifiedBy,
    verifiedWith: verdict.verifiedWith,
    suspect: verdict.verifiedBy === "length" && verdict.mismatch !== undefined,
    came,
  };
}
