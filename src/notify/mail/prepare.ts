import { mailPreference } from "../../db/notifications/mail-preferences.ts";
import { addressMail, type MailRow } from "../../db/notifications/mails.ts";
import { eventsAfter } from "../../db/submissions/events.ts";
import { findSubmission } from "../../db/submissions/submissions.ts";
import { findArea } from "../../db/uploads/areas.ts";
import type { MailDelivery, MailLanguage } from "../../domain/submission/mail-preference.ts";
import type { NotifyContext } from "../context.ts";
import { toldAboutUpload } from "./mail-about-upload.ts";
import type { Told } from "./mail-text.ts";
import { type PublicationIn, publicationIn, type Recipients, recipientsOf, uploaderOf } from "./recipients.ts";
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
  if (mail.party === "uploader") return prepareUploadMail(context, mail);
  const { party, subject_id: submission } = mail;
  const row = await findSubmission(db, submission);
  const [event] = await eventsAfter(db, submission, mail.event - 1, 1);
  if (row === undefined || event === undefined) return "given_up";
  const of = publicationIn(event);
  const recipients = await recipientsOf(context, { subject_id: submission, party }, of);
  if (recipients === undefined) return party === "submitter" ? "given_up" : "not_needed";
  await addressMail(db, mail, recipients.fingerprint);
  const preference = await mailPreference(db, recipients.account);
  const language = preference.language ?? mailLanguage;
  const told = await toldAbout(context, { party, isShared: recipients.isConfigured }, { row, event }, language);
  if (told === undefined) return "not_needed";
  return { mail, of, recipients, language, told, delivery: whenWanted(mail, told, preference.delivery) };
}

/** The same for a mail about an upload that expires. It asks for an action. */
async function prepareUploadMail(
  context: NotifyContext,
  mail: MailRow,
): Promise<PreparedMail | "given_up" | "not_needed"> {
  const { db, mailLanguage } = context;
  const area = await findArea(db, mail.subject_id);
  const recipients = area && uploaderOf(context, area);
  if (area === undefined || recipients === undefined) return "not_needed";
  await addressMail(db, mail, recipients.fingerprint);
  const language = (await mailPreference(db, recipients.account)).language ?? mailLanguage;
  const told = toldAboutUpload(area, mail.event, { language, base: context.publicBaseUrl() });
  if (told === undefined) return "not_needed";
  return { mail, of: undefined, recipients, language, told, delivery: "each" };
}

/** The parties that choose which mail they receive. */
const CHOOSING: ReadonlySet<MailRow["party"]> = new Set(["owner", "curator", "former_curator"]);

/** Mail that asks for an action, and mail to other parties, is always sent at once. */
function whenWanted({ party }: MailRow, { words }: Told, delivery: MailDelivery): MailDelivery {
  return CHOOSING.has(party) && words.action === undefined ? delivery : "each";
}
