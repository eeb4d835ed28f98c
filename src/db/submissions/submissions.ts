import { type Selectable, sql, type Transaction, type Updateable } from "kysely";
import { Problem } from "../../domain/problems.ts";
import type { LogEntry } from "../../domain/submission/events.ts";
import { ACTIVE, type ActiveStatus, FINAL, mayMove, type Status } from "../../domain/submission/states.ts";
import { isUuid } from "../../domain/uuid.ts";
import type { Queries } from "../database.ts";
import type { SubmissionTable } from "../tables/submission-tables.ts";
import type { Tables } from "../tables/tables.ts";
import { addEvent } from "./events.ts";

/** Large columns, which are read only where they are needed. */
export type Document = "sent" | "metadata" | "warnings" | "summary";
export type SubmissionRow = Omit<Selectable<SubmissionTable>, Document>;
export type Trx = Transaction<Tables>;

/** All columns of {@link SubmissionRow}: the compiler finds a missing one where rows are returned. */
const NAMES = [
  ...["id", "owner", "attempt", "status", "resume_status", "title", "metadata_bytes"],
  ...["endpoint", "region", "bucket", "addressing", "selection", "credentials"],
  ...["anonymous", "dataset_id", "dataset_version", "ocfl_version"],
  ...["created_at", "updated_at", "finished_at"],
  ...["listing_complete", "listing_position", "objects_listed", "bytes_listed"],
  ...["objects_stored", "bytes_stored", "objects_failed", "objects_excluded", "bytes_excluded"],
  ...["objects_kept", "bytes_kept", "objects_unchanged", "bytes_unchanged"],
  ...["marker_run", "md5_proven", "first_read_at", "last_read_at"],
  ...["transfer_started_at", "transfer_started_bytes", "source_heard_at", "source_silent_since"],
  ...["relisting_position", "drift", "drift_total"],
  ...["waiting", "last_wait", "probe_at", "probes", "failure"],
  ...["staged", "fence", "published_at", "receipt", "verdict", "last_event"],
  ...["digests", "objects_differing"],
] as const;
const COLUMNS = NAMES.map((name) => `submission.${name}` as const);

/** A submission without its documents. */
export function selectSubmission(db: Queries) {
  return db.selectFrom("submission").select(COLUMNS);
}

/** The submission with this id, or undefined, also for a text that is not an id. */
export async function findSubmission(db: Queries, id: string): Promise<SubmissionRow | undefined> {
  if (!isUuid(id)) return undefined;
  return selectSubmission(db).where("id", "=", id).executeTakeFirst();
}

/** The submission with this id. @throws Error if it does not exist */
export async function readSubmission(db: Queries, id: string): Promise<SubmissionRow> {
  return selectSubmission(db).where("id", "=", id).executeTakeFirstOrThrow();
}

/** Locks the submission for the rest of the transaction, so that decisions based on it are still valid at commit. */
export async function lockSubmission(trx: Trx, id: string): Promise<SubmissionRow | undefined> {
  return selectSubmission(trx).where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
}

/** Whether the owner has a submission of exactly this title that is neither failed nor cancelled. */
export async function titleExists(db: Queries, owner: string, title: string): Promise<boolean> {
  const found = await db
    .selectFrom("submission")
    .select("id")
    .where("owner", "=", owner)
    .where(sql<boolean>`md5(title) = md5(${title})`)
    .where("title", "=", title)
    .where("status", "not in", ["failed", "cancelled"])
    .executeTakeFirst();
  return found !== undefined;
}

/** Records when an attempt's source last sent data, and since when it has sent none (null: it sends data). */
export async function setSourceActivity(
  db: Queries,
  { id, attempt }: { id: string; attempt: number },
  set: { source_heard_at?: Date; source_silent_since: Date | null },
): Promise<void> {
  await db
    .updateTable("submission")
    .set(set)
    .where((eb) => eb.and({ id, attempt }))
    .where("status", "in", ["listing", "transferring", "verifying"])
    .execute();
}

/** Replaces the encrypted credentials of a submission, or records that it needs none. */
export async function setCredentials(
  trx: Trx,
  id: string,
  access: { credentials: Uint8Array | null; anonymous: boolean },
): Promise<void> {
  await trx.updateTable("submission").set(access).where("id", "=", id).execute();
}

/** The columns that the reconciler reads once a second. */
export type OpenSubmission = Pick<
  SubmissionRow,
  "id" | "attempt" | "owner" | "endpoint" | "status" | "waiting" | "probe_at" | "transfer_started_at"
>;

/** Submissions that may need work. */
export async function openSubmissions(db: Queries): Promise<OpenSubmission[]> {
  return db
    .selectFrom("submission")
    .select(["id", "attempt", "owner", "endpoint", "status", "waiting", "probe_at", "transfer_started_at"])
    .where("status", "not in", ["completed", "cancelled", "failed"])
    .orderBy("created_at")
    .execute();
}

/** Column values that erase the credentials, for use in the statement that ends their use. */
export const ERASED_CREDENTIALS = { credentials: null } as const;

/**
 * Changes the status of a submission along a declared transition, and adds the event. When the submission ends, also with a
 * failure, its credentials are erased.
 *
 * @param at now, unless given
 * @throws Problem `wrong_state` if it no longer has the expected status, `too_late` once publication is committed
 */
export async function changeStatus(
  trx: Trx,
  row: SubmissionRow,
  to: Status,
  event: LogEntry,
  set: Updateable<SubmissionTable> = {},
  at: Date = new Date(),
): Promise<void> {
  const from = row.status as Status;
  if (row.published_at !== null && (to === "cancelled" || to === "failed")) throw new Problem("too_late");
  if (!mayMove(from, to, (row.resume_status as ActiveStatus | null) ?? undefined)) {
    throw new Problem("wrong_state", `A submission with the status ${from} cannot change to ${to}`);
  }
  const moved = await trx
    .updateTable("submission")
    .set({
      status: to,
      updated_at: at,
      source_silent_since: null,
      ...((to === "failed" || (FINAL as readonly Status[]).includes(to)) && ERASED_CREDENTIALS),
      ...set,
    })
    .where((eb) => eb.and({ id: row.id, status: from, attempt: row.attempt }))
    .executeTakeFirst();
  if (moved.numUpdatedRows !== 1n)
    throw new Problem("wrong_state", "The status of the submission has changed in the meantime");
  await addEvent(trx, row.id, event, at);
}

/** The row, if this attempt is still active; otherwise the worker must stop. */
export async function stillActive(db: Queries, id: string, attempt: number): Promise<SubmissionRow | undefined> {
  return selectSubmission(db)
    .where((eb) => eb.and({ id, attempt }))
    .where("status", "in", ACTIVE)
    .executeTakeFirst();
}
