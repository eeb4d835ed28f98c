import type { FastifyRequest } from "fastify";
import { mayChange, maySee, requireAccess } from "../../auth/caller.ts";
import { type DatasetRow, findDataset } from "../../db/datasets/datasets.ts";
import { findWebhook, type WebhookRow } from "../../db/notifications/webhooks.ts";
import { findSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import { viewTombstone } from "../responses/submissions.ts";
import { callerOf } from "./access.ts";

/**
 * The submission that the path names. Someone else's and a missing one answer the same.
 *
 * @throws Problem `not_found`, or `forbidden` to a caller who may see it where the route would change it
 */
export async function requireSubmission(context: HttpContext, request: FastifyRequest): Promise<SubmissionRow> {
  const { id } = request.params as { id: string };
  // Many look at the same submission again and again.
  const row = await context.submissions.read(id, (db) => findSubmission(db, id));
  return requireOwn(request, row, "There is no such submission");
}

/**
 * The dataset that the path names, by the same rules.
 *
 * @param named what is meant where the path does not say it
 * @throws Problem `not_found`, `forbidden`, or `dataset_withdrawn` with the tombstone
 */
export async function requireDataset(
  context: HttpContext,
  request: FastifyRequest,
  { id } = request.params as { id: string },
): Promise<DatasetRow> {
  // As it stands in receipts and in the package.
  const row = requireOwn(
    request,
    await findDataset(context.db, id.replace(/^urn:uuid:/, "")),
    "There is no such dataset",
  );
  if (row.withdrawn_at === null) return row;
  throw new Problem("dataset_withdrawn", `The dataset was withdrawn: ${row.withdrawn_reason}`, {
    extra: { tombstone: await viewTombstone(context, row) },
  });
}

/**
 * The webhook that the path names. Its address can be a secret, so it is for its owner and admins alone; somebody else’s
 * and a missing one answer the same.
 *
 * @throws Problem `not_found`
 */
export async function requireWebhook(context: HttpContext, request: FastifyRequest): Promise<WebhookRow> {
  const { id } = request.params as { id: string };
  const row = await findWebhook(context.db, id);
  if (row === undefined || !mayChange(callerOf(request), row.owner)) {
    throw new Problem("not_found", "There is no such webhook");
  }
  return row;
}

/** Who asks, on a route that is for admins. @throws Problem `forbidden` to everybody else */
export function requireAdmin(request: FastifyRequest): string {
  const caller = callerOf(request);
  requireAccess(caller, "admin");
  return caller.owner;
}

function requireOwn<T extends { owner: string }>(request: FastifyRequest, row: T | undefined, missing: string): T {
  const caller = callerOf(request);
  if (row === undefined || !maySee(caller, row.owner)) throw new Problem("not_found", missing);
  const changes = request.routeOptions.config.access === "change";
  if (changes && !mayChange(caller, row.owner)) throw new Problem("forbidden", "This belongs to somebody else");
  return row;
}
