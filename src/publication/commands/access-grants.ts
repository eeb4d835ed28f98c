import { randomUUID } from "node:crypto";
import { type DatasetRow, lockDataset, lockPresentDataset } from "../../db/datasets/datasets.ts";
import { latestRevision } from "../../db/datasets/revisions.ts";
import { addGrant, findGrant, type GrantRow, grantsOf, revokeGrant } from "../../db/publication/access-grants.ts";
import { addEntry } from "../../db/publication/history.ts";
import { findPublication, publicationsOf } from "../../db/publication/publications.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import type { IntakeContext } from "../../intake/context.ts";
import { type AccessStep, accessStep } from "../rules/events.ts";
import { type GrantKind, isInForce, MOST_GRANTS } from "../rules/grants.ts";
import { SERVICE } from "../rules/states.ts";

/** Access to grant. */
export interface GrantWish {
  dataset: string;
  /** The version of the request. */
  version: number;
  /** Whether the grant is for all versions, also for later ones. */
  isForAll: boolean;
  kind: GrantKind;
  /** The owner name, or the e-mail address in lower case; null for a link. */
  person: string | null;
  /** The hash of the secret; null except for a link. */
  hash: Uint8Array | null;
  note: string;
  expiresAt: Date | null;
  by: string;
}

/**
 * Grants access to the closed files of a published version. Repeating a request for a person has no further effect.
 *
 * @throws Problem `not_found`, `dataset_withdrawn`, `not_published`, `access_limit`
 */
export async function grantAccess(context: IntakeContext, wish: GrantWish): Promise<GrantRow> {
  return context.db.transaction().execute(async (trx) => {
    await lockPublished(trx, wish.dataset, wish.version);
    return grantLocked(trx, wish);
  });
}

/** The same, while the caller holds the lock of the dataset. @param request the request that is granted */
export async function grantLocked(trx: Trx, wish: GrantWish, request?: string): Promise<GrantRow> {
  const { dataset, kind, person, note, expiresAt, by } = wish;
  const now = new Date();
  const version = wish.isForAll ? null : wish.version;
  const present = (await grantsOf(trx, dataset)).filter((one) => isInForce(one, now));
  const same = present.find(
    (one) =>
      kind !== "link" &&
      one.kind === kind &&
      (one.subject ?? one.email) === person &&
      one.version === version &&
      one.note === note &&
      one.expires_at?.getTime() === expiresAt?.getTime(),
  );
  if (same !== undefined) return same;
  if (present.length >= MOST_GRANTS) throw new Problem("access_limit");
  const grant: GrantRow = {
    id: randomUUID(),
    dataset_id: dataset,
    version,
    kind,
    subject: kind === "subject" ? person : null,
    email: kind === "email" ? person : null,
    hash: wish.hash,
    note,
    granted_by: by,
    created_at: now,
    expires_at: expiresAt,
    revoked_at: null,
    revoked_by: null,
    uses: 0,
    first_used_at: null,
    used_at: null,
  };
  await addGrant(trx, grant);
  const of = { dataset, version: wish.version, by, grant: grant.id, ...(request !== undefined && { request }) };
  await recordAccessStep(trx, "access_granted", of, note);
  return grant;
}

/**
 * Revokes a grant. It ends at once, also running downloads. Has no effect on a grant that was revoked before.
 *
 * @throws Problem `not_found` if the dataset has no such grant
 */
export async function revokeAccess(context: IntakeContext, dataset: string, id: string, by: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    await lockDataset(trx, dataset);
    const grant = await findGrant(trx, id);
    if (grant?.dataset_id !== dataset) throw new Problem("not_found", "The dataset has no such grant");
    if (!(await revokeGrant(trx, id, by))) return;
    const version = grant.version ?? (await publicationsOf(trx, dataset))[0]?.version ?? 1;
    await recordAccessStep(trx, "access_revoked", { dataset, version, by, grant: id }, grant.note);
  });
}

/** Locks a dataset of which this version is published. @throws Problem as {@link grantAccess} */
export async function lockPublished(trx: Trx, id: string, version: number): Promise<DatasetRow> {
  const dataset = await lockPresentDataset(trx, id);
  const publication = await findPublication(trx, id, version);
  if (publication?.state !== "published") throw new Problem("not_published");
  return dataset;
}

type Step = Parameters<typeof accessStep>[1];

/** Records a step in the history of the publication and as an event. @param comment for owner and curators only */
export async function recordAccessStep(trx: Trx, type: AccessStep, step: Step, comment: string): Promise<void> {
  const { dataset, version, by, grant, request } = step;
  const publication = await findPublication(trx, dataset, version);
  if (publication === undefined) throw new Error(`Version ${version} of ${dataset} has no publication`);
  const revision = (await latestRevision(trx, dataset, version))?.revision ?? 1;
  const data = { ...(grant !== undefined && { grant }), ...(request !== undefined && { request }) };
  const entry = { dataset_id: dataset, version, actor: by ?? SERVICE, action: type, state: publication.state, comment };
  await addEntry(trx, { ...entry, revision, data }, accessStep(type, step));
}
