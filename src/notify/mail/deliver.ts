import {
  countMail,
  eraseRecipients,
  firstMail,
  holdMail,
  type MailQueue,
  type MailRow,
  postponeMails,
  recordMail,
} from "../../db/notifications/mails.ts";
import { recordAccepted } from "../../db/notifications/publication-recipients.ts";
import { fingerprintOf } from "../../domain/sealed-address.ts";
import type { NotifyContext } from "../context.ts";
import { nextTry } from "../next-try.ts";
import { nextDigest } from "./digest.ts";
import { letterOf } from "./mail-text.ts";
import { type Mailer, type MailMessage, MailRefused, type RefusedRecipient } from "./mailer.ts";
import { prepareMail } from "./prepare.ts";
import { DAILY_LIMIT, type PublicationIn, type Recipients } from "./recipients.ts";
import { noteUndelivered } from "./undelivered.ts";
import { MAIL_TEXTS } from "./words/words.ts";

/**
 * Sends the due mails of a queue, in order. After a crash between sending and recording, a mail is sent twice, with the same
 * Message-ID, so that mail programs show it once.
 */
export async function sendMails(
  context: NotifyContext,
  mailer: Mailer,
  queue: MailQueue,
  { isHeld, signal }: { isHeld: () => Promise<boolean>; signal: AbortSignal },
): Promise<void> {
  for (;;) {
    const mail = await firstMail(context.db, queue);
    if (mail === undefined) return eraseRecipients(context.db);
    if (mail.due_at > new Date()) return postponeMails(context.db, queue, mail.due_at);
    if (signal.aborted || !(await isHeld())) return;
    await sendOne(context, mailer, mail);
  }
}

async function sendOne(context: NotifyContext, mailer: Mailer, mail: MailRow): Promise<void> {
  const { db } = context;
  const prepared = await prepareMail(context, mail);
  if (typeof prepared === "string") return recordMail(db, mail, prepared);
  const { of, recipients, told, language, delivery } = prepared;
  if (delivery === "action") return recordMail(db, mail, "not_needed");
  if (delivery === "daily") return holdMail(db, mail, nextDigest(new Date()));
  await send(context, mailer, { mail, of, recipients, message: letterOf(told, MAIL_TEXTS[language]) });
}

interface Sending {
  mail: MailRow;
  of: PublicationIn | undefined;
  recipients: Recipients;
  message: Omit<MailMessage, "to">;
}

/** Sends a mail to the recipients who have not received it yet, and records the outcome for each of them. */
async function send(context: NotifyContext, mailer: Mailer, sending: Sending): Promise<void> {
  const { mail, recipients, message } = sending;
  const isDone = (address: string) => mail.delivered_to.includes(fingerprintOf(context.vault, address));
  const to = recipients.addresses.filter((address) => !isDone(address));
  // Tried later, as after a failure: a notice of deletion also on the next days.
  if (to.length > 0 && !(await countMail(context.db, mail, recipients)))
    return recordOutcome(context, sending, { to, refused: to.map(unreached), why: DAILY_LIMIT });
  try {
    // Without recipients, the attempt before was interrupted when all were done.
    await recordOutcome(context, sending, {
      to,
      refused: to.length === 0 ? [] : await mailer.send({ ...message, to }),
    });
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    await recordOutcome(context, sending, { to, refused: to.map(unreached), why: error.message });
  }
}

interface Outcome {
  to: readonly string[];
  refused: readonly RefusedRecipient[];
  /** Why the server accepted the mail for no recipient; undefined if that is the reason of each. */
  why?: string;
}

async function recordOutcome(
  context: NotifyContext,
  { mail, of, recipients }: Sending,
  { to, refused, why }: Outcome,
): Promise<void> {
  const { db, log, metrics, vault } = context;
  const again = nextTry(mail.attempts + 1, new Date(), mail.expires_at);
  const later = again === undefined ? [] : refused.filter(({ isForGood }) => !isForGood);
  const lost = refused.filter((one) => !later.includes(one));
  const accepted = to.filter((address) => refused.every((one) => one.address !== address));
  const sentAt = accepted.length > 0 ? new Date() : mail.sent_at;
  for (const { status } of lost) {
    metrics.noticed("mail", "given_up");
    const fields = { event: mail.event, party: mail.party, why: why ?? reasonOf(status) };
    log.warn(fields, "a mail cannot be sent; no more retries");
  }
  if (lost.length > 0) await noteUndelivered(context, mail, { of, recipients, status: lost[0]?.status });
  if (accepted.length > 0 && !recipients.isConfigured) await recordAccepted(db, recipients.fingerprint);
  if (later.length > 0 && again !== undefined) {
    metrics.noticed("mail", "failed");
    const fields = { event: mail.event, why: why ?? reasonOf(later[0]?.status), again };
    log.warn(fields, "a mail cannot be sent; the service will retry");
    const done = [...accepted, ...lost.map(({ address }) => address)].map((address) => fingerprintOf(vault, address));
    return recordMail(db, mail, { dueAt: again, deliveredTo: [...mail.delivered_to, ...done] }, sentAt);
  }
  if (accepted.length > 0) metrics.noticed("mail", "delivered");
  const isSent = accepted.length > 0 || mail.delivered_to.length > 0;
  await recordMail(db, mail, isSent ? "sent" : "given_up", sentAt);
}

function reasonOf(status: number | undefined): string {
  return new MailRefused("EENVELOPE", status).message;
}

/** The address can perhaps be reached later. */
function unreached(address: string): RefusedRecipient {
  return { address, status: undefined, isForGood: false };
}
