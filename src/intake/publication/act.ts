import { isDeepStrictEqual } from "node:util";
import { receiptOf } from "../../archive/receipts/signing.ts";
import { type DatasetRow, latestReceipt, lockDataset, submissionOfVersion } from "../../db/datasets/datasets.ts";
import { latestRevision, revisionInProgress } from "../../db/datasets/revisions.ts";
import {
  addEntry,
  datedPublication,
  type EntryRow,
  entriesOf,
  lockPublication,
  type PublicationRow,
  privatePublication,
  renewPublications,
  savePublication,
} from "../../db/publication/publications.ts";
import { addEvent } from "../../db/submissions/events.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import { Problem } from "../../domain/problems.ts";
import { openedOn } from "../../domain/publication/dates.ts";
import { embargoNoticeKey } from "../../domain/publication/embargo.ts";
import { actionTaken } from "../../domain/publication/events.ts";
import { mayBeTakenBack, mayTryAgain } from "../../domain/publication/publication.ts";
import {
  decide,
  type Party,
  type PublicationMode,
  type PublicationState,
  SERVICE,
} from "../../domain/publication/states.ts";
import { QUEUES } from "../../domain/queues.ts";
import type { IntakeContext } from "../context.ts";
import { reserveDoi } from "../reserve-doi.ts";
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

export type Act = ActionRequest & {
  dataset: string;
  version: number;
  actor: Actor;
  mode: PublicationMode;
  /** The address of the actor for mails about the publication: as stated, or as the identity provider has verified it. */
  notify?: string | undefined;
  /** Whether this is the state that the caller has seen; always true without a condition. */
  expected: (seen: SeenState) => boolean;
  /** The result of the automatic checks, for actions that lead to publication. */
  ready?: Readiness;
};

/** Whether a version may be published, according to the automatic checks of one metadata revision. */
export interface Readiness {
  revision: number;
  /** Why it may not; undefined if it may. */
  problem: Problem | undefined;
}

/**
 * Takes an action about the publication of a version: decides by the table of states, changes the publication, and records
 * history and event in one transaction. A repeated request whose first response was lost has no further effect.
 *
 * @throws Problem `not_found`, `dataset_withdrawn`, `publication_state` with the possible actions, `forbidden`,
 * `publication_conflict`, `dataset_busy` while the metadata are being changed, and that of `ready`
 */
export async function act(context: IntakeContext, request: Act): Promise<void> {
  const started = await context.db.transaction().execute(async (trx) => {
    const dataset = await lockDataset(trx, request.dataset);
    if (dataset === undefined) throw new Problem("not_found", "The dataset does not exist");
    if (dataset.withdrawn_at !== null) {
      throw new Problem("dataset_withdrawn", `The dataset has been withdrawn: ${dataset.withdrawn_reason}`);
    }
    return actLocked(context, trx, dataset, request);
  });
  if (started) context.jobs.wake(QUEUES.publish);
  if (request.action === "reserve-doi") context.jobs.wake(QUEUES.reserveDoi);
}

/** @returns whether the service must continue with the publication */
async function actLocked(context: IntakeContext, trx: Trx, dataset: DatasetRow, request: Act): Promise<boolean> {
  const { version, actor, action, mode } = request;
  const found = await lockPublication(trx, dataset.id, version);
  const current = found ?? privatePublication(dataset.id, version, dataset.created_at);
  const revision = (await latestRevision(trx, dataset.id, version))?.revision ?? 1;
  const entry = entryOf(request, revision);
  const again = action === "publish" && (current.state === "registering" || current.problem !== null);
  if (!again && isRepeated(await entriesOf(trx, dataset.id, version), entry)) return false;
  if (!request.expected({ changes: current.changes, revision })) throw new Problem("publication_conflict");
  const decision = decide(current.state, action, actor.parties, mode);
  if ("refused" in decision) throw await refusal(context, trx, current, { ...request, why: decision.refused });
  const isPossible = action === "take-back" ? mayBeTakenBack(current) : action !== "publish" || mayTryAgain(current);
  if (!isPossible) throw await refusal(context, trx, current, { ...request, why: "state" });
  const before = { row: current, revision, to: decision.to };
  const changed = await changedBy(trx, request, before);
  const state = changed.state;
  if (action === "reserve-doi") await reserveDoi(context, trx, { dataset: dataset.id, version });
  const saved = await savePublication(trx, changed);
  await addEntry(trx, { ...entry, state });
  // Other versions have a relation to the withdrawn one.
  if (action === "withdraw") await renewPublications(trx, dataset.id, version);
  const submission = await submissionOfVersion(trx, dataset.id, version);
  if (submission === undefined) throw new Error(`No submission became version ${version} of ${dataset.id}`);
  // First the recipients, because the event can have a mail.
  await keepRecipients(context, trx, request);
  const { comment, place } = entry;
  const by = { by: actor.name, party: actor.parties.includes("owner") ? ("owner" as const) : ("curator" as const) };
  const curator = action === "assign" ? { curator: request.input.curator } : {};
  await addEvent(
    trx,
    submission.id,
    actionTaken({ action, state, ...by, comment, place, dataset: dataset.id, version, revision, ...curator }),
  );
  if (saved.next_at === null) return false;
  const key = publishKey(saved);
  await context.jobs.enqueue(QUEUES.publish, { key, data: { dataset: dataset.id, version } }, trx);
  return true;
}

/** The key of the job that continues a publication. */
export function publishKey({ dataset_id, version }: Pick<PublicationRow, "dataset_id" | "version">): string {
  return `${dataset_id} ${version}`;
}

interface Before {
  row: PublicationRow;
  /** The newest metadata revision of the version. */
  revision: number;
  /** The state to which the action leads. */
  to: PublicationState;
}

/** The publication after an action. */
async function changedBy(trx: Trx, request: Act, before: Before): Promise<PublicationRow> {
  const { row, to } = before;
  const now = new Date();
  const isSame = to === row.state;
  const since = isSame ? row.since : now;
  const moved: PublicationRow = { ...row, state: to, since, ...(!isSame && { reminded_at: null, reminders: 0 }) };
  switch (request.action) {
    case "request":
      return requested(trx, request, before, moved);
    case "approve": {
      const approved = await approvedNow(trx, request, before, moved);
      return approved.publish_on_approval ? registering(approved, now) : approved;
    }
    case "publish":
      // Publishing again only makes the next attempt start now.
      return row.state === "approved" ? registering(moved, now) : { ...moved, next_at: now };
    case "take-back":
      return {
        ...moved,
        ...{ approved_by: null, approved_at: null, reviewed_sha512: null, revision: null },
        ...{ next_at: null, attempts: 0, problem: null },
      };
    case "assign":
      return { ...moved, assignee: request.input.curator };
    case "change-access":
      // The registered metadata and the signed record follow the access.
      return {
        ...moved,
        ...accessOf(request.input),
        opened_on: openedOn(datedPublication(row), request.input.access, now),
        embargo_notice: embargoNoticeKey(request.input.embargoDate, now),
        next_at: now,
      };
    case "withdraw":
      return { ...moved, withdrawn_at: now, withdrawn_reason: request.input.reason, next_at: now };
    case "reserve-doi":
    case "request-changes":
    case "decline":
    case "comment":
      return moved;
  }
}

async function requested(
  trx: Trx,
  request: Act & { action: "request" },
  before: Before,
  moved: PublicationRow,
): Promise<PublicationRow> {
  const { input, actor, mode } = request;
  const asked: PublicationRow = {
    ...moved,
    ...accessOf(input),
    revision: before.revision,
    requested_by: actor.name,
    requested_at: new Date(),
    agreement: input.agreement,
    publish_on_approval: input.publishOnApproval,
  };
  if (mode === "review") {
    requireReady(request, before);
    return asked;
  }
  const approved = await approvedNow(trx, request, before, asked);
  return approved.publish_on_approval ? registering(approved, new Date()) : approved;
}

/** Binds the approval to the metadata and the inventory at this moment. */
async function approvedNow(trx: Trx, request: Act, before: Before, row: PublicationRow): Promise<PublicationRow> {
  // A change that is being archived would become the newest revision without having been approved.
  if ((await revisionInProgress(trx, row.dataset_id)) !== undefined) throw new Problem("dataset_busy");
  requireReady(request, before);
  const receipt = receiptOf(await latestReceipt(trx, row.dataset_id, row.version));
  return {
    ...row,
    revision: before.revision,
    approved_by: request.actor.name,
    approved_at: new Date(),
    reviewed_sha512: receipt.digests.inventory.sha512,
  };
}

/** @throws Problem if the checks found an error, or were made for other metadata */
function requireReady({ ready }: Act, { revision }: Before): void {
  if (ready?.problem !== undefined) throw ready.problem;
  if (ready?.revision !== revision) throw new Problem("publication_conflict");
}

function registering(row: PublicationRow, now: Date): PublicationRow {
  return { ...row, state: "registering", since: now, next_at: now, attempts: 0, problem: null };
}

function accessOf({ access, embargoDate, reason }: ActionInput["change-access"]) {
  return { access, embargo_date: embargoDate, access_reason: reason };
}

function entryOf(
  { dataset, version, actor, action, input }: Act,
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

/**
 * Whether the last thing that a person did is the same action. What the service did afterwards, comments of others and
 * requests for access do not count, because they change nothing.
 */
function isRepeated(history: readonly EntryRow[], entry: Omit<EntryRow, "no" | "at" | "state">): boolean {
  const last = history.findLast(
    ({ actor, action }) =>
      actor !== SERVICE && !action.startsWith("access_") && (action !== "comment" || actor === entry.actor),
  );
  if (last === undefined) return false;
  const { no, at, state, ...same } = last;
  return isDeepStrictEqual(same, entry);
}
