import type { ColumnType, Generated, JSONColumnType } from "kysely";

export interface WebhookTable {
  id: string;
  owner: string;
  /** The one submission that it is told of; null for all of its owner. */
  submission_id: string | null;
  url: string;
  format: string;
  /** Types of events that are delivered, as in the log; null for all, also those of later versions. */
  events: string[] | null;
  /** Its signing keys, sealed; see domain/webhook/keys.ts. */
  keys: Uint8Array;
  /** The newest one, as it is given out. */
  public_key: string;
  /** When the keys before the last rotation stop to sign. */
  old_key_until: Timestamp | null;
  created_at: Timestamp;
  /** When a delivery was last accepted. */
  delivered_at: Timestamp | null;
  disabled_at: Timestamp | null;
  disabled_because: string | null;
}

/** That a webhook is to be told of an event, and what came of it. */
export interface DeliveryTable {
  id: string;
  webhook_id: string;
  /** Null for a test delivery, like the event. */
  submission_id: string | null;
  /** The number of the event in the submission's log. */
  event: number | null;
  status: Generated<string>;
  created_at: Timestamp;
  /** When it is tried next, unless one before it in its queue is not done yet. */
  due_at: Timestamp;
  expires_at: Timestamp;
  attempts: Generated<number>;
  attempted_at: Timestamp | null;
  /** The status code of the last answer. */
  answer: number | null;
  error: JSONColumnType<object> | null;
}

/** To whom it is written about a submission. */
export interface MailRecipientTable {
  submission_id: string;
  /** The address, sealed. */
  address: Uint8Array;
  /** Tells whether two addresses are the same without naming them. */
  fingerprint: string;
}

/** That a mail about an event is to be sent, and whether it was. */
export interface MailTable {
  submission_id: string;
  event: number;
  fingerprint: string;
  status: Generated<string>;
  created_at: Timestamp;
  due_at: Timestamp;
  expires_at: Timestamp;
  attempts: Generated<number>;
}

export type Timestamp = ColumnType<Date, Date | string, Date | string>;
