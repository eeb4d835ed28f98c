import type { Hold, StagingArea } from "../../archive/store.ts";
import type { ObjectRecord } from "../../db/objects.ts";
import type { Outcome } from "../../db/outcomes.ts";
import { plain } from "../../source/errors.ts";
import { type ReadResult, readObject } from "../../source/read.ts";
import type { Source } from "../../source/source.ts";
import { type Code, Problem } from "../../submission/problems.ts";

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

/** Where objects go, and what is known of their bucket. */
export interface Target {
  area: StagingArea;
  attempt: number;
  hold: Hold;
  md5Proven: boolean;
}

/**
 * Reads one object into the staging area and compares every digest that the source offers. Bytes that do not match
 * are read a second time; a proven mismatch is never stored.
 *
 * @returns what became of it, also when the object cannot be read
 * @throws Problem when the source as a whole or the archive is the matter
 */
export async function store(
  source: Source,
  object: ObjectRecord,
  target: Target,
  signal: AbortSignal,
): Promise<Outcome> {
  const file = await target.area.receive(target.attempt);
  let placed = false;
  try {
    const sink = {
      begin: () => file.restart(),
      write: async (chunk: Uint8Array) => {
        await file.write(chunk);
        target.hold.use(chunk.length);
      },
      readBack: () => file.readBack(),
    };
    let result = await readObject(source, object, sink, signal);
    if (result.verdict.mismatch !== undefined) result = await readObject(source, object, sink, signal);
    refuseMismatch(object, result, target);
    const contentPath = await file.place(object.key, object.odd);
    placed = true;
    return stored(object, result, contentPath);
  } catch (error) {
    if (!placed) await file.discard();
    if (!(error instanceof Problem) || !objectCodes.has(error.code)) throw error;
    return { seq: object.seq, state: "failed", error: { code: error.code, message: error.message } };
  }
}

/**
 * A checksum that does not match is proof. An ETag that only looks like MD5 may be something else, as long as no
 * other ETag of the bucket proved to be one.
 */
function refuseMismatch(object: ObjectRecord, { verdict }: ReadResult, bucket: Pick<Target, "md5Proven">): void {
  const { mismatch } = verdict;
  if (mismatch === undefined) return;
  const proof = mismatch.by === "checksum" || (verdict.verifiedBy === "length" && bucket.md5Proven);
  if (!proof) return;
  throw new Problem(
    "source_corrupt",
    `The bytes of “${plain(object.key)}” do not match the ${mismatch.algorithm} that the server states, twice`,
  );
}

function stored(object: ObjectRecord, { verdict, came }: ReadResult, contentPath: string | null): Outcome {
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
