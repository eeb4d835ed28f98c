import type { Static } from "typebox";
import { withdrawalsOf } from "../../db/datasets/datasets.ts";
import { doiOf } from "../../db/publication/dois.ts";
import { findPublication } from "../../db/publication/publications.ts";
import { type Documents, documentsOf } from "../../db/submissions/documents.ts";
import type { EntryRow } from "../../db/submissions/list.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { HttpContext } from "../context.ts";
import type { SubmissionEntry, SubmissionView } from "../schemas.ts";
import { type Identifier, identifierOf } from "./identifier.ts";
import { viewEntry, viewSubmission } from "./views.ts";

/** Returns the API view of a submission, including a withdrawal of its dataset. */
export async function submissionView(context: HttpContext, row: SubmissionRow): Promise<Static<typeof SubmissionView>> {
  const withdrawals = await withdrawalsIn(context, [row]);
  const documents = await readDocuments(context, row.id);
  return viewSubmission(row, documents, context.basePath, {
    withdrawal: withdrawals.get(row.dataset_id ?? ""),
    identifier: await identifierOfRow(context, row),
    reservedDoi: await reservedDoiOf(context, row),
  });
}

/** The identifier of the version that the submission became; undefined if it is not archived. */
async function identifierOfRow({ db }: HttpContext, row: SubmissionRow): Promise<Identifier | undefined> {
  const { status, dataset_id: dataset, dataset_version: version } = row;
  if (status !== "completed" || dataset === null) return undefined;
  return identifierOf(dataset, await findPublication(db, dataset, version ?? 1));
}

/** Null until DataCite has the DOI as a draft: until then it could still be replaced. */
async function reservedDoiOf({ db }: HttpContext, row: SubmissionRow): Promise<string | null> {
  if (row.dataset_id === null) return null;
  const doi = await doiOf(db, row.dataset_id, row.dataset_version ?? 1);
  return doi?.reserved === true && doi.state !== "chosen" ? doi.doi : null;
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
