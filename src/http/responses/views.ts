import type { Static } from "typebox";
import { type ObjectRecord, pathOfObject } from "../../db/chunks/objects.ts";
import type { VersionRow, Withdrawal } from "../../db/datasets/datasets.ts";
import type { DatasetEntryRow } from "../../db/datasets/list.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import type { Documents } from "../../db/submissions/documents.ts";
import type { EventRow } from "../../db/submissions/events.ts";
import type { CommonColumn, EntryRow, SubmissionState } from "../../db/submissions/list.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { TokenView as TokenRecord } from "../../db/tokens.ts";
import { SOURCE_SILENT_MS } from "../../domain/source-access/source-time-limits.ts";
import { openDifferences, unreadLists } from "../../domain/submission/digest-state.ts";
import { shortText } from "../../domain/submission/summary.ts";
import type {
  DatasetEntry,
  EventView,
  FileView,
  Remark,
  Standstill,
  SubmissionEntry,
  SubmissionView,
  TokenView,
  VersionView,
} from "../schemas.ts";
import { type Identifier, identifierOf } from "./identifier.ts";

/**
 * Returns the API view of a submission. It cannot contain credentials, because the row does not have these columns.
 *
 * @param withdrawal of the dataset; undefined if it was not withdrawn
 */
export function viewSubmission(
  row: SubmissionRow,
  { sent, warnings }: Pick<Documents, "sent" | "warnings">,
  basePath: string,
  of: { withdrawal: Withdrawal | undefined; identifier: Identifier | undefined; reservedDoi: string | null },
): Static<typeof SubmissionView> {
  const { withdrawal, identifier, reservedDoi } = of;
  return {
    ...viewCommon(row, basePath),
    title: row.title,
    metadata: sent as Static<typeof SubmissionView>["metadata"],
    source: { endpoint: row.endpoint, region: row.region, bucket: row.bucket, selection: row.selection },
    waiting: row.waiting as Static<typeof Standstill> | null,
    failure: row.failure as Static<typeof Standstill> | null,
    drift: row.drift as Static<typeof SubmissionView>["drift"],
    ...deletionOf(row, withdrawal),
    withdrawn: withdrawal === undefined ? null : { ...withdrawal, at: withdrawal.at.toISOString() },
    warnings: warnings as Static<typeof Remark>[],
    ...(identifier ?? { identifier: null, identifierType: null }),
    reservedDoi,
    digests: viewDigests(row),
  };
}

function viewDigests(row: SubmissionRow): Static<typeof SubmissionView>["digests"] {
  const { digests, objects_differing: differing } = row;
  if (digests === null) return null;
  const { comparison } = digests;
  const unread = unreadLists(digests);
  if (digests.lists.length + unread.length === 0) return null;
  const lists = digests.lists.map(({ name, origin, entries }) => ({ name, origin, entries }));
  return { lists, unread, comparison, differing, differingExcluded: differing - openDifferences(row) };
}

/** Maximum length of texts in list entries, in characters. */
const LONGEST = 300;

/** Returns the view of a submission in a list: the same members, with long texts and lists shortened. */
export function viewEntry(
  row: EntryRow,
  basePath: string,
  withdrawal: Withdrawal | undefined,
): Static<typeof SubmissionEntry> {
  const { metadata, selection, warnings, warningsTotal } = row.summary;
  let shortened = row.summary.shortened || row.drift_total > row.drift.length;
  const short = (text: string) => {
    const kept = shortText(text, LONGEST);
    if (kept !== text) shortened = true;
    return kept;
  };
  const shortStandstill = (value: unknown) => {
    const standstill = value as Static<typeof Standstill> | null;
    return standstill && { ...standstill, message: short(standstill.message), action: short(standstill.action) };
  };
  const deletion = deletionOf(row, withdrawal);
  return {
    ...viewCommon(row, basePath),
    title: short(row.title),
    metadata,
    source: { endpoint: row.endpoint, region: row.region, bucket: row.bucket, selection },
    waiting: shortStandstill(row.waiting),
    failure: shortStandstill(row.failure),
    drift: row.drift.map(({ key, change }) => ({ key: short(key), change })),
    driftTotal: row.drift_total,
    sourceMayBeDeleted: deletion.sourceMayBeDeleted,
    statement: deletion.statement === null ? null : short(deletion.statement),
    withdrawn:
      withdrawal === undefined
        ? null
        : { at: withdrawal.at.toISOString(), by: withdrawal.by, reason: short(withdrawal.reason) },
    warnings: warnings as Static<typeof Remark>[],
    warningsTotal,
    shortened,
  };
}

/** Members that are the same in both views of a submission. */
function viewCommon(row: Common, basePath: string) {
  const self = `${basePath}/submission/${row.id}`;
  const isCompleted = row.status === "completed";
  const target = row.dataset_id === null ? null : { id: row.dataset_id, version: row.dataset_version ?? 1 };
  return {
    id: row.id,
    status: row.status as Static<typeof SubmissionView>["status"],
    attempt: row.attempt,
    owner: row.owner,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    progress: progressOf(row),
    target,
    dataset: isCompleted ? target : null,
    links: {
      self,
      files: `${self}/files`,
      events: `${self}/events`,
      ...(isCompleted && { receipt: `${self}/receipt`, dataset: `${basePath}/dataset/${row.dataset_id}` }),
    },
  };
}

/** Columns of both kinds of rows, without the large ones. */
type Common = Pick<SubmissionRow, CommonColumn>;

/** Returns the view of a dataset in a list. */
export function viewDatasetEntry(row: DatasetEntryRow, basePath: string): Static<typeof DatasetEntry> {
  const { metadata, shortened } = row.summary;
  return {
    id: row.id,
    ...identifierOf(row.id, { identifier: row.identifier, published_at: row.made_public_at }),
    owner: row.owner,
    title: metadata.title,
    metadata,
    version: row.latest_version,
    submission: row.submission_id,
    createdAt: row.created_at.toISOString(),
    publishedAt: row.published_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    objects: row.objects,
    bytes: row.bytes,
    withdrawn:
      row.withdrawn_at === null
        ? null
        : {
            at: row.withdrawn_at.toISOString(),
            by: row.withdrawn_by ?? "",
            reason: shortText(row.withdrawn_reason ?? "", LONGEST),
          },
    shortened,
    links: { self: `${basePath}/dataset/${row.id}`, submission: `${basePath}/submission/${row.submission_id}` },
  };
}

/** Returns status and progress, as the event stream sends them. */
export function viewState(
  row: SubmissionState,
): Pick<Static<typeof SubmissionView>, "status" | "attempt" | "progress"> {
  const { status, attempt } = row;
  return { status: status as Static<typeof SubmissionView>["status"], attempt, progress: progressOf(row) };
}

/** Returns the statement of the receipt on deleting the source, replaced if the dataset was withdrawn. */
function deletionOf(
  { status, verdict }: Pick<SubmissionRow, "status" | "verdict">,
  withdrawal: Withdrawal | undefined,
): Pick<Static<typeof SubmissionView>, "sourceMayBeDeleted" | "statement"> {
  if (status !== "completed" || verdict === null) return { sourceMayBeDeleted: null, statement: null };
  if (withdrawal === undefined) return { ...verdict };
  return {
    sourceMayBeDeleted: "no",
    statement: "Do not delete the source: the dataset was withdrawn, and this archive no longer has a copy.",
  };
}

/** After this time without a byte, the earlier rate no longer predicts the time left. */
const RECENT_MS = 15_000;

/** Computes progress. The rate covers the current run: the time since the transfer started or resumed. */
function progressOf(row: Pick<SubmissionRow, CommonColumn>): Static<typeof SubmissionView>["progress"] {
  const moves = row.status === "listing" || row.status === "transferring";
  const { source_heard_at: heardAt, source_silent_since: silentSince } = row;
  const isRecent = silentSince === null && heardAt !== null && Date.now() - heardAt.getTime() < RECENT_MS;
  const seconds =
    moves && isRecent && row.transfer_started_at ? (Date.now() - row.transfer_started_at.getTime()) / 1000 : 0;
  const moved = row.bytes_stored - row.transfer_started_bytes;
  const bytesPerSecond = seconds > 1 ? Math.max(0, moved / seconds) : null;
  const left = row.bytes_listed - row.bytes_stored - row.bytes_excluded;
  return {
    listingComplete: row.listing_complete,
    objectsListed: row.objects_listed,
    bytesListed: row.bytes_listed,
    objectsStored: row.objects_stored,
    bytesStored: row.bytes_stored,
    objectsFailed: row.objects_failed,
    objectsExcluded: row.objects_excluded,
    bytesPerSecond: bytesPerSecond === null ? null : Math.round(bytesPerSecond),
    secondsLeft: row.listing_complete && bytesPerSecond ? Math.ceil(left / bytesPerSecond) : null,
    stalled: silentSince === null ? null : stalledFrom(silentSince),
  };
}

function stalledFrom(since: Date): { since: string; until: string } {
  return { since: since.toISOString(), until: new Date(since.getTime() + SOURCE_SILENT_MS).toISOString() };
}

export function viewFile(object: ObjectRecord): Static<typeof FileView> {
  return {
    path: pathOfObject(object),
    key: object.key,
    bytes: object.bytes,
    sha512: object.sha512,
    state: object.state,
    verifiedBy: object.verifiedBy as Static<typeof FileView>["verifiedBy"],
    verifiedWith: object.verifiedWith,
    attempts: object.attempts,
    error: object.error as Static<typeof FileView>["error"],
  };
}

/**
 * Returns the view of a version.
 * @param publications those of the dataset
 * @param isPublic whether the reader is neither owner nor curator
 */
export function viewVersion(
  row: VersionRow,
  publications: readonly PublicationRow[],
  isPublic: boolean,
): Static<typeof VersionView> {
  const { dataset_id, version, submission_id, published_at, objects, bytes } = row;
  const identifier = identifierOf(
    dataset_id,
    publications.find((one) => one.version === version),
  );
  const submission = isPublic ? null : submission_id;
  return { version, ...identifier, submission, publishedAt: published_at.toISOString(), objects, bytes };
}

export function viewEvent({ seq, at, attempt, type, message, data }: EventRow): Static<typeof EventView> {
  return { id: seq, at: at.toISOString(), attempt, type, message, data } as Static<typeof EventView>;
}

export function viewToken(token: TokenRecord): Static<typeof TokenView> {
  return {
    id: token.id,
    name: token.name,
    role: token.role as Static<typeof TokenView>["role"],
    createdAt: token.created_at.toISOString(),
    expiresAt: token.expires_at?.toISOString() ?? null,
    lastUsedAt: token.last_used_at?.toISOString() ?? null,
  };
}
