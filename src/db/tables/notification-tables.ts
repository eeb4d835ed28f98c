import type { Generated, JSONColumnType } from "kysely";
import type { MailDelivery, MailLanguage } from "../../domain/submission/mail-preference.ts";
import type { MailParty } from "../../domain/submission/mailed-events.ts";
import type { Timestamp } from "./columns.ts";

export interface WebhookTable {
  id: string;
  owner: string;
  /** The only submission whose events it receives; null for all submissions of its owner. */
  submission_id: string | null;
  url: string;
  format: string;
  /** Event types that are delivered, as in the log; null for all, also for types added by later versions. */
  events: string[] | null;
  /** Its signing keys, encrypted; see domain/webhook/keys.ts. */
  keys: Uint8Array;
  /** The newest public key, in the form for receivers. */
  public_key: string;
  /** When the keys from before the last rotation stop signing. */
  old_key_until: Timestamp | null;
  created_at: Timestamp;
  /** When a delivery was last accepted. */
  delivered_at: Timestamp | null;
  disabled_at: Timestamp | null;
  disabled_because: string | null;
}

/** The delivery of an event to a webhook, with its outcome. */
export interface DeliveryTable {
  id: string;
  webhook_id: string;
  /** Null for a test delivery, like the event. */
  submission_id: string | null;
  /** The number of the event in the submission's log. */
  event: number | null;
  status: Generated<string>;
  created_at: Timestamp;
  /** Time of the next try, unless an earlier delivery of its queue is still pending. */
  due_at: Timestamp;
  expires_at: Timestamp;
  attempts: Generated<number>;
  attempted_at: Timestamp | null;
  /** The status code of the last answer. */
  answer: number | null;
  error: JSONColumnType<object> | null;
}

/** The recipient of mails about a submission. */
export interface MailRecipientTable {
  submission_id: string;
  /** The encrypted address. */
  address: Uint8Array;
  /** Keyed hash for comparing addresses without storing them. */
  fingerprint: string;
}

/** The recipient of mails about a publication: its owner, the curator who reviews it, or the one who did before. */
export interface PublicationRecipientTable {
  dataset_id: string;
  version: number;
  party: "owner" | "curator" | "former_curator";
  account: string;
  /** The encrypted address. */
  address: Uint8Array;
  fingerprint: string;
  /** Since when the mail server does not accept mail for the address, and its last response; null if it does. */
  refused_at: Timestamp | null;
  refused_status: number | null;
}

/** In which language a person wants mail, and which. People without a row have the defaults. */
export interface MailPreferenceTable {
  account: string;
  language: MailLanguage | null;
  delivery: MailDelivery;
}

/** A mail about an event to one party, with its outcome. */
export interface MailTable {
  /** The submission, or the upload that expires (party `uploader`). */
  subject_id: string;
  /** The number of the event in the log of the submission; for an upload, the day on which it expires. */
  event: number;
  party: MailParty;
  /** Null until the first try, except for submitters. */
  fingerprint: string | null;
  /** `pending`, or `held` for the mail of the day; then `sent`, `in_digest` (part of a sent one), `given_up` or `not_needed`. */
  status: Generated<string>;
  created_at: Timestamp;
  due_at: Timestamp;
  expires_at: Timestamp;
  attempts: Generated<number>;
  /** Fingerprints of the addresses, of several, that need no further attempt. */
  delivered_to: Generated<string[]>;
  /** When it was sent last; for one that is being sent, when that began. It counts for the limit of its address. */
  sent_at: Timestamp | null;
}
