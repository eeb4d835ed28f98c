import { type Selectable, sql } from "kysely";
import type { Queries } from "../database.ts";
import type { MailTable } from "./notification-tables.ts";

export type MailRow = Selectable<MailTable>;

/** Time after an event during which sending the mail is tried. */
const TRIED_MS = 86_400_000;
/** Period for the limit of mails to one address. */
const COUNTED_MS = 86_400_000;
/** Delay after the last try before a mail is given up here, so that the worker that makes the last try comes first. */
const LATE_MS = 3_600_000;

/** Stores the encrypted address that receives mails about a submission. */
export async function addRecipient(
  db: Queries,
  submission_id: string,
  address: Uint8Array,
  fingerprint: string,
): Promise<void> {
  await db.insertInto("mail_recipient").values({ submission_id, address, fingerprint }).execute();
}

/** Adds the mail about an event, if the submission has a recipient. */
export async function addMail(db: Queries, submissionId: string, event: number): Promise<void> {
  const now = new Date();
  const expires = new Date(now.getTime() + TRIED_MS);
  await sql`
    insert into mail (submission_id, event, fingerprint, created_at, due_at, expires_at)
    select submission_id, ${event}::integer, fingerprint, ${now}::timestamptz, ${now}::timestamptz, ${expires}::timestamptz
    from mail_recipient where submission_id = ${submissionId}`.execute(db);
}

/** Submissions with a due mail. */
export async function dueMails(db: Queries, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("mail")
    .select("submission_id")
    .distinct()
    .where("status", "=", "pending")
    .where("due_at", "<=", now)
    .limit(limit)
    .execute();
  return rows.map(({ submission_id }) => submission_id);
}

/** The first pending mail about a submission, due or not. */
export async function firstMail(db: Queries, submissionId: string): Promise<MailRow | undefined> {
  return db
    .selectFrom("mail")
    .selectAll()
    .where("submission_id", "=", submissionId)
    .where("status", "=", "pending")
    .orderBy("event")
    .limit(1)
    .executeTakeFirst();
}

/** The encrypted address; undefined once it is erased. */
export async function recipientOf(db: Queries, submissionId: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("mail_recipient")
    .select("address")
    .where("submission_id", "=", submissionId)
    .executeTakeFirst();
  return row?.address;
}

/** Number of mails sent to an address within a day. */
export async function mailsTo(db: Queries, fingerprint: string): Promise<number> {
  const { count } = await db
    .selectFrom("mail")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("fingerprint", "=", fingerprint)
    .where("status", "=", "sent")
    .where("created_at", ">", new Date(Date.now() - COUNTED_MS))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Records the outcome of a mail or, with `dueAt`, postpones it and the following mails. */
export async function recordMail(
  db: Queries,
  { submission_id, event }: Pick<MailRow, "submission_id" | "event">,
  outcome: "sent" | "given_up" | "not_needed" | { dueAt: Date },
): Promise<void> {
  const isLater = typeof outcome === "object";
  if (isLater) await postponeMails(db, submission_id, outcome.dueAt);
  await db
    .updateTable("mail")
    .set((eb) => ({ attempts: eb("attempts", "+", 1), ...(!isLater && { status: outcome }) }))
    .where("submission_id", "=", submission_id)
    .where("event", "=", event)
    .execute();
}

/** Postpones all mails about a submission. */
export async function postponeMails(db: Queries, submissionId: string, until: Date): Promise<void> {
  await db
    .updateTable("mail")
    .set({ due_at: until })
    .where("submission_id", "=", submissionId)
    .where("status", "=", "pending")
    .where("due_at", "<", until)
    .execute();
}

/**
 * Erases the addresses of ended submissions without pending mails, and deletes records that no longer count for the limit. If
 * no process sends mail, overdue mails are given up here.
 */
export async function eraseRecipients(db: Queries): Promise<void> {
  await db
    .updateTable("mail")
    .set({ status: "given_up" })
    .where("status", "=", "pending")
    .where("expires_at", "<", new Date(Date.now() - LATE_MS))
    .execute();
  await sql`
    delete from mail_recipient r using submission s
    where s.id = r.submission_id
      and (s.status in ('completed', 'cancelled') or (s.status = 'failed' and not s.staged))
      and not exists (select from mail m where m.submission_id = s.id and m.status = 'pending')`.execute(db);
  await db
    .deleteFrom("mail")
    .where("status", "!=", "pending")
    .where("created_at", "<", new Date(Date.now() - 2 * COUNTED_MS))
    .execute();
}
