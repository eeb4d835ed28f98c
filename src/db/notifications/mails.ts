import { type Selectable, sql } from "kysely";
import type { Queries } from "../database.ts";
import type { MailTable } from "./notification-tables.ts";

export type MailRow = Selectable<MailTable>;

/** For so long after an event it is tried to send the mail. */
const TRIED_MS = 86_400_000;
/** What is counted when it is asked how many mails somebody was sent. */
const COUNTED_MS = 86_400_000;
/** After the last try, so that whoever makes it is not forestalled. */
const LATE_MS = 3_600_000;

/** To whom it is written about a submission, sealed. */
export async function addRecipient(
  db: Queries,
  submission_id: string,
  address: Uint8Array,
  fingerprint: string,
): Promise<void> {
  await db.insertInto("mail_recipient").values({ submission_id, address, fingerprint }).execute();
}

/** One mail an event, where there is somebody to write to. */
export async function addMail(db: Queries, submissionId: string, event: number): Promise<void> {
  const now = new Date();
  const expires = new Date(now.getTime() + TRIED_MS);
  await sql`
    insert into mail (submission_id, event, fingerprint, created_at, due_at, expires_at)
    select submission_id, ${event}::integer, fingerprint, ${now}::timestamptz, ${now}::timestamptz, ${expires}::timestamptz
    from mail_recipient where submission_id = ${submissionId}`.execute(db);
}

/** Submissions about which a mail is due. */
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

/** The first mail about a submission that is still to be sent, due or not. */
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

/** The sealed address; undefined once it is erased. */
export async function recipientOf(db: Queries, submissionId: string): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("mail_recipient")
    .select("address")
    .where("submission_id", "=", submissionId)
    .executeTakeFirst();
  return row?.address;
}

/** How many mails an address was sent within a day. */
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

/** Notes what became of a mail, or with `dueAt` that it and those after it wait until then. */
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

/** Lets all mails about a submission wait. */
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
 * Erases the addresses of submissions that are over, once nothing is left to be sent about them, and forgets what is
 * not counted any more. Where no process sends mail what is too late is given up here.
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
