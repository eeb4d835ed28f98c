import type { FastifyRequest } from "fastify";
import { findSubmission, type SubmissionRow } from "../db/submissions.ts";
import { Problem } from "../submission/problems.ts";
import { type HttpContext, ownerOf } from "./context.ts";

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
