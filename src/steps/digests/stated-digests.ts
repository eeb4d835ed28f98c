import { listedObject, type ObjectRecord } from "../../db/chunks/objects.ts";
import type { Queries } from "../../db/database.ts";
import { type DigestsByAlgorithm, statedDigestsOf } from "../../db/submissions/digests.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import { DIGEST_ALGORITHMS, strongestOf } from "../../domain/digest-lists/algorithms.ts";
import { multipartEtag } from "../../source/reading/digests.ts";
import type { StepContext } from "../context.ts";

/** The digests that the submitter has stated of these objects, by key; strongest algorithms first. */
export async function statedOf(
  { db }: Pick<StepContext, "db">,
  row: Pick<SubmissionRow, "id" | "digests">,
  objects: readonly Pick<ObjectRecord, "key">[],
): Promise<Map<string, DigestsByAlgorithm>> {
  if (row.digests === null || row.digests.lists.length === 0) return new Map();
  const keys = objects.map(({ key }) => key);
  const found = await statedDigestsOf(db, row.id, row.digests.reading, keys);
  for (const [key, digests] of found) found.set(key, strongestFirst(digests));
  return found;
}

function strongestFirst(digests: DigestsByAlgorithm): DigestsByAlgorithm {
  const algorithms = Object.keys(DIGEST_ALGORITHMS).filter((algorithm) => digests[algorithm] !== undefined);
  return Object.fromEntries(algorithms.map((algorithm) => [algorithm, digests[algorithm] ?? ""]));
}

/**
 * Compares objects that are stored already, by an earlier attempt or version, with the digests that the submitter states now. An
 * object for which this proves nothing, because its bytes were not compared with this algorithm, or that differs, is read again. What
 * earlier lists stated does not count.
 */
export async function compareStored(
  trx: Queries,
  row: Pick<SubmissionRow, "id" | "digests">,
  objects: readonly ObjectRecord[],
): Promise<void> {
  const stored = objects.filter(({ state }) => state === "stored");
  const statedNow = await statedOf({ db: trx }, row, stored);
  for (const object of stored) {
    const stated = statedNow.get(object.key);
    if (stated === undefined) {
      if (object.verifiedBy === "submitter") withdrawStated(object);
      continue;
    }
    const known: DigestsByAlgorithm = { ...object.stated, sha512: object.sha512 ?? "" };
    if (Object.entries(stated).some(([algorithm, digest]) => known[algorithm] !== digest)) {
      Object.assign(object, listedObject(object.seq, object, object.odd));
      continue;
    }
    object.stated = stated;
    // Else the evidence of the source would be lost on which later versions rely.
    object.etagIsDigest ||= object.verifiedBy === "md5" || object.verifiedBy === "md5-parts";
    object.verifiedBy = "submitter";
    object.verifiedWith = `submitter-${strongestOf(Object.keys(stated))}`;
  }
}

/** No list names the object any more: only the evidence of the source is left, or it is read again. */
function withdrawStated(object: ObjectRecord): void {
  if (!object.etagIsDigest) {
    Object.assign(object, listedObject(object.seq, object, object.odd));
    return;
  }
  object.stated = null;
  object.verifiedBy = multipartEtag(object.etag) === undefined ? "md5" : "md5-parts";
  object.verifiedWith = "md5";
}
