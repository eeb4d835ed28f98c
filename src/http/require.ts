import type { FastifyRequest } from "fastify";
import { type DatasetRow, findDataset } from "../db/datasets.ts";
import { findSubmission, type SubmissionRow } from "../db/submissions.ts";
import { Problem } from "../submission/problems.ts";
import { type HttpContext, ownerOf } from "./context.ts";
import { viewTombstone } from "./tombstones.ts";

/** The submission that the path names. Someone else's and a missing one answer the same. @throws Problem `not_found` */
export async function requireSubmission(context: HttpContext, request: FastifyRequest): Promise<SubmissionRow> {
  const { id } = request.params as { id: string };
  // Many look at the same submission again and again.
  const row = await context.submissions.read(id, (db) => findSubmission(db, id));
  if (row === undefined || row.owner !== ownerOf(request)) {
    throw new Problem("not_found", "There is no such submission");
  }
  return row;
}

/**
 * The dataset that the path names. Someone else's and a missing one answer the same.
 *
 * @throws Problem `not_found`, or `dataset_withdrawn` with the tombstone
 */
export async function requireDataset(context: HttpContext, request: FastifyRequest): Promise<DatasetRow> {
  const { id } = request.params as { id: string };
  const row = await findDataset(context.db, id);
  if (row === undefined || row.owner !== ownerOf(request)) throw new Problem("not_found", "There is no such dataset");
  if (row.withdrawn_at === null) return row;
  throw new Problem("dataset_withdrawn", `The dataset was withdrawn: ${row.withdrawn_reason}`, {
    extra: { tombstone: await viewTombstone(context, row) },
  });
}

/** Who asks, if it is an admin. Without authentication everybody who reaches the service is. */
export function requireAdmin(request: FastifyRequest): string {
  return ownerOf(request);
}
