import type { Static } from "typebox";
import { type DatasetRow, tombstoneOf, withdrawalsOf } from "../../db/datasets/datasets.ts";
import { type Documents, documentsOf } from "../../db/submissions/documents.ts";
import type { EntryRow } from "../../db/submissions/list.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { HttpContext } from "../context.ts";
import type { SubmissionEntry, SubmissionView, TombstoneView } from "../schemas.ts";
import { viewEntry, viewSubmission } from "./views.ts";

/** A submission as callers see it, and whether the dataset that came of it still is. */
export async function submissionView(context: HttpContext, row: SubmissionRow): Promise<Static<typeof SubmissionView>> {
  const withdrawals = await withdrawalsIn(context, [row]);
  const documents = await readDocuments(context, row.id);
  return viewSubmission(row, documents, context.basePath, withdrawals.get(row.dataset_id ?? ""));
}

/** The same as entries of a list. */
export async function submissionEntries(
  context: HttpContext,
  rows: readonly EntryRow[],
): Promise<Static<typeof SubmissionEntry>[]> {
  const withdrawals = await withdrawalsIn(context, rows);
  return rows.map((row) => viewEntry(row, context.basePath, withdrawals.get(row.dataset_id ?? "")));
}

/** The metadata of a submission. Many requests for the same ones at a time share a read. */
export function readDocuments({ documents }: HttpContext, id: string): Promise<Documents> {
  return documents.read(id, (db) => documentsOf(db, id));
}

function withdrawalsIn({ db }: HttpContext, rows: readonly Pick<SubmissionRow, "status" | "dataset_id">[]) {
  return withdrawalsOf(
    db,
    rows.flatMap(({ status, dataset_id }) => (status === "completed" ? (dataset_id ?? []) : [])),
  );
}

/** A withdrawn dataset as callers see it. */
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
