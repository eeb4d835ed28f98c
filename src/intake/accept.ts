import { randomUUID } from "node:crypto";
import {
  bindClaim,
  bindContent,
  type ClaimedKey,
  claimContent,
  claimIdempotencyKey,
  freeClaim,
  keepingClaim,
} from "../db/coordination/idempotency.ts";
import { addRecipient } from "../db/notifications/mails.ts";
import { insertDigestLists } from "../db/submissions/digests.ts";
import { insertSubmission } from "../db/submissions/documents.ts";
import { addEvent } from "../db/submissions/events.ts";
import { checkQuota, isLimited, type Usage } from "../db/submissions/quota.ts";
import { findSubmission, type SubmissionRow, type Trx } from "../db/submissions/submissions.ts";
import { Problem, type Remark } from "../domain/problems.ts";
import { sealAddress } from "../domain/sealed-address.ts";
import { isAnonymous } from "../domain/source-access/access.ts";
import { newDigestState } from "../domain/submission/digest-state.ts";
import { fairShareGroup, QUEUES } from "../domain/submission/queues.ts";
import { isUuid } from "../domain/uuid.ts";
import { within } from "../platform/telemetry/tracing.ts";
import type { IntakeContext } from "./context.ts";
import { lockNextVersion, nextVersion, type TargetVersion } from "./next-version.ts";
import type { Upload } from "./request.ts";
import { requireCurrent } from "./require-current.ts";
import { reserveDoi } from "./reserve-doi.ts";
import { chosenSource } from "./source/chosen-source.ts";

interface Acceptance {
  owner: string;
  /** The caller’s own e-mail address, if the identity provider has verified it. */
  email?: string | undefined;
  upload: Upload;
  idempotencyKey: string | undefined;
  /** True to create a submission even if an identical request came before. */
  isRepeat: boolean;
}

/** The accepted submission. */
interface Accepted {
  row: SubmissionRow;
  /** Whether an earlier, identical request created it. */
  isEarlier: boolean;
}

/** What the request has claimed, and the keyed hash of its content, by which a later request is recognised as identical. */
interface Marks {
  claimed?: ClaimedKey;
  content: string;
}

/**
 * Accepts a submission: checks the bucket, then records the submission and its first job in one transaction. When this
 * resolves, the submission survives a power failure; when it rejects, nothing of the request is kept. A request that
 * repeats an earlier one, by its Idempotency-Key or without a key by its content, resolves to the earlier submission.
 *
 * @throws Problem `source_check_failed`, `source_timeout`, `source_empty`, `idempotency_conflict`, `quota_exceeded`,
 * `doi_off`, and of a new version `not_found`, `dataset_withdrawn`, `dataset_busy`
 */
export async function accept(context: IntakeContext, request: Acceptance, signal: AbortSignal): Promise<Accepted> {
  const { owner, upload, idempotencyKey, isRepeat } = request;
  const content = contentOf(context, upload);
  if (idempotencyKey === undefined && isRepeat) return acceptNew(context, request, { content }, signal);
  // The key is stored only as a keyed hash, because it may contain anything.
  const key = idempotencyKey === undefined ? undefined : context.vault.fingerprint("idempotency key", idempotencyKey);
  for (;;) {
    const claim =
      key === undefined
        ? await claimContent(context.db, owner, content, signal)
        : await claimIdempotencyKey(context.db, owner, key, fingerprint(context, upload), signal);
    if ("submissionId" in claim) return { row: await existing(context, claim.submissionId), isEarlier: true };
    const { claimed } = claim;
    try {
      return await keepingClaim(context.db, claimed, acceptNew(context, request, { claimed, content }, signal));
    } catch (error) {
      // Another request has the claim now, because this process was suspended. Its submission is that of this request, too.
      if (error instanceof ClaimLostError) continue;
      await freeClaim(context.db, claimed);
      throw error;
    }
  }
}

/** Another request has claimed the key, so that this one must not become a submission. */
class ClaimLostError extends Error {}

async function acceptNew(
  context: IntakeContext,
  request: Acceptance,
  marks: Marks,
  signal: AbortSignal,
): Promise<Accepted> {
  const { owner, upload } = request;
  if (upload.reserveDoi && context.doiPrefix === undefined) throw new Problem("doi_off");
  // An early check, because the check of the bucket takes a while. It is repeated in the transaction, and that one decides.
  if (upload.dataset !== undefined) {
    const { dataset } = await nextVersion(context, owner, upload.dataset.id);
    await requireCurrent(context, dataset);
  }
  if (isLimited(context.quota)) {
    await context.db
      .transaction()
      .execute((trx) => checkQuota(trx, context.quota, owner, leastOf(upload), uploadOf(upload)));
  }
  const id = randomUUID();
  const source = await within(context.tracing, "check source", () =>
    chosenSource(context, { owner, upload, id }, signal),
  );
  const record = async (trx: Trx) => {
    // Before any other lock, and before the quota: files count for the upload until a submission reads them.
    await source.area?.lock(trx);
    const { dataset, version, ocflVersion } = await targetOf(trx, owner, upload);
    // For a version, the listing shows which objects are new.
    const more =
      version === 1
        ? { submissions: 1, objects: source.objects, bytes: source.bytes + metadataBytes(upload) }
        : leastOf(upload);
    await checkQuota(trx, context.quota, owner, more, uploadOf(upload));
    const now = new Date();
    await insertSubmission(
      trx,
      {
        id,
        owner,
        status: "accepted",
        title: upload.metadata.title,
        ...source.columns,
        selection: upload.selection,
        dataset_id: dataset,
        dataset_version: version,
        ocfl_version: ocflVersion,
        drift: "[]",
        digests: digestStateOf(upload),
        created_at: now,
        updated_at: now,
      },
      {
        sent: upload.sent,
        metadata: upload.metadata,
        warnings: [...upload.warnings, ...mailWarnings(context, upload)],
      },
    );
    const { lists = [], digests = [] } = upload.digests ?? {};
    await insertDigestLists(trx, id, lists, digests);
    const address = upload.notify ?? request.email;
    if (context.sendsMail && address !== undefined)
      await addRecipient(trx, id, sealAddress(context.vault, id, address));
    await addEvent(trx, id, {
      type: "accepted",
      message: `Accepted: the service can read ${source.words}`,
      ...(version > 1 && { data: { dataset, version } }),
    });
    if (upload.reserveDoi) await reserveDoi(context, trx, { dataset, version });
    if (marks.claimed !== undefined && !(await bindClaim(trx, marks.claimed, id))) throw new ClaimLostError();
    await bindContent(trx, owner, marks.content, id);
    await source.area?.submit(trx);
    const group = fairShareGroup({ owner, endpoint: source.columns.endpoint });
    await context.jobs.enqueue(QUEUES.list, { key: id, data: { id, attempt: 1 }, group }, trx);
  };
  try {
    await context.db.transaction().execute(record);
  } catch (error) {
    // After an error of the database, the submission may exist, and needs the listing.
    if (error instanceof Problem || error instanceof ClaimLostError) await source.area?.discard();
    throw error;
  }
  context.jobs.wake(QUEUES.list);
  if (upload.reserveDoi) context.jobs.wake(QUEUES.reserveDoi);
  return { row: await existing(context, id), isEarlier: false };
}

function digestStateOf({ digests }: Upload): string | null {
  if (digests === undefined) return null;
  const keys = digests.lists.flatMap(({ key }) => key ?? []);
  return JSON.stringify(newDigestState(digests.used, digests.usesBag, keys));
}

function mailWarnings({ sendsMail }: IntakeContext, { notify }: Upload): Remark[] {
  if (sendsMail || notify === undefined) return [];
  return [{ pointer: "/notify/email", code: "mail_off", detail: "This service does not send e-mail." }];
}

/** Minimum usage of a submission. A version may contain no new objects. */
function leastOf(upload: Upload): Usage {
  const some = upload.dataset === undefined ? 1 : 0;
  return { submissions: 1, objects: some, bytes: some + metadataBytes(upload) };
}

/** The upload, whose files the quota must not count twice. */
function uploadOf({ source }: Upload): { area?: string } {
  return "area" in source && isUuid(source.area) ? { area: source.area } : {};
}

function metadataBytes({ sent }: Upload): number {
  return Buffer.byteLength(JSON.stringify(sent));
}

/** The target of a submission: a new dataset, or the next version of an existing one. */
async function targetOf(trx: Trx, owner: string, { dataset }: Upload): Promise<TargetVersion> {
  return dataset === undefined
    ? { dataset: randomUUID(), version: 1, ocflVersion: 1 }
    : lockNextVersion(trx, owner, dataset.id);
}

async function existing(context: IntakeContext, id: string): Promise<SubmissionRow> {
  const row = await findSubmission(context.db, id);
  if (row === undefined) throw new Problem("internal_error", "An accepted submission is missing in the database");
  return row;
}

/**
 * Fingerprint of a request without a key: requests are identical if all members of the submission and the credentials are
 * equal. Credentials count, because new credentials are a deliberate change. They enter only as a keyed hash.
 */
function contentOf(context: IntakeContext, upload: Upload): string {
  const { sent, selection, dataset, notify } = upload;
  return context.vault.fingerprint(
    "submission content",
    canonical({ ...wishesOf(upload), sent, selection, dataset, ...contentOfSource(upload), notify }),
  );
}

function contentOfSource({ source }: Upload): object {
  if ("area" in source) return { upload: source.area };
  const { credentials, role, ...place } = source.access;
  // Flat, as in a request, because stored fingerprints have this form.
  // Members that earlier versions did not have, only if they are set.
  const identity = role === undefined ? credentials : { roleArn: role.arn };
  return { access: { ...place, ...identity, anonymous: isAnonymous(source.access) } };
}

/** Members that earlier versions did not have, only if they are set: stored fingerprints do not contain them. */
function wishesOf({ reserveDoi, digests }: Upload): object {
  return { ...(reserveDoi && { reserveDoi }), ...(digests && { digests: digests.lists }) };
}

/** Fingerprint of a request with a key: without secrets, which may be renewed between two requests. */
function fingerprint(context: IntakeContext, upload: Upload): string {
  const { sent, selection, dataset, source } = upload;
  const place =
    "area" in source ? { upload: source.area } : { endpoint: source.access.endpoint, bucket: source.access.bucket };
  const content = canonical({ ...wishesOf(upload), sent, selection, dataset, ...place });
  return context.vault.fingerprint("idempotency", content);
}

/** JSON with sorted members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
