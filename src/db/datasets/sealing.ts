import { Problem } from "../../domain/problems.ts";
import type { Queries } from "../database.ts";
import { ERASED_CREDENTIALS, type SubmissionRow, type Trx } from "../submissions/submissions.ts";

/**
 * Claims the packaging of an attempt for one worker. Each claim has a higher number (`fence`), so a worker that was
 * suspended and resumes later has a lower number and can no longer publish. Undefined if there is nothing to package.
 */
export async function takeFence(db: Queries, id: string, attempt: number): Promise<number | undefined> {
  const taken = await db
    .updateTable("submission")
    .set((eb) => ({ fence: eb("fence", "+", 1) }))
    .where((eb) => eb.and({ id, attempt, status: "packaging" }))
    .where("published_at", "is", null)
    .returning("fence")
    .executeTakeFirst();
  return taken?.fence;
}

/** The record of a version when its publication is committed. */
interface CommittedVersion {
  dataset: string;
  version: number;
  /** The version of the OCFL object. */
  ocflVersion: number;
  publishedAt: Date;
  /** The signed receipt, and its verdict about deleting the source, as JSON. */
  receipt: string;
  verdict: string;
}

/**
 * Records the version of a submission whose lock the caller holds: the submission's receipt, the dataset and its version.
 * The credentials are erased in the same statement.
 *
 * @throws Problem `dataset_moved_on` if it is not the next version of an existing dataset
 */
export async function recordVersion(trx: Trx, row: SubmissionRow, committed: CommittedVersion): Promise<void> {
  const { dataset, version, ocflVersion, publishedAt, receipt, verdict } = committed;
  await trx
    .updateTable("submission")
    .set({
      published_at: publishedAt,
      receipt,
      verdict,
      ...ERASED_CREDENTIALS,
      dataset_version: version,
      ocfl_version: ocflVersion,
      updated_at: publishedAt,
    })
    .where("id", "=", row.id)
    .execute();
  if (version === 1) {
    const { owner, title } = row;
    await trx
      .insertInto("dataset")
      .values({ id: dataset, owner, title, created_at: publishedAt, latest_version: 1, latest_ocfl_version: 1 })
      .execute();
  } else await setLatestVersion(trx, dataset, row.title, { version, ocflVersion });
  await trx
    .insertInto("dataset_version")
    .values({
      dataset_id: dataset,
      version,
      ocfl_version: ocflVersion,
      submission_id: row.id,
      published_at: publishedAt,
      objects: row.objects_stored,
      bytes: row.bytes_stored,
    })
    .execute();
}

async function setLatestVersion(
  trx: Trx,
  id: string,
  title: string,
  { version, ocflVersion }: { version: number; ocflVersion: number },
): Promise<void> {
  const added = await trx
    .updateTable("dataset")
    .set({ latest_version: version, latest_ocfl_version: ocflVersion, latest_revision: 1, title })
    .where((eb) => eb.and({ id, latest_version: version - 1, latest_ocfl_version: ocflVersion - 1 }))
    .where("withdrawn_at", "is", null)
    .executeTakeFirst();
  if (added.numUpdatedRows !== 1n) throw new Problem("dataset_moved_on");
}
