import { type Selectable, sql } from "kysely";
import type { SealedAddress } from "../../domain/sealed-address.ts";
import { UPLOAD_NOTICE_DAYS } from "../../domain/source-access/upload-expiry.ts";
import type { Queries } from "../database.ts";
import type { MailTable } from "../tables/notification-tables.ts";
import { erasePublicationRecipients } from "./publication-recipients.ts";

export type MailRow = Selectable<MailTable>;
/** The mails about a submission or an upload to one party, which are sent in order. */
export type MailQueue = Pick<MailRow, "subject_id" | "party">;
/** Identifies a mail. */
type MailKey = Pick<MailRow, "subject_id" | "event" | "party">;

/** Time after an event during which sending the mail is tried. */
const TRIED_MS = 86_400_000;
/** Until the upload is deleted. */
const UPLOADER_TRIED_MS = UPLOAD_NOTICE_DAYS * 86_400_000;
/** Period for the limit of mails to one address. */
const COUNTED_MS = 86_400_000;
/** Delay after the last try before a mail is given up here, so that the worker that makes the last try comes first. */
const LATE_MS = 3_600_000;

/** The states of mails that can still be sent. */
const UNSENT = ["pending", "held"] as const;

/** Stores the encrypted address that receives mails about a submission. */
export async function addRecipient(db: Queries, submission_id: string, sealed: SealedAddress): Promise<void> {
  await db
    .insertInto("mail_recipient")
    .values({ submission_id, ...sealed })
    .execute();
}

/** Adds the mail about an event to a party, unless there is one. Submitters receive mail only if the submission has a recipient. */
export async function addMail(db: Queries, { subject_id, party }: MailQueue, event: number): Promise<void> {
  const created_at = new Date();
  const expires_at = new Date(created_at.getTime() + (party === "uploader" ? UPLOADER_TRIED_MS : TRIED_MS));
  const fingerprint = party === "submitter" ? await fingerprintOf(db, subject_id) : null;
  if (fingerprint === undefined) return;
  await db
    .insertInto("mail")
    .values({ subject_id, event, party, fingerprint, created_at, due_at: created_at, expires_at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function fingerprintOf(db: Queries, submissionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("mail_recipient")
    .select("fingerprint")
    .where("submission_id", "=", submissionId)
    .executeTakeFirst();
  return row?.fingerprint;
}

/** Queues with a due mail. */
export async function dueMails(db: Queries, now: Date, limit: number): Promise<MailQueue[]> {
  return db
    .selectFrom("mail")
    .select(["subject_id", "party"])
    .distinct()
    .where("status", "=", "pending")
    .where("due_at", "<=", now)
    .limit(limit)
    .execute();
}

/** The first pending mail of a queue, due or not. */
export async function firstMail(db: Queries, { subject_id, party }: MailQueue): Promise<MailRow | undefined> {
  return db
    .selectFrom("mail")
    .selectAll()
    .where((eb) => eb.and({ subject_id, party, status: "pending" }))
    .orderBy("event")
    .limit(1)
    .executeTakeFirst();
}

/** The encrypted address of the submitter; undefined once it is erased. */
export async function recipientOf(
  db: Queries,
  submissionId: string,
): Promise<{ address: Uint8Array; fingerprint: string } | undefined> {
  return db
    .selectFrom("mail_recipient")
    .select(["address", "fingerprint"])
    .where("submission_id", "=", submissionId)
    .executeTakeFirst();
}

/** Records to which address a mail is sent, before it is sent. */
export async function addressMail(db: Queries, mail: MailRow, fingerprint: string): Promise<void> {
  if (mail.fingerprint === fingerprint) return;
  await db
    .updateTable("mail")
    .set({ fingerprint })
    .where((eb) => eb.and(keyOf(mail)))
    .execute();
}

/**
 * Counts a mail as sent to its address, before it is sent, so that any number of processes together send no more than the limit. After a
 * crash it stays counted.
 * @returns false if the address has received the most mails within a day, or the mail was removed meanwhile
 */
export async function countMail(
  db: Queries,
  mail: MailKey,
  { fingerprint, mostADay }: { fingerprint: string; mostADay: number },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    // Mails to one address are counted one after the other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${fingerprint}, 6))`.execute(trx);
    const now = Date.now();
    const { count } = await trx
      .selectFrom("mail")
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .where("fingerprint", "=", fingerprint)
      .where("sent_at", ">", new Date(now - COUNTED_MS))
      .executeTakeFirstOrThrow();
    if (Number(count) >= mostADay) return false;
    const { numUpdatedRows } = await trx
      .updateTable("mail")
      .set({ sent_at: new Date(now) })
      .where((eb) => eb.and(keyOf(mail)))
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/**
 * Records the outcome of a mail or, with `dueAt`, postpones it and the following mails.
 * @param outcome.deliveredTo fingerprints of the addresses, of several, that need no further attempt
 * @param sentAt when it was sent last, after this attempt; default: as it was before
 */
export async function recordMail(
  db: Queries,
  mail: MailRow,
  outcome: "sent" | "given_up" | "not_needed" | "in_digest" | { dueAt: Date; deliveredTo: string[] },
  sentAt: Date | null = mail.sent_at,
): Promise<void> {
  const isLater = typeof outcome === "object";
  if (isLater) await postponeMails(db, mail, outcome.dueAt);
  const change = isLater ? { delivered_to: outcome.deliveredTo } : { status: outcome };
  await db
    .updateTable("mail")
    .set((eb) => ({ attempts: eb("attempts", "+", 1), sent_at: sentAt, ...change }))
    .where((eb) => eb.and(keyOf(mail)))
    .execute();
}

/** Removes mails about the expiry of an upload, unless they were sent or are being sent. @returns whether there was one */
export async function removeUnsentNotices(db: Queries, upload: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("mail")
    .where((eb) => eb.and({ subject_id: upload, party: "uploader" }))
    .where("sent_at", "is", null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Holds a mail until it is sent at this time, together with the others that are held for its address. */
export async function holdMail(db: Queries, mail: MailRow, until: Date): Promise<void> {
  await db
    .updateTable("mail")
    .set({ status: "held", due_at: until, expires_at: new Date(until.getTime() + TRIED_MS) })
    .where((eb) => eb.and(keyOf(mail)))
    .execute();
}

/** Addresses for which held mails are due, as fingerprints, each with one of the submissions. */
export async function dueDigests(
  db: Queries,
  now: Date,
  limit: number,
): Promise<{ fingerprint: string; submission: string }[]> {
  const { rows } = await sql<{ fingerprint: string; submission: string }>`
    select fingerprint, min(subject_id::text) as submission from mail
    where status = 'held' and due_at <= ${now} and fingerprint is not null
    group by fingerprint limit ${limit}`.execute(db);
  return rows;
}

/** The due mails that are held for an address, oldest first. */
export async function heldMails(db: Queries, fingerprint: string, now: Date, limit: number): Promise<MailRow[]> {
  return db
    .selectFrom("mail")
    .selectAll()
    .where((eb) => eb.and({ fingerprint, status: "held" }))
    .where("due_at", "<=", now)
    .orderBy("created_at")
    .orderBy("subject_id")
    .orderBy("event")
    .limit(limit)
    .execute();
}

/** Records the outcome of mails that were sent as one. Only the first, which was counted, counts for the limit of their address. */
export async function recordDigest(
  db: Queries,
  mails: readonly MailRow[],
  outcome: "sent" | "given_up",
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const [nth, mail] of mails.entries()) {
      const sentAt = nth === 0 && outcome === "sent" ? new Date() : mail.sent_at;
      await recordMail(trx, mail, nth === 0 ? outcome : "in_digest", sentAt);
    }
  });
}

/** Postpones mails that are sent as one, after a failed try. */
export async function postponeDigest(db: Queries, mails: readonly MailRow[], until: Date): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (const mail of mails) {
      await trx
        .updateTable("mail")
        .set((eb) => ({ attempts: eb("attempts", "+", 1), due_at: until, sent_at: mail.sent_at }))
        .where((eb) => eb.and(keyOf(mail)))
        .execute();
    }
  });
}

function keyOf({ subject_id, event, party }: MailKey): MailKey {
  return { subject_id, event, party };
}

/** Postpones all mails of a queue. */
export async function postponeMails(db: Queries, { subject_id, party }: MailQueue, until: Date): Promise<void> {
  await db
    .updateTable("mail")
    .set({ due_at: until })
    .where((eb) => eb.and({ subject_id, party, status: "pending" }))
    .where("due_at", "<", until)
    .execute();
}

/**
 * Erases the addresses of ended submissions and publications without pending mails, and deletes records a day after the last attempt, when
 * they no longer count for the limit. If no process sends mail, overdue mails are given up here.
 */
export async function eraseRecipients(db: Queries): Promise<void> {
  await db
    .updateTable("mail")
    .set({ status: "given_up" })
    .where("status", "in", UNSENT)
    .where("expires_at", "<", new Date(Date.now() - LATE_MS))
    .execute();
  await sql`
    delete from mail_recipient r using submission s
    where s.id = r.submission_id
      and (s.status in ('completed', 'cancelled') or (s.status = 'failed' and not s.staged))
      and not exists (
        select from mail m where m.subject_id = s.id and m.party = 'submitter' and m.status = 'pending')`.execute(db);
  await erasePublicationRecipients(db);
  await db
    .deleteFrom("mail")
    .where("status", "not in", UNSENT)
    .where(sql<Date>`greatest(sent_at, expires_at)`, "<", new Date(Date.now() - COUNTED_MS))
    .execute();
}
