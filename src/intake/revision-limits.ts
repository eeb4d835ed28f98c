import { checkQuota } from "../db/submissions/quota.ts";
import type { SubmissionRow, Trx } from "../db/submissions/submissions.ts";
import { several } from "../domain/numbers.ts";
import { noSpace } from "../domain/problems/no-space.ts";
import { Problem } from "../domain/problems.ts";
import { revisionBytes } from "../domain/submission/revision-size.ts";
import type { IntakeContext } from "./context.ts";

/** A metadata revision that is about to be recorded. */
interface NewRevision {
  by: string;
  /** The version of the OCFL object that it would become. */
  ocflVersion: number;
  /** The number of metadata revisions that the dataset has, in all versions, without those of the service. */
  revisions: number;
  /** The submission that became the version. */
  submission: Pick<SubmissionRow, "objects_listed" | "objects_excluded">;
}

/**
 * Checks whether the dataset may have another metadata revision. Each is a version of the OCFL object, whose inventory
 * states all files of all versions. Therefore revisions of a large dataset need much space.
 *
 * @throws Problem `revision_limit`, `quota_exceeded`, `no_space`
 */
export async function checkRevisionLimits(
  { mostRevisions, quota, store }: IntakeContext,
  trx: Trx,
  { by, ocflVersion, revisions, submission }: NewRevision,
): Promise<void> {
  if (revisions >= mostRevisions) {
    throw new Problem(
      "revision_limit",
      `The dataset has ${several(revisions, "metadata revision")}; the service allows ${mostRevisions}`,
    );
  }
  const bytes = revisionBytes(ocflVersion, submission);
  await checkQuota(trx, quota, by, { submissions: 0, objects: 0, bytes });
  const free = await store.freeBytes();
  if (bytes > free) throw noSpace("The change needs", bytes, { free, reserve: await store.reserveBytes() });
}
