import { mailPreference } from "../../db/notifications/mail-preferences.ts";
import { addressMail, type MailRow } from "../../db/notifications/mails.ts";
import { eventsAfter } from "../../db/submissions/events.ts";
import { findSubmission } from "../../db/submissions/submissions.ts";
import type { MailDelivery, MailLanguage } from "../../domain/submission/mail-preference.ts";
import type { NotifyContext } from "../context.ts";
import type { Told } from "./mail-text.ts";
import { type PublicationIn, publicationIn, type Recipients, recipientsOf } from "./recipients.ts";
import { toldAbout } from "./told.ts";

/** A mail that can be sent now. */
export interface PreparedMail {
  mail: MailRow;
  of: PublicationIn | undefined;
  recipients: Recipients;
  language: MailLanguage;
  told: Told;
  /** When its recipient wants it. */
  delivery: MailDelivery;
}

/** Who receives a mail now, and what it says. Without both, the outcome to record. */
export async function prepareMail(
  context: NotifyContext,
  mail: MailRow,
): Promise<PreparedMail | "given_up" | "not_needed"> {
  const { db, mailLanguage } = context;
  const row = await findSubmission(db, mail.submission_id);
  const [event] = await eventsAfter(db, mail.submission_id, mail.event - 1, 1);
  if (row === undefined || event === undefined) return "given_up";
  const of = publicationIn(event);
  const recipients = await recipientsOf(context, mail, of);
  if (recipients === undefined) return mail.party === "submitter" ? "given_up" : "not_needed";
  await addressMail(db, mail, recipients.fingerprint);
  const preference = await mailPreference(db, recipients.account);
  const language = preference.language ?? mailLanguage;
  const told = await toldAbout(
    context,
    { party: mail.party, isShared: recipients.isConfigured },
    { row, event },
    language,
  );
  if (told === undefined) return "not_needed";
  return { mail, of, recipients, language, told, delivery: whenWanted(mail, told, preference.delivery) };
}

/** The parties that choose which mail they receive. */
const CHOOSING: ReadonlySet<MailRow["party"]> = new Set(["owner", "curator", "former_curator"]);

/** Mail that asks for an action, and mail to other parties, is always sent at once. */
function whenWanted({ party }: MailRow, { words }: Told, delivery: MailDelivery): MailDelivery {
  return CHOOSING.has(party) && words.action === undefined ? delivery : "each";
}
