import type { Static } from "typebox";
import { partiesOf } from "../../auth/caller.ts";
import { lastAudit } from "../../db/datasets/audits.ts";
import { type DoiRow, doiOf } from "../../db/publication/dois.ts";
import {
  type EntryRow,
  entriesOf,
  findPublication,
  type PublicationRow,
  privatePublication,
} from "../../db/publication/publications.ts";
import { isOpen } from "../../domain/publication/access.ts";
import { type CheckFinding, checkForPublication, FileFactsCollector } from "../../domain/publication/checks.ts";
import { possibleActions, SERVICE, WAITING_FOR, type WaitingFor } from "../../domain/publication/states.ts";
import type { HttpContext } from "../context.ts";
import type { PublicationEntryView, PublicationView } from "../schemas/publication.ts";
import { metadataOf } from "./described.ts";
import { filesOf } from "./files.ts";
import type { Version } from "./version.ts";

export type PublicationAnswer = Static<typeof PublicationView>;

/** The publication of a version, which is `private` if it was never requested. */
export async function publicationOf({ db }: HttpContext, version: Version): Promise<PublicationRow> {
  const { dataset, number, publishedAt } = version;
  return (await findPublication(db, dataset.id, number)) ?? privatePublication(dataset.id, number, publishedAt);
}

/** The ETag of a publication (RFC 9110, section 8.8.3). It changes with the metadata, too, because these are reviewed. */
export function publicationTag(version: number, { changes, revision }: { changes: number; revision: number }): string {
  return `"p${version}.${changes}.${revision}"`;
}

/** The number of the newest metadata revision of a version. */
export function revisionOf({ revision }: Version): number {
  return revision?.revision ?? 1;
}

/** Returns the API view. Readers who are neither owner nor curator see only what is public. */
export async function viewPublication(
  context: HttpContext,
  version: Version,
  caller: Caller,
): Promise<PublicationAnswer> {
  const { db } = context;
  const row = await publicationOf(context, version);
  const doi = await doiOf(db, version.dataset.id, version.number);
  const common = viewPublic(version, row, doi);
  if (version.reader.isPublic || caller === null) return common;
  const checks = row.state === "published" || row.state === "withdrawn" ? [] : await checksOf(context, version, row);
  return {
    ...common,
    waitingFor: waitingFor(row),
    assignee: row.assignee,
    actions:
      context.publication.mode === "off" ? [] : possibleActions(row.state, partiesOf(caller, version.dataset.owner)),
    accessReason: row.access_reason,
    approvedRevision: row.revision,
    publishOnApproval: row.publish_on_approval,
    requestedBy: row.requested_by,
    agreement: row.agreement,
    approvedBy: row.approved_by,
    reviewedSha512: row.reviewed_sha512,
    attempts: row.attempts,
    nextAttemptAt: row.state === "registering" ? (row.next_at?.toISOString() ?? null) : null,
    problem: row.problem,
    checks,
    history: (await entriesOf(db, version.dataset.id, version.number)).map(viewEntry),
  };
}

type Caller = Parameters<typeof partiesOf>[0] | null;

/** Who must act next; the operator if a registration needs a change that only the operator can make. */
export function waitingFor({ state, problem }: Pick<PublicationRow, "state" | "problem">): WaitingFor | null {
  return state === "registering" && problem?.fault === "operator" ? "operator" : WAITING_FOR[state];
}

function viewPublic(version: Version, row: PublicationRow, doi: DoiRow | undefined): PublicationAnswer {
  const isVisible = row.state === "published" || row.state === "withdrawn" || row.state === "registering";
  return {
    dataset: version.dataset.id,
    version: version.number,
    revision: revisionOf(version),
    approvedRevision: null,
    state: row.state,
    since: row.since.toISOString(),
    waitingFor: null,
    assignee: null,
    actions: [],
    identifier: row.identifier,
    doi: doi?.doi ?? null,
    doiState: doi === undefined ? null : doiState(doi, row),
    access: row.access,
    embargoDate: row.embargo_date,
    accessReason: "",
    filesOpen:
      isVisible &&
      row.state !== "withdrawn" &&
      isOpen({ access: row.access, embargoDate: row.embargo_date }, new Date()),
    publishOnApproval: row.publish_on_approval,
    requestedBy: null,
    agreement: null,
    approvedBy: null,
    reviewedSha512: isVisible ? row.reviewed_sha512 : null,
    publishedAt: row.published_at?.toISOString() ?? null,
    withdrawnAt: row.withdrawn_at?.toISOString() ?? null,
    withdrawnReason: row.withdrawn_reason,
    attempts: 0,
    nextAttemptAt: null,
    problem: null,
    checks: [],
    history: [],
  };
}

function doiState({ state }: DoiRow, row: PublicationRow): PublicationAnswer["doiState"] {
  if (state === "findable") return "registered";
  return row.state === "registering" ? "registering" : "reserved";
}

function viewEntry({ no, at, actor, action, state, comment, place, answers, revision }: EntryRow) {
  return {
    id: no,
    at: at.toISOString(),
    actor: actor === SERVICE ? null : actor,
    ...{ action, state, comment, place, answers, revision },
  } satisfies Static<typeof PublicationEntryView>;
}

/** The findings of the automatic checks for a version, if it were published with the access of this row. */
export async function checksOf(
  context: HttpContext,
  version: Version,
  { access, embargo_date: embargoDate }: Pick<PublicationRow, "access" | "embargo_date">,
): Promise<CheckFinding[]> {
  const audit = await lastAudit(context.db, version.dataset.id);
  return checkForPublication({
    metadata: (await metadataOf(context, version)).metadata,
    files: await fileFactsOf(context, version),
    excluded: version.submission.objects_excluded,
    auditOk: audit?.ok ?? undefined,
    today: new Date().toISOString().slice(0, 10),
    access,
    embargoDate,
  });
}

/** Facts about files that were collected last. The files of a version never change. */
const collected = new Map<string, Promise<FileFactsCollector["facts"]>>();
const MOST_COLLECTED = 1_000;

function fileFactsOf(context: HttpContext, version: Version): Promise<FileFactsCollector["facts"]> {
  const key = version.submission.id;
  const known = collected.get(key);
  if (known !== undefined) return known;
  const facts = collect(context, version);
  collected.set(key, facts);
  facts.catch(() => collected.delete(key));
  const [oldest] = collected.keys();
  if (collected.size > MOST_COLLECTED && oldest !== undefined) collected.delete(oldest);
  return facts;
}

async function collect(context: HttpContext, version: Version): Promise<FileFactsCollector["facts"]> {
  const collector = new FileFactsCollector();
  for await (const files of filesOf(context, version, { prefix: "data/" })) {
    for (const { path, bytes } of files) collector.add(path, bytes);
  }
  return collector.facts;
}
