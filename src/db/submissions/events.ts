import { type Selectable, sql } from "kysely";
import type { LogEntry } from "../../domain/submission/events.ts";
import { isSentToWebhooks } from "../../domain/submission/events.ts";
import { mailedTo } from "../../domain/submission/mailed-events.ts";
import type { Queries } from "../database.ts";
import { addDeliveries } from "../notifications/deliveries.ts";
import { addMail } from "../notifications/mails.ts";
import type { EventTable } from "../tables/submission-tables.ts";

const COLUMNS = ["seq", "at", "attempt", "type", "message", "data"] as const;

export type EventRow = Pick<Selectable<EventTable>, (typeof COLUMNS)[number]>;

/**
 * Appends to a submission's log, and adds its notifications in the same transaction. Event numbers follow the order of
 * commits.
 *
 * @param at now, unless given
 */
export async function addEvent(
  db: Queries,
  submissionId: string,
  event: LogEntry,
  at: Date = new Date(),
): Promise<void> {
  const number = await logEvent(db, submissionId, event, at);
  if (isSentToWebhooks(event)) await addDeliveries(db, submissionId, number, event.type);
  for (const party of mailedTo(event)) await addMail(db, { subject_id: submissionId, party }, number);
}

/** Appends to the log without notifications, for past events. Returns the event's number. */
export async function logEvent(db: Queries, submissionId: string, event: LogEntry, at: Date): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    with numbered as (
      update submission set last_event = last_event + 1 where id = ${submissionId} returning last_event, attempt
    )
    insert into event (submission_id, seq, at, attempt, type, message, data)
    select ${submissionId}::uuid, last_event, ${at}::timestamptz, attempt, ${event.type}::text, ${event.message}::text,
      ${event.data === undefined ? null : JSON.stringify(event.data)}::json
    from numbered
    returning seq`.execute(db);
  return rows[0]?.seq ?? 0;
}

/** Events after a number, in order. */
export async function eventsAfter(
  db: Queries,
  submissionId: string,
  after: number,
  limit: number,
): Promise<EventRow[]> {
  return db
    .selectFrom("event")
    .select(COLUMNS)
    .where("submission_id", "=", submissionId)
    .where("seq", ">", after)
    .orderBy("seq")
    .limit(limit)
    .execute();
}
