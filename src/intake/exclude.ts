import { editObjects } from "../db/chunks/edit.ts";
import { objectsOfKeys } from "../db/chunks/unordered-keys.ts";
import { addToCounts } from "../db/submissions/counts.ts";
import { setDigestState } from "../db/submissions/digests.ts";
import { addEvent } from "../db/submissions/events.ts";
import { lockSubmission, type SubmissionRow } from "../db/submissions/submissions.ts";
import { resume } from "../db/submissions/waiting.ts";
import { several } from "../domain/numbers.ts";
import { Problem, type Remark } from "../domain/problems.ts";
import type { IntakeContext } from "./context.ts";
import { invalid } from "./request.ts";

/**
 * Excludes unreadable objects from the dataset, with a reason that the manifest and the receipt state. When no unreadable
 * object remains, the submission resumes.
 *
 * @throws Problem `invalid_request` naming every key that is not unreadable, `wrong_state`
 */
export async function exclude(
  context: IntakeContext,
  found: SubmissionRow,
  request: { keys: string[]; reason: string },
): Promise<void> {
  const keys = [...new Set(request.keys)];
  await context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, found.id);
    if (row === undefined || !["listing", "transferring", "verifying", "waiting"].includes(row.status)) {
      throw new Problem(
        "wrong_state",
        `Objects cannot be excluded from a submission with the status ${row?.status ?? "“deleted”"}`,
      );
    }
    const objects = await objectsOfKeys(trx, row.id, row.attempt, keys);
    const failed = new Map(objects.filter(({ state }) => state === "failed").map((object) => [object.key, object]));
    const faults = keys.flatMap((key, index): Remark[] =>
      failed.has(key)
        ? []
        : [
            {
              pointer: `/keys/${index}`,
              code: "not_unreadable",
              detail: "The object with this key is not unreadable.",
            },
          ],
    );
    if (faults.length > 0) throw invalid(faults, []);
    if (row.listing_complete && row.objects_excluded + failed.size >= row.objects_listed) {
      throw invalid([{ pointer: "/keys", code: "nothing_left", detail: "The dataset would contain no objects." }], []);
    }
    const bytes = [...failed.values()].reduce((sum, object) => sum + object.bytes, 0);
    const seqs = [...failed.values()].map(({ seq }) => seq);
    await editObjects(trx, row.id, row.attempt, seqs, (object) => {
      Object.assign(object, { state: "excluded", exclusion: request.reason });
      return true;
    });
    const differing = [...failed.values()].filter(({ error }) => error?.code === "digest_differs").length;
    if (differing > 0 && row.digests !== null) {
      const differingExcluded = (row.digests.differingExcluded ?? 0) + differing;
      await setDigestState(trx, row.id, { ...row.digests, differingExcluded });
    }
    const changes = { objects_failed: -failed.size, objects_excluded: failed.size, bytes_excluded: bytes };
    await addToCounts(trx, row.id, changes, { updated_at: new Date() });
    await addEvent(trx, row.id, {
      type: "excluded",
      message: `Excluded ${several(failed.size, "object")}. Reason: ${request.reason}`,
      data: { keys: keys.slice(0, 20), count: failed.size, reason: request.reason },
    });
    const waitsForThis = row.status === "waiting" && (row.waiting as { code?: string }).code === "objects_unreadable";
    if (waitsForThis && row.objects_failed === failed.size) {
      const now = await lockSubmission(trx, row.id);
      if (now !== undefined) await resume(trx, now, "All unreadable objects are excluded; the submission resumes");
    }
  });
}
