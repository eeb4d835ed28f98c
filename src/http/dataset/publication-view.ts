import type { Static } from "typebox";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import { collectionsOf } from "../../db/collections/collections.ts";
import { publicationRecipient } from "../../db/notifications/publication-recipients.ts";
import { commentStates } from "../../db/publication/comments.ts";
import { isCurator } from "../../db/publication/curators.ts";
import { type DoiRow, doisOf } from "../../db/publication/dois.ts";
import { type EntryRow, newestEntries } from "../../db/publication/history.ts";
import {
  findPublication,
  type PublicationRow,
  privatePublication,
  recordChecks,
} from "../../db/publication/publications.ts";
import { decidesAbout } from "../../domain/collection.ts";
import { LOCAL, partiesOf } from "../../people/caller.ts";
import { isOwnWork } from "../../publication/commands/apply-action.ts";
import { isOpen } from "../../publication/rules/access.ts";
import { type CheckFinding, countFound } from "../../publication/rules/checks.ts";
import { CONCEPT } from "../../publication/rules/doi.ts";
import { availableActions, isDelayed } from "../../publication/rules/publication.ts";
import { isAccessProposed, proposedAccess } from "../../publication/rules/stated-embargo.ts";
import {
  isPossibleIn,
  type PublicationAction,
  SERVICE,
  WAITING_FOR,
  type WaitingFor,
} from "../../publication/rules/states.ts";
import type { HttpContext } from "../context.ts";
import { identifierTypeOf } from "../responses/identifier.ts";
import { fitPage } from "../responses/paging.ts";
import type { PublicationEntryView, PublicationView } from "../schemas/publication.ts";
import { metadataOf } from "./export-input.ts";
import { checksOf } from "./publication-checks.ts";
import type { Version } from "./readable-version.ts";

export type PublicationAnswer = Static<typeof PublicationView>;

/** The publication of a version, which is `private` if it was never requested. */
export async function publicationOf({ db }: HttpContext, version: Version): Promise<PublicationRow> {
  const { dataset, number, archivedAt } = version;
  return (await findPublication(db, dataset.id, number)) ?? privatePublication(dataset.id, number, archivedAt);
}

/** The number of the newest metadata revision of a version. */
export function revisionOf({ revision }: Version): number {
  return revision?.revision ?? 1;
}

/** Maximum number of entries of the history in a response. */
const HISTORY = 200;

/**
 * Returns the API view. Readers who are neither owner nor curator see only what is public.
 * @param stored as `publicationOf` returns it
 * @param of.before number of the entry before which the history ends; undefined for the newest entries
 */
export async function viewPublication(
  context: HttpContext,
  version: Version,
  stored: PublicationRow,
  { caller, before }: { caller: Caller; before?: number | undefined },
): Promise<PublicationAnswer> {
  const { db } = context;
  const isForPublic = version.reader.isPublic || caller === null;
  const row = isForPublic ? stored : await withProposedAccess(context, version, stored);
  const dois = await doisOf(db, version.dataset.id);
  const doi = dois.find((one) => one.version === version.number);
  const conceptDoi = dois.find((one) => one.version === CONCEPT && one.state === "findable")?.doi ?? null;
  const common = { ...viewPublic(version, row, doi), conceptDoi };
  if (isForPublic) return common;
  const comments = await commentStates(db, version.dataset.id, version.number);
  const { assignee } = row;
  // That of a registered DOI is about its comparison with DataCite.
  const problem = row.problem ?? (doi?.state === "findable" ? null : (doi?.problem ?? null));
  const now = new Date();
  const isChecked = context.publication.mode !== "off" && row.state !== "published" && row.state !== "withdrawn";
  const checks = isChecked ? await checksOf(context, version, row) : [];
  if (isChecked && stored.changes > 0) await keepFound(context, stored, checks);
  return {
    ...common,
    waitingFor: waitingFor(row, now),
    assignee,
    assigneeIsCurator: assignee === null ? null : await isCurator(db, context.signIn.method, assignee),
    actions: await actionsOf(context, row, { doi, caller, dataset: version.dataset, comments }),
    accessReason: row.access_reason,
    approvedRevision: row.revision,
    publishOnApproval: row.publish_on_approval,
    collections: row.collections,
    memberOf: await membershipsOf(context, version, caller),
    requestedBy: row.requested_by,
    agreement: row.agreement,
    notified: (await publicationRecipient(db, version.dataset.id, version.number, "owner"))?.refused_at === null,
    approvedBy: row.approved_by,
    reviewedSha512: row.reviewed_sha512,
    attempts: row.attempts,
    nextAttemptAt: row.state === "registering" || row.problem !== null ? (row.next_at?.toISOString() ?? null) : null,
    problem,
    isDelayed: isDelayed(problem, now),
    checks,
    comments: { total: comments.size, resolved: [...comments.values()].filter((isResolved) => isResolved).length },
    ...(await historyOf(context, version, { before, comments })),
  };
}

/** The collections of the dataset, and from which of them the caller can remove it. */
async function membershipsOf(
  { db }: HttpContext,
  { dataset }: Version,
  caller: NonNullable<Caller>,
): Promise<PublicationAnswer["memberOf"]> {
  const parties = partiesOf(caller, dataset.owner);
  const editor = { by: caller.owner, isAdmin: parties.includes("admin") };
  return (await collectionsOf(db, dataset.id)).map((row) => {
    return { id: row.id, name: row.name, canRemove: parties.includes("owner") || decidesAbout(row, editor) };
  });
}

/** Stores the number of findings if it has changed, because lists do not run the checks. */
async function keepFound({ db }: HttpContext, row: PublicationRow, checks: readonly CheckFinding[]): Promise<void> {
  const found = countFound(checks);
  if (found.check_errors === row.check_errors && found.check_warnings === row.check_warnings) return;
  await recordChecks(db, row, found);
}

/** A part of the history, oldest first, that fits into a response. */
async function historyOf(
  { db }: HttpContext,
  { dataset, number }: Version,
  { before, comments }: { before: number | undefined; comments: CommentStates },
): Promise<Pick<PublicationAnswer, "history" | "historyBefore">> {
  const rows = await newestEntries(db, { dataset: dataset.id, version: number, before, limit: HISTORY + 1 });
  const { entries, next } = fitPage(
    rows,
    rows.map((row) => viewEntry(row, comments)),
    HISTORY,
  );
  return { history: entries.toReversed(), historyBefore: next?.no ?? null };
}

/** With the access that the next request proposes, if the owner chooses it then. */
async function withProposedAccess(
  context: HttpContext,
  version: Version,
  row: PublicationRow,
): Promise<PublicationRow> {
  if (!isAccessProposed(row.state)) return row;
  const { metadata } = await metadataOf(context, version);
  const last = { state: row.state, access: row.access, embargoDate: row.embargo_date };
  const { access, embargoDate } = proposedAccess(last, metadata.embargoDate, new Date().toISOString().slice(0, 10));
  return { ...row, access, embargo_date: embargoDate };
}

/** The actions that are possible now. A DOI can be reserved only once, and only where the service registers DOIs. */
async function actionsOf(
  context: HttpContext,
  row: PublicationRow,
  of: {
    doi: DoiRow | undefined;
    caller: NonNullable<Caller>;
    dataset: Version["dataset"];
    comments: CommentStates;
  },
): Promise<PublicationAction[]> {
  const { publication, db } = context;
  const { doi, caller, dataset, comments } = of;
  const parties = partiesOf(caller, dataset.owner);
  const canReserve = publication.registersDois && doi === undefined;
  const actions = availableActions(row, parties, { canReserve, hasComments: comments.size > 0 }).filter((action) =>
    isPossibleIn(publication.mode, action),
  );
  if (!actions.includes("approve") || maySelfApprove(context, caller)) return actions;
  const isOwn = await isOwnWork(db, { name: caller.owner, parties }, dataset, row.version);
  return isOwn ? actions.filter((action) => action !== "approve") : actions;
}

/** Whether a caller may approve their own datasets and edits. Without authentication, the service does not distinguish people. */
export function maySelfApprove({ publication }: HttpContext, caller: NonNullable<Caller>): boolean {
  return publication.selfApproval || caller === LOCAL;
}

/** Whether each comment is resolved, by its number. */
type CommentStates = ReadonlyMap<number, boolean>;

type Caller = Parameters<typeof partiesOf>[0] | null;

/**
 * Who must act next; the operator if DataCite needs a change that only the operator can make. After publication, too: a
 * change of the metadata, or the note of a withdrawal, can be refused. Problems that can pass do not count until they delay.
 */
export function waitingFor(
  { state, problem }: Pick<PublicationRow, "state" | "problem">,
  now: Date,
): WaitingFor | null {
  // Of the other states, only `private` waits for no person: a DOI can still have to be hidden.
  const isWithService = ["registering", "published", "withdrawn", "private"].includes(state);
  if (problem === null || !isWithService || !isDelayed(problem, now)) return WAITING_FOR[state];
  if (problem.fault === "operator") return "operator";
  if (problem.fault !== "submitter") return "service";
  // Nobody can change the metadata of a withdrawn dataset.
  return state === "withdrawn" || state === "private" ? "operator" : "owner";
}

/** The public part. `doi` is shown once it cannot be replaced any more, or is being registered. */
function viewPublic(
  version: Version,
  row: PublicationRow,
  doi: DoiRow | undefined,
): Omit<PublicationAnswer, "conceptDoi"> {
  const shown = doi?.state === "chosen" && row.state !== "registering" ? undefined : doi;
  const isVisible = row.state === "published" || row.state === "withdrawn" || row.state === "registering";
  const isPublished = row.state === "published";
  return {
    dataset: version.dataset.id,
    version: version.number,
    revision: revisionOf(version),
    approvedRevision: null,
    state: row.state,
    since: row.since.toISOString(),
    waitingFor: null,
    assignee: null,
    assigneeIsCurator: null,
    actions: [],
    identifier: row.identifier,
    identifierType: identifierTypeOf(row.identifier),
    doi: shown?.doi ?? null,
    doiState: doi === undefined ? null : doiState(doi, row),
    access: row.access,
    embargoDate: row.embargo_date,
    accessReason: "",
    filesOpen: isPublished && isOpen({ access: row.access, embargoDate: row.embargo_date }, new Date()),
    filesReadable: version.reader.noFiles === null,
    publishOnApproval: true,
    showSource: row.show_source,
    collections: [],
    memberOf: [],
    requestedBy: null,
    agreement: null,
    notified: false,
    approvedBy: null,
    reviewedSha512: isVisible ? row.reviewed_sha512 : null,
    publishedAt: row.published_at?.toISOString() ?? null,
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
    withdrawnReason: row.withdrawn_reason,
    attempts: 0,
    nextAttemptAt: null,
    problem: null,
    isDelayed: false,
    checks: [],
    comments: { total: 0, resolved: 0 },
    history: [],
    historyBefore: null,
  };
}

function doiState({ state, reserved }: DoiRow, row: PublicationRow): PublicationAnswer["doiState"] {
  if (state === "findable") return "registered";
  if (state === "chosen" && row.state !== "registering") return reserved ? "reserving" : null;
  if (row.state === "registering") return "registering";
  return state === "hidden" ? "hidden" : "reserved";
}

function viewEntry(
  { no, at, actor, action, state, comment, place, answers, revision, data }: EntryRow,
  comments: CommentStates,
) {
  const {
    curator = null,
    access = null,
    embargoDate = null,
    party = null,
    collection,
    collections = collection === undefined ? [] : [collection],
    resolved = comments.get(no) ?? null,
  } = (data ?? {}) as EntryData;
  return {
    id: no,
    at: at.toISOString(),
    actor: actor === SERVICE ? null : actor,
    ...{ action, state, comment, place, answers, revision, resolved, curator, access, embargoDate, party },
    collections,
  } satisfies Static<typeof PublicationEntryView>;
}

/** Members of the data of entries, according to their action. */
interface EntryData {
  curator?: string | null;
  access?: AccessKind;
  embargoDate?: string | null;
  resolved?: boolean;
  party?: "owner" | "curator" | "reader";
  collection?: string;
  collections?: string[];
}
