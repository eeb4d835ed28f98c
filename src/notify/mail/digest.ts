import {
  countMail,
  heldMails,
  type MailRow,
  postponeDigest,
  recordDigest,
  recordMail,
} from "../../db/notifications/mails.ts";
import { recordAccepted } from "../../db/notifications/publication-recipients.ts";
import type { NotifyContext } from "../context.ts";
import { nextTry } from "../next-try.ts";
import { digestLetter } from "./mail-text.ts";
import { type Mailer, MailRefused } from "./mailer.ts";
import { type PreparedMail, prepareMail } from "./prepare.ts";
import { DAILY_LIMIT } from "./recipients.ts";
import { noteUndelivered } from "./undelivered.ts";
import { MAIL_TEXTS } from "./words/words.ts";

/** The hour of the day, in UTC, at which people receive what was held for them. */
const DIGEST_HOUR = 5;
/** Maximum number of events in one mail. The others follow in the next one. */
const MOST = 100;

/** When mail that is held now is sent. */
export function nextDigest(now: Date): Date {
  const at = new Date(now);
  at.setUTCHours(DIGEST_HOUR, 0, 0, 0);
  if (at <= now) at.setUTCDate(at.getUTCDate() + 1);
  return at;
}

/**
 * Sends what was held for an address as one mail, which says what is still true of each event. After a crash between sending
 * and recording, it is sent twice, with the same Message-ID.
 *
 * @param fingerprint of the address
 */
export async function sendDigest(
  context: NotifyContext,
  mailer: Mailer,
  fingerprint: string,
  { isHeld, signal }: { isHeld: () => Promise<boolean>; signal: AbortSignal },
): Promise<void> {
  const { db, metrics } = context;
  const parts = await partsOf(context, fingerprint);
  const [first] = parts;
  if (first === undefined) return;
  const mails = parts.map(({ mail }) => mail);
  if (signal.aborted || !(await isHeld())) return;
  if (!(await countMail(db, first.mail, first.recipients))) {
    const failure = { status: undefined, isForGood: false, why: DAILY_LIMIT, first: first.mail };
    return recordFailure(context, parts, failure);
  }
  const letter = digestLetter(
    parts.map(({ told }) => told),
    MAIL_TEXTS[first.language],
  );
  const failure = await failureOf(mailer, { ...letter, to: first.recipients.addresses });
  if (failure === undefined) {
    metrics.noticed("mail", "delivered");
    await recordAccepted(db, fingerprint);
    return recordDigest(db, mails, "sent");
  }
  await recordFailure(context, parts, { ...failure, first: first.mail });
}

/** What the mail states. What is no longer true, or now goes to another address, is not part of it. */
async function partsOf(context: NotifyContext, fingerprint: string): Promise<PreparedMail[]> {
  const { db } = context;
  const parts: PreparedMail[] = [];
  for (const mail of await heldMails(db, fingerprint, new Date(), MOST)) {
    const prepared = await prepareMail(context, mail);
    if (typeof prepared === "string") await recordMail(db, mail, prepared);
    else if (prepared.delivery === "action") await recordMail(db, mail, "not_needed");
    // Otherwise the address has changed: the mail is part of the next one to the other address.
    else if (prepared.recipients.fingerprint === fingerprint) parts.push(prepared);
  }
  return parts;
}

interface Failure {
  /** The status of SMTP; undefined without one. */
  status: number | undefined;
  isForGood: boolean;
  why: string;
}

/** @returns undefined if the server has accepted the mail */
async function failureOf(mailer: Mailer, message: Parameters<Mailer["send"]>[0]): Promise<Failure | undefined> {
  try {
    const [refused] = await mailer.send(message);
    if (refused === undefined) return undefined;
    const { status, isForGood } = refused;
    return { status, isForGood, why: new MailRefused("EENVELOPE", status).message };
  } catch (error) {
    if (!(error instanceof MailRefused)) throw error;
    return { status: undefined, isForGood: false, why: error.message };
  }
}

async function recordFailure(
  context: NotifyContext,
  parts: readonly PreparedMail[],
  { first, status, isForGood, why }: Failure & { first: MailRow },
): Promise<void> {
  const { db, log, metrics } = context;
  const mails = parts.map(({ mail }) => mail);
  const again = isForGood ? undefined : nextTry(first.attempts + 1, new Date(), first.expires_at);
  if (again !== undefined) {
    metrics.noticed("mail", "failed");
    log.warn({ why, again }, "a daily mail cannot be sent; the service will retry");
    return postponeDigest(db, mails, again);
  }
  metrics.noticed("mail", "given_up");
  log.warn({ why }, "a daily mail cannot be sent; no more retries");
  for (const { mail, of, recipients } of parts) await noteUndelivered(context, mail, { of, recipients, status });
  await recordDigest(db, mails, "given_up");
}
