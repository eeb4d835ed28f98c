import { type Selectable, sql } from "kysely";
import { Problem } from "../../domain/problems.ts";
import { isUuid } from "../../domain/uuid.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { WebhookTable } from "../tables/notification-tables.ts";
import { giveUpAll } from "./deliveries.ts";

export type WebhookRow = Selectable<WebhookTable>;
export type NewWebhook = Pick<
  WebhookRow,
  "id" | "owner" | "submission_id" | "url" | "format" | "events" | "keys" | "public_key" | "created_at"
>;

/** Maximum number of webhooks of one owner for all submissions, and of webhooks of one submission. */
const MOST_OF_OWNER = 20;
const MOST_OF_SUBMISSION = 5;

/** @throws Problem `too_many_webhooks` */
export async function addWebhook(trx: Trx, webhook: NewWebhook): Promise<void> {
  const { owner, submission_id: submission } = webhook;
  const most = submission === null ? MOST_OF_OWNER : MOST_OF_SUBMISSION;
  await sql`select pg_advisory_xact_lock(hashtextextended(${submission ?? owner}, 2))`.execute(trx);
  let query = trx.selectFrom("webhook").select((eb) => eb.fn.countAll<number>().as("count"));
  query =
    submission === null
      ? query.where("owner", "=", owner).where("submission_id", "is", null)
      : query.where("submission_id", "=", submission);
  const { count } = await query.executeTakeFirstOrThrow();
  if (Number(count) >= most) {
    const whose = submission === null ? "owner" : "submission";
    throw new Problem("too_many_webhooks", `The limit of ${most} webhooks per ${whose} has been reached`);
  }
  await trx.insertInto("webhook").values(webhook).execute();
}

/** The webhook with this id, or undefined, also for a text that is not an id. */
export async function findWebhook(db: Queries, id: string): Promise<WebhookRow | undefined> {
  if (!isUuid(id)) return undefined;
  return db.selectFrom("webhook").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function lockWebhook(trx: Trx, id: string): Promise<WebhookRow | undefined> {
  return trx.selectFrom("webhook").selectAll().where("id", "=", id).forNoKeyUpdate().executeTakeFirst();
}

interface WebhookFilter {
  /** Undefined for all owners. */
  owner: string | undefined;
  limit: number;
  before?: { createdAt: Date; id: string } | undefined;
}

/** Newest first, after the cursor. */
export async function listWebhooks(db: Queries, filter: WebhookFilter): Promise<WebhookRow[]> {
  let query = db.selectFrom("webhook").selectAll();
  if (filter.owner !== undefined) query = query.where("owner", "=", filter.owner);
  if (filter.before !== undefined) {
    const { createdAt, id } = filter.before;
    query = query.where((eb) =>
      eb.or([eb("created_at", "<", createdAt), eb.and([eb("created_at", "=", createdAt), eb("id", "<", id)])]),
    );
  }
  return query.orderBy("created_at", "desc").orderBy("id", "desc").limit(filter.limit).execute();
}

/** Sets the event types that are delivered; null for all. */
export async function setWebhookEvents(db: Queries, id: string, events: string[] | null): Promise<void> {
  await db.updateTable("webhook").set({ events }).where("id", "=", id).execute();
}

/** Removes a webhook, its keys and its deliveries. */
export async function removeWebhook(db: Queries, id: string): Promise<void> {
  await db.deleteFrom("webhook").where("id", "=", id).execute();
}

export async function replaceKeys(
  trx: Trx,
  id: string,
  keys: Pick<WebhookRow, "keys" | "public_key" | "old_key_until">,
): Promise<void> {
  await trx.updateTable("webhook").set(keys).where("id", "=", id).execute();
}

export async function recordDelivered(db: Queries, id: string, at: Date): Promise<void> {
  await db.updateTable("webhook").set({ delivered_at: at }).where("id", "=", id).execute();
}

/**
 * Stops deliveries to a webhook until it is enabled again. Its pending deliveries are given up; returns their number.
 */
export async function disableWebhook(db: Queries, id: string, because: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await trx
      .updateTable("webhook")
      .set({ disabled_at: new Date(), disabled_because: because })
      .where("id", "=", id)
      .where("disabled_at", "is", null)
      .execute();
    return giveUpAll(trx, id);
  });
}

export async function enableWebhook(db: Queries, id: string): Promise<void> {
  await db.updateTable("webhook").set({ disabled_at: null, disabled_because: null }).where("id", "=", id).execute();
}

/** Removes the webhooks of single submissions that ended before this time. */
export async function forgetWebhooks(db: Queries, before: Date): Promise<void> {
  await sql`
    delete from webhook w using submission s
    where s.id = w.submission_id and s.finished_at < ${before}::timestamptz
      and (s.status in ('completed', 'cancelled') or (s.status = 'failed' and not s.staged))`.execute(db);
}
