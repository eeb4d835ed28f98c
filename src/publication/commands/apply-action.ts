import { isDeepStrictEqual } from "node:util";
import { receiptOf } from "../../archive/receipts/signing.ts";
import type { Queries } from "../../db/database.ts";
import { type DatasetRow, latestReceipt, lockPresentDataset } from "../../db/datasets/datasets.ts";
import { latestRevision, revisionInProgress, revisionsOf } from "../../db/datasets/revisions.ts";
import { commentStates } from "../../db/publication/comments.ts";
import { addEntry, type EntryRow, lastStepFor } from "../../db/publication/history.ts";
import {
  changePublication,
  datedPublication,
  endOfPublication,
  lockPublication,
  NO_FAILURE,
  type PublicationChange,
  type PublicationRow,
  privatePublication,
  renewPublications,
} from "../../db/publication/publications.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import { publicationKey, QUEUES } from "../../domain/submission/queues.ts";
import type { IntakeContext } from "../../intake/context.ts";
import { reserveDoi } from "../../intake/reserve-doi.ts";
import type { FoundByChecks } from "../rules/checks.ts";
import { openedOn } from "../rules/dates.ts";
import { embargoNoticeKey } from "../rules/embargo-notices.ts";
import { type ActionTaken, actionTaken } from "../rules/events.ts";
import { isDue, mayTryAgain } from "../rules/publication.ts";
import { decide, type Party, type PublicationMode, type PublicationState } from "../rules/states.ts";
import type { ActionInput, ActionRequest } from "./inputs.ts";
import { keepRecipients } from "./keep-recipients.ts";
import { refusal } from "./refusal.ts";

/** Who acts, and in which relations to the dataset. */
export interface Actor {
  name: string;
  parties: readonly Party[];
}

/** The state of a publication that a caller has seen; part of its ETag. */
export interface SeenState {
  changes: number;
  revision: number;
}

export type ActionOnVersion = ActionRequest & {
  dataset: string;
  version: number;
  actor: Actor;
  mode: PublicationMode;
  /** The address of the actor for mails about the publication: as stated, or as the identity provider has verified it. */
  notify?: string | undefined;
  /** Whether this is the state that the caller has seen; always true without a condition. */
  expected: (seen: SeenState) => boolean;
  /** For an approval: whether the actor may approve their own datasets and edits. */
  maySelfApprove?: boolean;
  /** The result of the automatic checks, for actions that lead to publication. */
  ready?: Readiness;
};

/** Whether a version may be published, according to the automatic checks of one metadata revision. */
export interface Readiness {
  revision: number;
  /** Why it may not; undefined if it may. */
  problem: Problem | undefined;
  /** How many errors and warnings were found; undefined if not all checks ran. */
  found?: FoundByChecks;
}

/**
 * Takes an action about the publication of a version: decides by the table of states, changes the publication, and records
 * history and event in one transaction. A repeated request whose first response was lost has no further effect.
 *
 * @throws Problem `not_found`, `dataset_withdrawn`, `publication_state` with the possible actions, `forbidden`,
 * `publication_conflict`, `self_approval`, `dataset_busy` while the metadata are being changed, and that of `ready`
 */
export async function applyAction(context: IntakeContext, request: ActionOnVersion): Promise<void> {
  const started = await context.db.transaction().execute(async (trx) => {
    const dataset = await lockPresentDataset(trx, request.dataset);
    return applyLocked(context, trx, dataset, request);
  });
  if (started) context.jobs.wake(QUEUES.publish);
  if (request.action === "reserve-doi") context.jobs.wake(QUEUES.reserveDoi);
}

/** @returns whether the service must continue with the publication */
async function applyLocked(
  context: IntakeContext,
  trx: Trx,
  dataset: DatasetRow,
  request: ActionOnVersion,
): Promise<boolean> {
  const { version, actor, action, mode } = request;
  const found = await lockPublication(trx, dataset.id, version);
  const current = found ?? privatePublication(dataset.id, version, dataset.created_at);
  const revision = (await latestRevision(trx, dataset.id, version))?.revision ?? 1;
  const entry = entryOf(request, revision);
  const again = action === "publish" && (current.state === "registering" || current.problem !== null);
  if (!again && (await isRepeated(trx, request, entry))) return false;
  if (!request.expected({ changes: current.changes, revision })) throw new Problem("publication_conflict");
  const decision = decide(current.state, action, actor.parties, mode);
  if ("refused" in decision) throw await refusal(context, trx, current, { ...request, why: decision.refused });
  if (action === "approve" && !request.maySelfApprove && (await isOwnWork(trx, actor, dataset, version))) {
    throw new Problem("self_approval");
  }
  if (action === "publish" && !mayTryAgain(current)) {
    throw await refusal(context, trx, current, { ...request, why: "state" });
  }
  // An attempt that is due or under way is not overtaken: asking again and again would prevent its end.
  if (again && isDue(current, new Date())) return false;
  const change = await changeBy(trx, request, { row: current, revision, to: decision.to });
  if (action === "reserve-doi") await reserveDoi(context, trx, { dataset: dataset.id, version });
  const { state } = await changePublication(trx, current, change);
  // Other versions have a relation to the withdrawn one.
  if (action === "withdraw") await renewPublications(trx, dataset.id, version);
  // First the recipients, because the event can have a mail.
  await keepRecipients(context, trx, request);
  const { comment, place } = entry;
  const by = { by: actor.name, party: actor.parties.includes("owner") ? ("owner" as const) : ("curator" as const) };
  const taken = {
    action,
    state,
    ...by,
    comment,
    place,
    dataset: dataset.id,
    version,
    revision,
    ...toldOf(request, current),
  };
  await addEntry(trx, { ...entry, state }, actionTaken(taken));
  // Other actions change nothing that the service has to do: they do not start an attempt before its time.
  if (change.next_at === undefined || change.next_at === null) return false;
  const key = publicationKey(dataset.id, version);
  await context.jobs.enqueue(QUEUES.publish, { key, data: { dataset: dataset.id, version } }, trx);
  return true;
}

/** What the event of an action states besides, according to the action. */
function toldOf(request: ActionOnVersion, { assignee }: PublicationRow): Partial<ActionTaken> {
  if (request.action === "assign") return { curator: request.input.curator, former: assignee };
  if (request.action === "resolve") return { entry: request.input.answers, resolved: request.input.resolved };
  return {};
}

/** Whether a person submitted a dataset, or changed the metadata of this version. */
export async function isOwnWork(
  db: Queries,
  { name, parties }: Actor,
  { id }: Pick<DatasetRow, "id">,
  version: number,
): Promise<boolean> {
  if (parties.includes("owner")) return true;
  return (await revisionsOf(db, id, version)).some(({ changed_by }) => changed_by === name);
}

interface Before {
  row: PublicationRow;
  /** The newest metadata revision of the version. */
  revision: number;
  /** The state to which the action leads. */
  to: PublicationState;
}

/** What an action changes. */
async function changeBy(trx: Trx, request: ActionOnVersion, before: Before): Promise<PublicationChange> {
  const { row, to } = before;
  const now = new Date();
  const moved: PublicationChange = to === row.state ? {} : { state: to, since: now, reminded_at: null, reminders: 0 };
  switch (request.action) {
    case "request":
      return { ...moved, ...(await requested(trx, request, before)) };
    case "approve":
      return { ...moved, ...(await approved(trx, request, before)), ...(row.publish_on_approval && registering(now)) };
    case "publish":
      // Publishing again only makes the next attempt start now.
      return row.state === "approved" ? { ...moved, ...registering(now) } : { next_at: now };
    case "take-back":
      return {
        ...moved,
        ...{ approved_by: null, approved_at: null, reviewed_sha512: null, revision: null },
        ...endOfPublication(row, now),
      };
    case "assign":
      return { assignee: request.input.curator };
    case "change-access":
      // Before publication, the access must be the one that the approved metadata state.
      if (row.state === "registering" && request.ready?.problem !== undefined) throw request.ready.problem;
      // The registered metadata and the signed record follow the access.
      return {
        ...accessOf(request.input),
        opened_on: row.published_at === null ? null : openedOn(datedPublication(row), request.input.access, now),
        embargo_notice: embargoNoticeKey(request.input.embargoDate, now),
        next_at: now,
      };
    case "withdraw":
      return { ...moved, withdrawn_at: now, withdrawn_reason: request.input.reason, ...endOfPublication(row, now) };
    case "reserve-doi":
    case "request-changes":
    case "decline":
    case "comment":
    case "resolve":
      return moved;
  }
}

async function requested(
  trx: Trx,
  request: ActionOnVersion & { action: "request" },
  before: Before,
): Promise<PublicationChange> {
  const { input, actor, mode } = request;
  const asked: PublicationChange = {
    ...accessOf(input),
    revision: before.revision,
    requested_by: actor.name,
    requested_at: new Date(),
    agreement: input.agreement,
    publish_on_approval: input.publishOnApproval,
    show_source: input.showSource,
    collections: [...(input.collections ?? [])],
    ...request.ready?.found,
  };
  if (mode === "review") {
    requireReady(request, before);
    return asked;
  }
  const now = new Date();
  return { ...asked, ...(await approved(trx, request, before)), ...(input.publishOnApproval && registering(now)) };
}

/** Binds the approval to the metadata and the inventory at this moment. */
async function approved(trx: Trx, request: ActionOnVersion, { row, revision }: Before): Promise<PublicationChange> {
  // A change that is being archived would become the newest revision without having been approved.
  if ((await revisionInProgress(trx, row.dataset_id)) !== undefined) throw new Problem("dataset_busy");
  requireReady(request, { revision });
  const receipt = receiptOf(await latestReceipt(trx, row.dataset_id, row.version));
  return {
    revision,
    ...request.ready?.found,
    approved_by: request.actor.name,
    approved_at: new Date(),
    reviewed_sha512: receipt.digests.inventory.sha512,
  };
}

/** @throws Problem if the checks found an error, or were made for other metadata */
function requireReady({ ready }: ActionOnVersion, { revision }: Pick<Before, "revision">): void {
  if (ready?.problem !== undefined) throw ready.problem;
  if (ready?.revision !== revision) throw new Problem("publication_conflict");
}

function registering(now: Date): PublicationChange {
  return { state: "registering", since: now, next_at: now, ...NO_FAILURE };
}

function accessOf({ access, embargoDate, reason }: ActionInput["change-access"]) {
  return { access, embargo_date: embargoDate, access_reason: reason };
}

function entryOf(
  { dataset, version, actor, action, input }: ActionOnVersion,
  revision: number,
): Omit<EntryRow, "no" | "at" | "state"> {
  const {
    comment = "",
    reason = "",
    place = null,
    answers = null,
    ...rest
  } = input as Partial<ActionInput["comment"] & ActionInput["withdraw"] & ActionInput["request"]>;
  // Acceptance at another time is the same request.
  const { agreement, ...data } = rest;
  const noted = agreement === undefined ? data : { ...data, agreement: agreement.sha256 };
  return {
    dataset_id: dataset,
    version,
    actor: actor.name,
    action,
    comment: comment === "" ? reason : comment,
    place,
    answers,
    revision,
    data: Object.keys(noted).length === 0 ? null : noted,
  };
}

/** Whether an action repeats the last thing that a person did. */
async function isRepeated(
  trx: Trx,
  { dataset, version, actor, action, input }: ActionOnVersion,
  entry: Omit<EntryRow, "no" | "at" | "state">,
): Promise<boolean> {
  // Others can have changed the comment again, without a trace in what this person did.
  if (action === "resolve") return (await commentStates(trx, dataset, version)).get(input.answers) === input.resolved;
  const last = await lastStepFor(trx, dataset, version, actor.name);
  if (last === undefined) return false;
  const { no, at, state, ...same } = last;
  return isDeepStrictEqual(same, entry);
}
