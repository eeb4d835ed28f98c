import type { Static } from "typebox";
import { withdrawalsOf } from "../db/datasets.ts";
import type { SubmissionRow } from "../db/submissions.ts";
import type { HttpContext } from "./context.ts";
import type { SubmissionView } from "./schemas.ts";
import { viewSubmission } from "./views.ts";

type View = Static<typeof SubmissionView>;

/** Submissions as callers see them, and whether the datasets that came of them still are. */
export async function showSubmissions(context: HttpContext, rows: readonly SubmissionRow[]): Promise<View[]> {
  const datasets = rows.flatMap(({ status, dataset_id }) => (status === "completed" ? (dataset_id ?? []) : []));
  const withdrawals = await withdrawalsOf(context.db, datasets);
  return rows.map((row) => viewSubmission(row, context.basePath, withdrawals.get(row.dataset_id ?? "")));
}

/** The same for one. */
export async function showSubmission(context: HttpContext, row: SubmissionRow): Promise<View> {
  const [view] = await showSubmissions(context, [row]);
  return view as View;
}
