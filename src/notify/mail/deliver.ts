import {
  eraseRecipients,
  firstMail,
  type MailRow,
  mailsTo,
  postponeMails,
  recipientOf,
  recordMail,
} from "../../db/notifications/mails.ts";
import { eventsAfter } from "../../db/submissions/events.ts";
import { findSubmission } from "../../db/submissions/submissions.ts";
import { nextTry } from "../backoff.ts";
import type { NotifyContext } from "../context.ts";
import { mailAboutEvent } from "./mail-about-event.ts";
import { type Mailer, MailRefused } from "./mailer.ts";

/** Maximum number of mails to one address within a day, so that the service cannot be used to flood a mailbox. */
const MOST_A_DAY = 100;

/** Sends the due mails about a submission, in order. After a crash between sending and recording, a mail is sent twice. */
export async function sendMails(
  context: NotifyContext,
  mailer: Mailer,
  submission: string,
  isHeld: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const mail = await firstMail(context.db, submission);
    if (mail === undefined) return eraseRecipients(context.db);
    if (mail.due_at > new Date()) return postponeMails(context.db, submission, mail.due_at);
    if (signal.aborted || !(await isHeld())) return;
    await sendOne(context, mailer, mail);
  }
}

async function sendOne(context: NotifyContext, mailer: Mailer, mail: MailRow): Promise<void> {
  const { db, log, vault, publicBaseUrl, metrics } = context;
  const { submission_id: submission, event: number } = mail;
  const sealed = await recipientOf(db, submission);
  const row = await findSubmission(db, submission);
  const [event] = await eventsAfter(db, submission, number - 1, 1);
  if (sealed === undefined || row === undefined || event === undefined) return recordMail(db, mail, "given_up");
  if ((await mailsTo(db, mail.fingerprint)) >= MOST_A_DAY) {
    log.warn({ event: number }, "a mail is not sent: its address has reached the daily limit");
    metrics.noticed("mail", "given_up");
    return recordMail(db, mail, "given_up");
  }
  const letter = mailAboutEvent(row, event, vault.openAs<string>("mail address", submission, sealed), publicBaseUrl());
  if (letter === undefined) return recordMail(db, mail, "not_needed");
  try {
    await mailer.send(letter);
    metrics.noticed("mail", "delivered");
    await recordMail(db, mail, "sent");
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    const again = error.isForGood ? undefined : nextTry(mail.attempts + 1, new Date(), mail.expires_at);
    const fields = { event: number, why: error.message, again };
    metrics.noticed("mail", again === undefined ? "given_up" : "failed");
    log.warn(
      fields,
      again === undefined ? "a mail cannot be sent; no more retries" : "a mail cannot be sent; the service will retry",
    );
    await recordMail(db, mail, again === undefined ? "given_up" : { dueAt: again });
  }
}
