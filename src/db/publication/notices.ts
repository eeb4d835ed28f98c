import { type SqlBool, sql } from "kysely";
import { REMINDED_STATES } from "../../publication/rules/due-reminder.ts";
import { EMBARGO_NOTICES } from "../../publication/rules/embargo-notices.ts";
import type { Queries } from "../database.ts";
import type { PublicationRow } from "./publications.ts";

type Key = Pick<PublicationRow, "dataset_id" | "version">;

const DAY_MS = 86_400_000;

/** Publications that may need a reminder, those that have waited longest first; `dueReminder` decides. */
export async function waitingPublications(
  db: Queries,
  { now, periodMs, most, limit }: { now: Date; periodMs: number; most: number; limit: number },
): Promise<Key[]> {
  const before = new Date(now.getTime() - periodMs);
  const after = new Date(now.getTime() + periodMs);
  return db
    .selectFrom("publication as one")
    .innerJoin("dataset", "dataset.id", "one.dataset_id")
    .select(["one.dataset_id", "one.version"])
    .where("dataset.withdrawn_at", "is", null)
    .where("one.state", "in", REMINDED_STATES)
    .where("one.reminders", "<", most)
    .where(
      sql<SqlBool>`(coalesce(one.reminded_at, one.since) <= ${before} or coalesce(one.reminded_at, one.since) > ${after})`,
    )
    .orderBy("one.since")
    .limit(limit)
    .execute();
}

/** Published versions with open requests for access that may need a reminder, those that have waited longest first. */
export async function unansweredRequests(
  db: Queries,
  { now, periodMs, most, limit }: { now: Date; periodMs: number; most: number; limit: number },
): Promise<Key[]> {
  const before = new Date(now.getTime() - periodMs);
  const after = new Date(now.getTime() + periodMs);
  return db
    .selectFrom("access_request as asked")
    .innerJoin("publication as one", (join) =>
      join.onRef("one.dataset_id", "=", "asked.dataset_id").onRef("one.version", "=", "asked.version"),
    )
    .select(["asked.dataset_id", "asked.version"])
    .where("asked.state", "=", "open")
    .where("one.state", "=", "published")
    .where("asked.reminders", "<", most)
    .where(
      sql<SqlBool>`(coalesce(asked.reminded_at, asked.created_at) <= ${before} or coalesce(asked.reminded_at, asked.created_at) > ${after})`,
    )
    .groupBy(["asked.dataset_id", "asked.version"])
    .orderBy(sql`min(asked.created_at)`)
    .limit(limit)
    .execute();
}

/** The open requests for access to a version, oldest first. */
export async function openRequestsOf(db: Queries, { dataset_id, version }: Key) {
  return db
    .selectFrom("access_request")
    .select(["id", "created_at", "reminded_at", "reminders"])
    .where((eb) => eb.and({ dataset_id, version, state: "open" }))
    .orderBy("created_at")
    .execute();
}

/** Records a reminder of requests for access. */
export async function recordRequestReminder(trx: Queries, ids: readonly string[], at: Date): Promise<void> {
  await trx
    .updateTable("access_request")
    .set((eb) => ({ reminded_at: at, reminders: eb("reminders", "+", 1) }))
    .where("id", "in", ids)
    .execute();
}

/** Published versions with a notice about the end of their embargo that was not given yet. */
export async function endingEmbargoes(db: Queries, now: Date, limit: number): Promise<Key[]> {
  const due = EMBARGO_NOTICES.map((days) => {
    const day = new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
    const given = EMBARGO_NOTICES.filter((other) => other <= days).map((other) => sql`embargo_date || ${` ${other}`}`);
    return sql<SqlBool>`(embargo_date <= ${day} and coalesce(embargo_notice, '') not in (${sql.join(given)}))`;
  });
  return db
    .selectFrom("publication")
    .select(["dataset_id", "version"])
    .where((eb) => eb.and({ state: "published", access: "embargoed" }))
    .where(sql<SqlBool>`(${sql.join(due, sql` or `)})`)
    .orderBy("embargo_date")
    .limit(limit)
    .execute();
}

/** Records a reminder or a notice. It is no change of the publication, whose ETag stays the same. */
export async function recordNotice(
  trx: Queries,
  { dataset_id, version }: Key,
  notice: Partial<Pick<PublicationRow, "reminded_at" | "reminders" | "embargo_notice">>,
): Promise<void> {
  await trx
    .updateTable("publication")
    .set(notice)
    .where((eb) => eb.and({ dataset_id, version }))
    .execute();
}
