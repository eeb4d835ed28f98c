import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { isUuid } from "../../domain/uuid.ts";
import type { Queries } from "../database.ts";
import type { DeliveryTable } from "../tables/notification-tables.ts";

export type DeliveryRow = Selectable<DeliveryTable>;

/** Time after an event, or after a replay request, during which delivery is tried. */
export const TRIED_MS = 86_400_000;

/** Deliveries of one webhook about one submission, or its test deliveries. A queue is delivered in order. */
export interface DeliveryQueue {
  webhook: string;
  /** Null for test deliveries. */
  submission: string | null;
}

/** The type of a test delivery, in addition to the event types of a submission's log. */
export const TEST_TYPE = "test";

/** A queue with a due delivery. */
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
  // The lock skips a webhook that is being deleted; otherwise it would fail the transaction.
  await sql`
    insert into delivery (id, webhook_id, submission_id, event, created_at, due_at, expires_at)
    select gen_random_uuid(), w.id, s.id, ${event}::integer, ${now}::timestamptz, ${now}::timestamptz, ${after(now)}::timestamptz
    from submission s join webhook w
      on w.submission_id = s.id or (w.submission_id is null and w.owner = s.owner)
    where s.id = ${submissionId} and w.disabled_at is null and (w.events is null or ${type} = any(w.events))
    for key share of w`.execute(db);
}

/**
 * Adds deliveries of earlier events for a webhook of one submission. The submission must be locked. Only the data of known
 * event types is parsed, because other data may contain a NUL, which PostgreSQL refuses.
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

/** Adds a test delivery, which is tried once. */
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

/** Queues that may have a due delivery. In some, an earlier delivery that is not yet due comes first. */
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

/** Postpones all pending deliveries of a queue until its first one is due. */
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

/** The outcome of a try. */
export interface Attempt {
  status: "delivered" | "pending" | "given_up";
  at: Date;
  answer: number | null;
  error: DeliveryError | null;
}

/** Records a try. False if the delivery is no longer pending. */
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
    .where((eb) => eb.and({ id, status: "pending" }))
    .executeTakeFirst();
  return noted.numUpdatedRows > 0n;
}

/** Gives up all pending deliveries of a webhook, and returns their number. */
export async function giveUpAll(db: Queries, webhook: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("delivery")
    .set({ status: "given_up" })
    .where((eb) => eb.and({ webhook_id: webhook, status: "pending" }))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Schedules a delivery again immediately and for another day, regardless of its outcome; undefined if it does not exist. */
export async function replay(db: Queries, webhook: string, id: string): Promise<TypedDelivery | undefined> {
  if (!isUuid(id)) return undefined;
  const now = new Date();
  return db
    .updateTable("delivery")
    .set({
      status: "pending",
      due_at: now,
      // Each replay tries a test delivery once.
      expires_at: sql<Date>`case when event is null then ${now}::timestamptz else ${after(now)}::timestamptz end`,
    })
    .where((eb) => eb.and({ id, webhook_id: webhook }))
    .returningAll()
    .returning(typeOf())
    .executeTakeFirst();
}

/** The type of a delivery's event. */
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

/** Newest first, after the cursor; for deliveries with the same time, the latest event first. */
export async function listDeliveries(db: Queries, filter: DeliveryFilter): Promise<TypedDelivery[]> {
  // A test delivery is sorted like event number 0.
  const event = sql<number>`coalesce(delivery.event, 0)`;
  let query = db.selectFrom("delivery").selectAll().select(typeOf()).where("webhook_id", "=", filter.webhook);
  if (filter.status !== undefined) query = query.where("status", "=", filter.status);
  if (filter.before !== undefined) {
    const { createdAt, event: number, id } = filter.before;
    query = query.where(sql<boolean>`(created_at, ${event}, id) < (${createdAt}, ${number}, ${id})`);
  }
  return query.orderBy("created_at", "desc").orderBy(event, "desc").orderBy("id", "desc").limit(filter.limit).execute();
}

/** Deletes finished deliveries older than `before`. */
export async function forgetDeliveries(db: Queries, before: Date): Promise<void> {
  await db.deleteFrom("delivery").where("status", "!=", "pending").where("created_at", "<", before).execute();
}

function after(now: Date): Date {
  return new Date(now.getTime() + TRIED_MS);
}
