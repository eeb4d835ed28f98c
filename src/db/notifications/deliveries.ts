import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { Queries } from "../database.ts";
import type { DeliveryTable } from "./notification-tables.ts";

export type DeliveryRow = Selectable<DeliveryTable>;

/** For so long after an event, or after a replay was asked for, it is tried to deliver it. */
export const TRIED_MS = 86_400_000;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Deliveries of one webhook about one submission, or its test deliveries; in a queue one follows the other. */
export interface DeliveryQueue {
  webhook: string;
  /** Null for test deliveries. */
  submission: string | null;
}

/** The type of a test delivery, beside those of a submission's log. */
export const TEST_TYPE = "test";

/** A queue in which something is due. */
interface DueDeliveryQueue extends DeliveryQueue {
  owner: string;
  url: string;
}

/** Why a delivery was not accepted, as the API shows it. */
export interface DeliveryError {
  code: string;
  message: string;
}

/**
 * Adds a delivery of the event for each webhook of the submission’s owner, and of the submission itself, that subscribes
 * to events of this type.
 */
export async function addDeliveries(db: Queries, submissionId: string, event: number, type: string): Promise<void> {
  const now = new Date();
  // A webhook that is deleted at this moment is left out instead of failing the transaction: hence the lock.
  await sql`
    insert into delivery (id, webhook_id, submission_id, event, created_at, due_at, expires_at)
    select gen_random_uuid(), w.id, s.id, ${event}::integer, ${now}::timestamptz, ${now}::timestamptz, ${after(now)}::timestamptz
    from submission s join webhook w
      on w.submission_id = s.id or (w.submission_id is null and w.owner = s.owner)
    where s.id = ${submissionId} and w.disabled_at is null and (w.events is null or ${type} = any(w.events))
    for key share of w`.execute(db);
}

/**
 * For a webhook of one submission: what has happened before it was registered. The submission must be locked. Data is
 * looked into where it is known alone: elsewhere it may hold a NUL, which is refused.
 */
export async function addEarlierDeliveries(
  db: Queries,
  queue: DeliveryQueue & { submission: string },
  types: readonly string[],
): Promise<void> {
  const now = new Date();
  await sql`
    insert into delivery (id, webhook_id, submission_id, event, created_at, due_at, expires_at)
    select gen_random_uuid(), ${queue.webhook}, submission_id, seq, ${now}::timestamptz, ${now}::timestamptz, ${after(now)}::timestamptz
    from event
    where submission_id = ${queue.submission} and type = any(${types}::text[])
      and case when type = 'failed' then (data->>'code') is distinct from 'retry_requested' else true end`.execute(db);
}

/** Notes a test delivery, which is tried once. */
export async function addTestDelivery(db: Queries, webhook: string): Promise<TypedDelivery> {
  const now = new Date();
  const row = { id: randomUUID(), webhook_id: webhook, submission_id: null, event: null, answer: null, error: null };
  const times = { created_at: now, due_at: now, expires_at: now, attempted_at: null };
  const delivery = await db
    .insertInto("delivery")
    .values({ ...row, ...times })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...delivery, type: TEST_TYPE };
}

/** Lanes in which something may be due; some of them wait for a delivery that is not. */
export async function dueDeliveryQueues(db: Queries, now: Date, limit: number): Promise<DueDeliveryQueue[]> {
  const { rows } = await sql<DueDeliveryQueue>`
    select d.webhook_id as webhook, d.submission_id as submission, w.owner, w.url
    from (
      select distinct webhook_id, submission_id from delivery
      where status = 'pending' and due_at <= ${now}::timestamptz limit ${limit}
    ) d join webhook w on w.id = d.webhook_id`.execute(db);
  return rows;
}

/** The next delivery of a queue, due or not. */
export async function nextDelivery(
  db: Queries,
  { webhook, submission }: DeliveryQueue,
): Promise<DeliveryRow | undefined> {
  return db
    .selectFrom("delivery")
    .selectAll()
    .where("webhook_id", "=", webhook)
    .where("submission_id", "is not distinct from", submission)
    .where("status", "=", "pending")
    .orderBy("event")
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
}

/** Lets all that waits in a queue wait until its first one is due. */
export async function postpone(db: Queries, { webhook, submission }: DeliveryQueue, until: Date): Promise<void> {
  await db
    .updateTable("delivery")
    .set({ due_at: until })
    .where("webhook_id", "=", webhook)
    .where("submission_id", "is not distinct from", submission)
    .where("status", "=", "pending")
    .where("due_at", "<", until)
    .execute();
}

/** What came of an attempt. */
export interface Attempt {
  status: "delivered" | "pending" | "given_up";
  at: Date;
  answer: number | null;
  error: DeliveryError | null;
}

/** Notes an attempt. False where the delivery is not pending any more. */
export async function recordAttempt(db: Queries, id: string, attempt: Attempt): Promise<boolean> {
  const { status, at, answer, error } = attempt;
  const noted = await db
    .updateTable("delivery")
    .set((eb) => ({
      status,
      attempts: eb("attempts", "+", 1),
      attempted_at: at,
      answer,
      error: error === null ? null : JSON.stringify(error),
    }))
    .where("id", "=", id)
    .where("status", "=", "pending")
    .executeTakeFirst();
  return noted.numUpdatedRows > 0n;
}

/** Gives up all that a webhook still waits for. How many that were. */
export async function giveUpAll(db: Queries, webhook: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("delivery")
    .set({ status: "given_up" })
    .where("webhook_id", "=", webhook)
    .where("status", "=", "pending")
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Lets a delivery be tried again at once, whatever came of it, for another day; undefined where there is no such one. */
export async function replay(db: Queries, webhook: string, id: string): Promise<TypedDelivery | undefined> {
  if (!UUID.test(id)) return undefined;
  const now = new Date();
  return db
    .updateTable("delivery")
    .set({
      status: "pending",
      due_at: now,
      // A test delivery is tried once each time.
      expires_at: sql<Date>`case when event is null then ${now}::timestamptz else ${after(now)}::timestamptz end`,
    })
    .where("id", "=", id)
    .where("webhook_id", "=", webhook)
    .returningAll()
    .returning(typeOf())
    .executeTakeFirst();
}

/** Of the event that a delivery is about. */
function typeOf() {
  return sql<string>`coalesce((select event.type from event
    where event.submission_id = delivery.submission_id and event.seq = delivery.event), ${sql.lit(TEST_TYPE)})`.as(
    "type",
  );
}

/** A delivery with the type of its event. */
export interface TypedDelivery extends DeliveryRow {
  type: string;
}

interface DeliveryFilter {
  webhook: string;
  status?: string | undefined;
  limit: number;
  before?: { createdAt: Date; event: number; id: string } | undefined;
}

/** Newest first, after the cursor; of what was noted at one moment the latest event. */
export async function listDeliveries(db: Queries, filter: DeliveryFilter): Promise<TypedDelivery[]> {
  // A test delivery stands where the event number 0 would.
  const event = sql<number>`coalesce(delivery.event, 0)`;
  let query = db.selectFrom("delivery").selectAll().select(typeOf()).where("webhook_id", "=", filter.webhook);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (filter.before !== undefined) {
    const { createdAt, event: number, id } = filter.before;
    query = query.where(sql<boolean>`(created_at, ${event}, id) < (${createdAt}, ${number}, ${id})`);
  }
  return query.orderBy("created_at", "desc").orderBy(event, "desc").orderBy("id", "desc").limit(filter.limit).execute();
}

/** Forgets what was done with long ago. */
export async function forgetDeliveries(db: Queries, before: Date): Promise<void> {
  await db.deleteFrom("delivery").where("status", "!=", "pending").where("created_at", "<", before).execute();
}

function after(now: Date): Date {
  return new Date(now.getTime() + TRIED_MS);
}
