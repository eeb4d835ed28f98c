import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { DeletionVerdict } from "../domain/publication.ts";
import type { SubmissionSummary } from "../domain/summary.ts";
import type {
  DeliveryTable,
  MailRecipientTable,
  MailTable,
  Timestamp,
  WebhookTable,
} from "./notifications/notification-tables.ts";

/**
 * The tables as TypeScript sees them. Keys of objects are bytes: PostgreSQL's text can hold neither NUL nor a
 * collation that orders as S3 lists.
 */
export interface Tables {
  submission: SubmissionTable;
  submission_search: SubmissionSearchTable;
  chunk: ChunkTable;
  unordered_key: UnorderedKeyTable;
  displaced: DisplacedTable;
  event: EventTable;
  dataset: DatasetTable;
  dataset_version: DatasetVersionTable;
  idempotency: IdempotencyTable;
  fingerprint: FingerprintTable;
  token: TokenTable;
  download_link: DownloadLinkTable;
  audit: AuditTable;
  audit_run: AuditRunTable;
  turn: PeriodicLockTable;
  webhook: WebhookTable;
  delivery: DeliveryTable;
  mail_recipient: MailRecipientTable;
  mail: MailTable;
}

type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Json<T> = ColumnType<T, string, string>;

export interface SubmissionTable {
  id: string;
  owner: string;
  attempt: Generated<number>;
  status: string;
  /** Where a waiting submission goes back to. */
  resume_status: string | null;
  title: string;
  /** `metadata` as the caller sent it. */
  sent: Json<unknown>;
  metadata: JSONColumnType<object>;
  warnings: JSONColumnType<object[]>;
  /** What lists show of metadata, selection and warnings. */
  summary: JSONColumnType<SubmissionSummary>;
  /** Bytes of `sent` as compact JSON, which count against the owner's quota. */
  metadata_bytes: number;
  endpoint: string;
  region: string | null;
  bucket: string;
  addressing: string;
  selection: JSONColumnType<object>;
  /** AES-256-GCM; null once erased or when the bucket is read anonymously. */
  credentials: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>;
  anonymous: boolean;
  dataset_id: string | null;
  /** The version that it is to become, or has become. */
  dataset_version: number | null;
  created_at: Timestamp;
  updated_at: Timestamp;
  finished_at: Timestamp | null;
  listing_complete: Generated<boolean>;
  listing_position: JSONColumnType<object> | null;
  objects_listed: Generated<number>;
  bytes_listed: Generated<number>;
  objects_stored: Generated<number>;
  bytes_stored: Generated<number>;
  objects_failed: Generated<number>;
  objects_excluded: Generated<number>;
  bytes_excluded: Generated<number>;
  /** The most that an earlier attempt had stored: it stays staged until it is known what becomes of it. */
  objects_kept: Generated<number>;
  bytes_kept: Generated<number>;
  /** Of those stored, what the version before holds and was not read again. */
  objects_unchanged: Generated<number>;
  bytes_unchanged: Generated<number>;
  /** Longest run of % after `%keys` among first segments; see docs/package-format.md. */
  marker_run: Generated<number>;
  /** True once an ETag of this bucket proved to be the MD5 of its object. */
  md5_proven: Generated<boolean>;
  first_read_at: Timestamp | null;
  last_read_at: Timestamp | null;
  transfer_started_at: Timestamp | null;
  transfer_started_bytes: Generated<number>;
  /** When the source last sent anything, roughly; null until then. */
  source_heard_at: Timestamp | null;
  /** Since when it sends nothing although it is asked; null while it sends. */
  source_silent_since: Timestamp | null;
  relisting_position: JSONColumnType<object> | null;
  drift: Json<unknown[]>;
  /** All differences; `drift` names the first of them. */
  drift_total: Generated<number>;
  waiting: Json<object> | null;
  /** The wait before this one, so that waiting again for the same cause does not begin anew. */
  last_wait: Json<object> | null;
  probe_at: Timestamp | null;
  probes: Generated<number>;
  failure: Json<object> | null;
  /** False once the staged content is removed. */
  staged: Generated<boolean>;
  /** Grows whenever a worker takes the packaging up; a worker with an older number may not publish. */
  fence: Generated<number>;
  published_at: Timestamp | null;
  receipt: string | null;
  /** What the receipt says of deleting the source; set with it. */
  verdict: JSONColumnType<DeletionVerdict> | null;
  last_event: Generated<number>;
}

/** What the search compares; see domain/search.ts. */
interface SubmissionSearchTable {
  submission_id: string;
  title: string;
  /** A tsvector. */
  words: ColumnType<string, string, string>;
}

/** A run of the listing: what is transferred as one job, and read and written at once. */
interface ChunkTable {
  submission_id: string;
  attempt: number;
  no: number;
  /** Places in the listing, from 0. */
  first_seq: number;
  last_seq: number;
  /** The least and the greatest key in byte order. */
  first_key: Uint8Array;
  last_key: Uint8Array;
  /** How many of its objects are in this state; the rest is stored. While one is listed the chunk is open. */
  listed: number;
  failed: number;
  excluded: number;
  /** How many of its objects are this. */
  suspect: number;
  odd: number;
  /** Its objects in listing order, as `chunk-text.ts` writes them. */
  objects: string;
}

/** The keys of a listing that is not in byte order; of one that is there are none. */
interface UnorderedKeyTable {
  submission_id: string;
  attempt: number;
  key: Uint8Array;
  /** The number of the chunk in which its object is. */
  chunk: number;
  /** Met again in the second listing. */
  relisted: Defaulted<boolean>;
}

/** Content paths that are not `data/` + key, to find the objects whose bytes lie there. */
interface DisplacedTable {
  submission_id: string;
  attempt: number;
  content_path: string;
  /** The number of the chunk in which its object is. */
  chunk: number;
}

export interface EventTable {
  submission_id: string;
  seq: number;
  at: Timestamp;
  attempt: number;
  type: string;
  message: string;
  data: Json<object> | null;
}

export interface DatasetTable {
  id: string;
  owner: string;
  title: string;
  latest_version: number;
  created_at: Timestamp;
  /** Set by the decision to withdraw it; from then on its bytes are on their way out. */
  withdrawn_at: Timestamp | null;
  withdrawn_by: string | null;
  withdrawn_reason: string | null;
  /** When its bytes were gone and its tombstone stood. */
  removed_at: Timestamp | null;
}

export interface DatasetVersionTable {
  dataset_id: string;
  version: number;
  submission_id: string;
  published_at: Timestamp;
  objects: number;
  bytes: number;
}

interface IdempotencyTable {
  owner: string;
  key: string;
  fingerprint: string;
  submission_id: string | null;
  claimed_until: Timestamp;
  created_at: Timestamp;
}

interface FingerprintTable {
  name: string;
  value: string;
}

export interface TokenTable {
  id: string;
  /** SHA-256 of the secret. */
  hash: Uint8Array;
  /** The owner for whom its holder acts. */
  name: string;
  role: string;
  /** The one that lets the first admin in: gone once there is another admin's. */
  first: boolean;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
}

/** Lets one download begin. */
export interface DownloadLinkTable {
  /** SHA-256 of what the link has. */
  hash: Uint8Array;
  /** In whose name it is, and what they were allowed when it was made. */
  owner: string;
  roles: string[];
  dataset_id: string;
  version: number;
  /** Of a file or a folder; null where `format` says in which form all of it is wanted. */
  path: string | null;
  format: string | null;
  expires_at: Timestamp;
  /** The token it was made with, with which it ends; null for callers of an identity provider, and without sign-in. */
  token_id: string | null;
}

export interface AuditTable {
  dataset_id: string;
  /** The end of the last look; null while the first is under way. */
  at: Timestamp | null;
  ok: boolean | null;
  files: Generated<number>;
  bytes: Generated<number>;
  findings: Json<unknown[]>;
  /** The look that is under way; see audits.ts. */
  pass: Json<object> | null;
}

/** When something that one process does once in a while was done last, or begun; see coordination/periodic-lock.ts. */
interface PeriodicLockTable {
  name: string;
  taken_at: Timestamp;
}

export interface AuditRunTable {
  only_one: Defaulted<boolean>;
  began_at: Timestamp;
  finished_at: Timestamp | null;
  /** Bytes that the run may still read. */
  budget: number;
  /** Over all runs. */
  objects: Generated<number>;
  bytes: Generated<number>;
  faults: Generated<number>;
}
