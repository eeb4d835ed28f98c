import { randomUUID } from "node:crypto";
import { lockDataset } from "../../db/datasets/datasets.ts";
import type { GrantRow } from "../../db/publication/access-grants.ts";
import {
  type AccessRequestRow,
  addAccessRequest,
  countOpenRequests,
  decideAccessRequest,
  findAccessRequest,
  hasOpenRequest,
} from "../../db/publication/access-requests.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { IntakeContext } from "../../intake/context.ts";
import { MOST_OPEN_REQUESTS } from "../rules/grants.ts";
import { type GrantWish, grantLocked, lockPublished, recordAccessStep } from "./access-grants.ts";

/** A request for access. Without an account, name and e-mail address are what the person has stated. */
export type AccessWanted = Pick<
  AccessRequestRow,
  "dataset_id" | "version" | "account" | "name" | "email" | "email_verified" | "reason"
>;

/**
 * Stores a request for access. A person who has an open request for the dataset keeps it, and the response does not differ,
 * so that it does not reveal the requests of others.
 *
 * @throws Problem `not_published`, `dataset_withdrawn`, `access_limit`
 */
export async function requestAccess(context: IntakeContext, wanted: AccessWanted): Promise<void> {
  const { dataset_id: dataset, version, account } = wanted;
  await context.db.transaction().execute(async (trx) => {
    await lockPublished(trx, dataset, version);
    if (await hasOpenRequest(trx, wanted)) return;
    // Counted separately, so that people who state any address cannot exclude those who sign in.
    if ((await countOpenRequests(trx, dataset, account !== null)) >= MOST_OPEN_REQUESTS) {
      throw new Problem("access_limit", "Many people are waiting for an answer about this dataset");
    }
    const id = randomUUID();
    await addAccessRequest(trx, {
      ...wanted,
      id,
      created_at: new Date(),
      state: "open",
      decided_by: null,
      decided_at: null,
      answer: "",
      grant_id: null,
    });
    // The reason can name people, and the history is not deleted with the request.
    await recordAccessStep(trx, "access_requested", { dataset, version, by: account, request: id }, "");
  });
}

/** The answer to a request. */
export interface AccessAnswer {
  dataset: string;
  request: string;
  by: string;
  /** For the person; may be empty. */
  answer: string;
}

/** What is granted to the person of a request. @throws Problem if it cannot be granted to this person */
type WishFor = (row: AccessRequestRow) => Omit<GrantWish, "dataset" | "version" | "by">;

/**
 * Grants what a request asks for.
 * @throws Problem `not_found`, `access_answered` if it is not open, and as `grantAccess`
 */
export async function grantRequest(
  context: IntakeContext,
  given: AccessAnswer,
  wishFor: WishFor,
): Promise<{ row: AccessRequestRow; grant: GrantRow }> {
  const { dataset, request, by, answer } = given;
  return context.db.transaction().execute(async (trx) => {
    const { version } = await requireRequest(trx, dataset, request);
    await lockPublished(trx, dataset, version);
    // It can have been answered while this transaction waited for the lock.
    const row = await requireRequest(trx, dataset, request);
    if (row.state !== "open") throw new Problem("access_answered");
    const wish = { ...wishFor(row), dataset, version: row.version, by };
    const grant = await grantLocked(trx, wish, request);
    await decideAccessRequest(trx, request, { state: "granted", decided_by: by, answer, grant_id: grant.id });
    return { row: await requireRequest(trx, dataset, request), grant };
  });
}

/**
 * Refuses a request. Refusing it again has no effect.
 * @throws Problem `not_found`, `access_answered` if it was granted
 */
export async function refuseRequest(context: IntakeContext, given: AccessAnswer): Promise<AccessRequestRow> {
  const { dataset, request, by, answer } = given;
  return context.db.transaction().execute(async (trx) => {
    await lockDataset(trx, dataset);
    const row = await requireRequest(trx, dataset, request);
    if (row.state === "refused") return row;
    if (row.state !== "open") throw new Problem("access_answered");
    await decideAccessRequest(trx, request, { state: "refused", decided_by: by, answer, grant_id: null });
    await recordAccessStep(trx, "access_refused", { dataset, version: row.version, by, request }, "");
    return requireRequest(trx, dataset, request);
  });
}

async function requireRequest(trx: Trx, dataset: string, id: string): Promise<AccessRequestRow> {
  const row = await findAccessRequest(trx, dataset, id);
  if (row === undefined) throw new Problem("not_found", "The dataset has no such request for access");
  return row;
}
