import type { Static } from "typebox";
import { type DatasetRow, tombstoneOf, withdrawalsOf } from "../../db/datasets/datasets.ts";
import { type Documents, documentsOf } from "../../db/submissions/documents.ts";
import type { EntryRow } from "../../db/submissions/list.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { HttpContext } from "../context.ts";
import type { SubmissionEntry, SubmissionView, TombstoneView } from "../schemas.ts";
import { viewEntry, viewSubmission } from "./views.ts";

/** Returns the API view of a submission, including a withdrawal of its dataset. */
export async function submissionView(context: HttpContext, row: SubmissionRow): Promise<Static<typeof SubmissionView>> {
  const withdrawals = await withdrawalsIn(context, [row]);
  const documents = await readDocuments(context, row.id);
  return viewSubmission(row, documents, context.basePath, withdrawals.get(row.dataset_id ?? ""));
}

/** Returns the API views of submissions in a list. */
export async function submissionEntries(
  context: HttpContext,
  rows: readonly EntryRow[],
): Promise<Static<typeof SubmissionEntry>[]> {
  const withdrawals = await withdrawalsIn(context, rows);
  return rows.map((row) => viewEntry(row, context.basePath, withdrawals.get(row.dataset_id ?? "")));
}

/** Reads the metadata of a submission. Concurrent requests share one read. */
export function readDocuments({ documents }: HttpContext, id: string): Promise<Documents> {
  return documents.read(id, (db) => documentsOf(db, id));
}

function withdrawalsIn({ db }: HttpContext, rows: readonly Pick<SubmissionRow, "status" | "dataset_id">[]) {
  return withdrawalsOf(
    db,
    rows.flatMap(({ status, dataset_id }) => (status === "completed" ? (dataset_id ?? []) : [])),
  );
}

/** Returns the API view of a withdrawn dataset. */
export async function viewTombstone(
  { db, basePath }: HttpContext,
  row: DatasetRow,
): Promise<Static<typeof TombstoneView>> {
  const { dataset, versions, withdrawn } = await tombstoneOf(db, row);
  const { id, identifier, title, createdAt } = dataset;
  return {
    id,
    identifier,
    title,
    createdAt,
    withdrawnAt: withdrawn.at,
    withdrawnBy: withdrawn.by,
    reason: withdrawn.reason,
    removedAt: row.removed_at?.toISOString() ?? null,
    versions: versions.map(({ version, submission, publishedAt, objects, bytes }) => ({
      version,
      submission,
      publishedAt,
      objects,
      bytes,
      receipt: `${basePath}/submission/${submission}/receipt`,
    })),
  };
}
