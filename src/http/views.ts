import type { Static } from "typebox";
import type { VersionRow, Withdrawal } from "../db/datasets.ts";
import type { EventRow } from "../db/events.ts";
import { type ObjectRecord, pathOfObject } from "../db/objects.ts";
import type { SubmissionRow } from "../db/submissions.ts";
import type { TokenView as TokenRecord } from "../db/tokens.ts";
import type { EventView, FileView, Remark, Standstill, SubmissionView, TokenView, VersionView } from "./schemas.ts";

/**
 * A submission as callers see it. Never a key or a secret: they are not among the columns that this reads.
 *
 * @param withdrawal of the dataset that came of it; undefined where there is none
 */
export function viewSubmission(
  row: SubmissionRow,
  basePath: string,
  withdrawal: Withdrawal | undefined,
): Static<typeof SubmissionView> {
  const self = `${basePath}/submission/${row.id}`;
  const isCompleted = row.status === "completed";
  return {
    id: row.id,
    status: row.status as Static<typeof SubmissionView>["status"],
    attempt: row.attempt,
    title: row.title,
    owner: row.owner,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    metadata: row.sent as Static<typeof SubmissionView>["metadata"],
    source: { endpoint: row.endpoint, region: row.region, bucket: row.bucket, selection: row.selection },
    progress: progressOf(row),
    waiting: row.waiting as Static<typeof Standstill> | null,
    failure: row.failure as Static<typeof Standstill> | null,
    drift: row.drift as Static<typeof SubmissionView>["drift"],
    dataset: isCompleted && row.dataset_id !== null ? { id: row.dataset_id, version: row.dataset_version ?? 1 } : null,
    ...deletionOf(row, withdrawal),
    withdrawn: withdrawal === undefined ? null : { ...withdrawal, at: withdrawal.at.toISOString() },
    warnings: row.warnings as Static<typeof Remark>[],
    links: {
      self,
      files: `${self}/files`,
      events: `${self}/events`,
      ...(isCompleted && { receipt: `${self}/receipt`, dataset: `${basePath}/dataset/${row.dataset_id}` }),
    },
  };
}

/** What the receipt says of deleting the source, unless that holds no longer. */
function deletionOf(
  { status, verdict }: SubmissionRow,
  withdrawal: Withdrawal | undefined,
): Pick<Static<typeof SubmissionView>, "sourceMayBeDeleted" | "statement"> {
  if (status !== "completed" || verdict === null) return { sourceMayBeDeleted: null, statement: null };
  if (withdrawal === undefined) return { ...verdict };
  return {
    sourceMayBeDeleted: "no",
    statement: "Do not delete the source: the dataset was withdrawn, and this archive has no copy of it any more.",
  };
}

/** The rate is that of the present run: since transfer began or went on after a wait. */
function progressOf(row: SubmissionRow): Static<typeof SubmissionView>["progress"] {
  const moves = row.status === "listing" || row.status === "transferring";
  const seconds = moves && row.transfer_started_at ? (Date.now() - row.transfer_started_at.getTime()) / 1000 : 0;
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
  };
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

export function viewVersion(row: VersionRow): Static<typeof VersionView> {
  const { version, submission_id, published_at, objects, bytes } = row;
  return { version, submission: submission_id, publishedAt: published_at.toISOString(), objects, bytes };
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
