import { latestRevision } from "../../db/datasets/revisions.ts";
import {
  addressMail,
  eraseRecipients,
  firstMail,
  type MailQueue,
  type MailRow,
  mailsTo,
  postponeMails,
  recipientOf,
  recordMail,
} from "../../db/notifications/mails.ts";
import { publicationRecipient } from "../../db/notifications/publication-recipients.ts";
import { findGrant } from "../../db/publication/access-grants.ts";
import { findAccessRequest } from "../../db/publication/access-requests.ts";
import { isCurator } from "../../db/publication/curators.ts";
import { findPublication } from "../../db/publication/publications.ts";
import { type EventRow, eventsAfter } from "../../db/submissions/events.ts";
import { findSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { fingerprintOf, openAddress } from "../../domain/sealed-address.ts";
import type { NotifyContext } from "../context.ts";
import { nextTry } from "../next-try.ts";
import { mailAboutAccess } from "./mail-about-access.ts";
import { mailAboutEvent } from "./mail-about-event.ts";
import { mailAboutPublication } from "./mail-about-publication.ts";
import type { Letter } from "./mail-text.ts";
import { type Mailer, MailRefused } from "./mailer.ts";

/** Sends the due mails of a queue, in order. After a crash between sending and recording, a mail is sent twice. */
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
  const { db, log, metrics } = context;
  const row = await findSubmission(db, mail.submission_id);
  const [event] = await eventsAfter(db, mail.submission_id, mail.event - 1, 1);
  if (row === undefined || event === undefined) return recordMail(db, mail, "given_up");
  const recipients = await recipientsOf(context, mail, publicationIn(event));
  if (recipients === undefined) return recordMail(db, mail, mail.party === "submitter" ? "given_up" : "not_needed");
  await addressMail(db, mail, recipients.fingerprint);
  if ((await mailsTo(db, recipients.fingerprint)) >= recipients.mostADay) {
    log.warn({ event: mail.event }, "a mail is not sent: its address has reached the daily limit");
    metrics.noticed("mail", "given_up");
    return recordMail(db, mail, "given_up");
  }
  const letter = await letterAbout(context, mail, row, event);
  if (letter === undefined) return recordMail(db, mail, "not_needed");
  await send(context, mailer, mail, { ...letter, to: recipients.addresses });
}

async function send(
  { db, log, metrics }: NotifyContext,
  mailer: Mailer,
  mail: MailRow,
  message: Letter & { to: Recipients["addresses"] },
): Promise<void> {
  try {
    await mailer.send(message);
    metrics.noticed("mail", "delivered");
    await recordMail(db, mail, "sent");
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    const again = error.isForGood ? undefined : nextTry(mail.attempts + 1, new Date(), mail.expires_at);
    const fields = { event: mail.event, why: error.message, again };
    metrics.noticed("mail", again === undefined ? "given_up" : "failed");
    log.warn(
      fields,
      again === undefined ? "a mail cannot be sent; no more retries" : "a mail cannot be sent; the service will retry",
    );
    await recordMail(db, mail, again === undefined ? "given_up" : { dueAt: again });
  }
}

async function letterAbout(
  { db, publicBaseUrl }: NotifyContext,
  { party }: MailRow,
  row: SubmissionRow,
  event: EventRow,
): Promise<Letter | undefined> {
  if (party === "submitter") return mailAboutEvent(row, event, publicBaseUrl());
  const of = publicationIn(event);
  const publication = of && (await findPublication(db, of.dataset, of.version));
  if (of === undefined || publication === undefined) return undefined;
  const { state, problem, embargo_date: embargoDate } = publication;
  const title = (await latestRevision(db, of.dataset, of.version))?.title ?? row.title;
  if (party === "reader") {
    const request = await findAccessRequest(db, of.dataset, of.request ?? "");
    if (request === undefined) return undefined;
    const kind = request.grant_id === null ? undefined : (await findGrant(db, request.grant_id))?.kind;
    return mailAboutAccess({ request, kind, title }, { event, submission: row.id }, publicBaseUrl());
  }
  const now = { ...of, title, state, problem: problem?.code, embargoDate };
  return mailAboutPublication(now, { event, submission: row.id, party }, publicBaseUrl());
}

/** The version of the dataset that an event is about, and the request for access. */
function publicationIn({ data }: EventRow): { dataset: string; version: number; request?: string } | undefined {
  const { dataset, version, request } = (data ?? {}) as { dataset?: string; version?: number; request?: string };
  if (dataset === undefined || version === undefined) return undefined;
  return { dataset, version, ...(request !== undefined && { request }) };
}

/** Maximum number of mails to an address within a day, so that the service cannot be used to flood a mailbox. */
const MOST_A_DAY = 100;
/** The same for addresses that the operator has configured, which many people share. */
const MOST_A_DAY_CONFIGURED = 1_000;

/** Where a mail is sent. */
interface Recipients {
  /** Several only if the operator has configured several. */
  addresses: readonly string[];
  fingerprint: string;
  mostADay: number;
}

/**
 * The recipients of a mail. Undefined if no address is known: the address was erased, or none was stated or configured. The
 * assigned curator takes the place of all curators, unless the account has lost the role.
 */
async function recipientsOf(
  context: NotifyContext,
  { submission_id, party }: MailRow,
  publication: { dataset: string; version: number; request?: string } | undefined,
): Promise<Recipients | undefined> {
  const { db, vault, shared } = context;
  if (party === "submitter") {
    const found = await recipientOf(db, submission_id);
    return found && one(openAddress(vault, submission_id, found), found.fingerprint);
  }
  if (party === "reader") {
    const { dataset = "", request = "" } = publication ?? {};
    const email = (await findAccessRequest(db, dataset, request))?.email;
    return email == null ? undefined : one(email, fingerprintOf(vault, email));
  }
  if (party === "operator") return configured(context, shared.operators);
  const own = publication && (await publicationRecipient(db, publication.dataset, publication.version, party));
  const isFormer = own !== undefined && party === "curator" && !(await isCurator(db, context.signIn, own.account));
  if (own !== undefined && !isFormer) return one(openAddress(vault, own.account, own), own.fingerprint);
  return party === "curator" ? configured(context, shared.curators) : undefined;
}

function one(address: string, fingerprint: string): Recipients {
  return { addresses: [address], fingerprint, mostADay: MOST_A_DAY };
}

function configured({ vault }: NotifyContext, addresses: readonly string[]): Recipients | undefined {
  if (addresses.length === 0) return undefined;
  return { addresses, fingerprint: fingerprintOf(vault, addresses.join(",")), mostADay: MOST_A_DAY_CONFIGURED };
}
