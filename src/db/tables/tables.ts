import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { DeletionVerdict } from "../../domain/submission/archive-events.ts";
import type { SubmissionSummary } from "../../domain/submission/summary.ts";
import type { AccessGrantTable, AccessRequestTable } from "./access-tables.ts";
import type { CatalogueEntryTable, CatalogueTermTable } from "./catalogue-tables.ts";
import type {
  DeliveryTable,
  MailRecipientTable,
  MailTable,
  PublicationRecipientTable,
  Timestamp,
  WebhookTable,
} from "./notification-tables.ts";
import type {
  DoiAccountTable,
  DoiTable,
  PublicationEntryTable,
  PublicationRecordTable,
  PublicationTable,
  ReviewerLinkTable,
} from "./publication-tables.ts";
import type { UsageDayTable, UsageKeyTable, UsageSaltTable } from "./usage-tables.ts";

/**
 * The types of the tables. Object keys are bytes, because PostgreSQL's text cannot contain NUL, and its collations do not
 * order keys as S3 does.
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
  metadata_revision: MetadataRevisionTable;
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
  publication_recipient: PublicationRecipientTable;
  publication: PublicationTable;
  publication_entry: PublicationEntryTable;
  publication_record: PublicationRecordTable;
  doi: DoiTable;
  doi_account: DoiAccountTable;
  access_grant: AccessGrantTable;
  access_request: AccessRequestTable;
  reviewer_link: ReviewerLinkTable;
  vocabulary: VocabularyTable;
  vocabulary_entry: VocabularyEntryTable;
  vocabulary_name: VocabularyNameTable;
  catalogue_entry: CatalogueEntryTable;
  catalogue_term: CatalogueTermTable;
  usage_day: UsageDayTable;
  usage_salt: UsageSaltTable;
  usage_key: UsageKeyTable;
}

type Defaulted<T> = ColumnType<T, T | undefined, T>;
type Json<T> = ColumnType<T, string, string>;

export interface SubmissionTable {
  id: string;
  owner: string;
  attempt: Generated<number>;
  status: string;
  /** The status to which a waiting submission returns. */
  resume_status: string | null;
  title: string;
  /** `metadata` as the caller sent it. */
  sent: Json<unknown>;
  metadata: JSONColumnType<object>;
  warnings: JSONColumnType<object[]>;
  /** Summary of metadata, selection and warnings for lists. */
  summary: JSONColumnType<SubmissionSummary>;
  /** Bytes of `sent` as compact JSON, which count against the owner's quota. */
  metadata_bytes: number;
  endpoint: string;
  region: string | null;
  bucket: string;
  addressing: string;
  selection: JSONColumnType<object>;
  /** AES-256-GCM; null once erased, or if the bucket is read anonymously. */
  credentials: ColumnType<Uint8Array | null, Uint8Array | null, Uint8Array | null>;
  anonymous: boolean;
  dataset_id: string | null;
  /** The version that it will become or has become. */
  dataset_version: number | null;
  /** The version of the OCFL object that it will become or has become. */
  ocfl_version: number | null;
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
  /** The largest number of objects stored by an earlier attempt. Their files stay staged until they are reused or removed. */
  objects_kept: Generated<number>;
  bytes_kept: Generated<number>;
  /** Stored objects that are unchanged since the previous version and were not read again. */
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
  /** Approximate time at which the source last sent data; null until then. */
  source_heard_at: Timestamp | null;
  /** Since when the source sends no data although requests are open; null while it sends data. */
  source_silent_since: Timestamp | null;
  relisting_position: JSONColumnType<object> | null;
  drift: Json<unknown[]>;
  /** Number of all differences; `drift` contains the first of them. */
  drift_total: Generated<number>;
  waiting: Json<object> | null;
  /** The previous wait, so that another wait for the same cause keeps the original deadline. */
  last_wait: Json<object> | null;
  probe_at: Timestamp | null;
  probes: Generated<number>;
  failure: Json<object> | null;
  /** False once the staged files are removed. */
  staged: Generated<boolean>;
  /** Incremented when a worker claims the packaging. A worker with a lower number must not publish. */
  fence: Generated<number>;
  published_at: Timestamp | null;
  receipt: string | null;
  /** The receipt's verdict about deleting the source; set with the receipt. */
  verdict: JSONColumnType<DeletionVerdict> | null;
  last_event: Generated<number>;
}

/** Searchable text; see domain/search.ts. */
interface SubmissionSearchTable {
  submission_id: string;
  title: string;
  /** A tsvector. */
  words: ColumnType<string, string, string>;
}

/** Consecutive objects of the listing, which are transferred as one job and read and written together. */
interface ChunkTable {
  submission_id: string;
  attempt: number;
  no: number;
  /** Sequence numbers in the listing, from 0. */
  first_seq: number;
  last_seq: number;
  /** The least and the greatest key in byte order. */
  first_key: Uint8Array;
  last_key: Uint8Array;
  /** Number of objects in this state; the others are stored. The chunk is open while an object is listed. */
  listed: number;
  failed: number;
  excluded: number;
  /** Number of objects with this property. */
  suspect: number;
  odd: number;
  /** Its objects in listing order, as `chunk-text.ts` writes them. */
  objects: string;
}

/** The keys of listings that are not in byte order. Ordered listings have no rows. */
interface UnorderedKeyTable {
  submission_id: string;
  attempt: number;
  key: Uint8Array;
  /** The number of the chunk in which its object is. */
  chunk: number;
  /** Whether the second listing contains the key. */
  relisted: Defaulted<boolean>;
}

/** Content paths that are not `data/` + key, for finding their objects. */
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
  /** The newest version of its OCFL object, which every version of the dataset and every metadata revision adds. */
  latest_ocfl_version: number;
  /** The number of the latest version's newest metadata revision; 1 for the metadata of its submission. */
  latest_revision: Generated<number>;
  created_at: Timestamp;
  /** Time of the withdrawal. From then on its files are being deleted. */
  withdrawn_at: Timestamp | null;
  withdrawn_by: string | null;
  withdrawn_reason: string | null;
  /** Time at which its files were deleted and its tombstone was written. */
  removed_at: Timestamp | null;
}

export interface DatasetVersionTable {
  dataset_id: string;
  version: number;
  /** The version of the OCFL object in which it was archived. */
  ocfl_version: number;
  submission_id: string;
  published_at: Timestamp;
  objects: number;
  bytes: number;
}

/** Metadata of a version that replaced those of its submission. Revision 1 has no row. */
export interface MetadataRevisionTable {
  id: string;
  dataset_id: string;
  /** The version of the dataset that it describes. */
  version: number;
  /** From 2 on. */
  revision: number;
  ocfl_version: number;
  title: string;
  /** Who changed the metadata. */
  changed_by: string;
  /** Why, in their own words; may be empty. */
  note: string;
  created_at: Timestamp;
  /** `metadata` as the caller sent it. */
  sent: Json<unknown>;
  metadata: JSONColumnType<object>;
  warnings: JSONColumnType<object[]>;
  /** Incremented when a worker claims it. A worker with a lower number must not publish. */
  fence: Generated<number>;
  /** When its publication was committed. From then on it counts. */
  published_at: Timestamp | null;
  /** When it became visible in the archive. If publication was not committed: when it was given up. */
  finished_at: Timestamp | null;
  receipt: string | null;
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
  /** The owner whose rights it grants. */
  name: string;
  role: string;
  /** True for the token of the first admin, which is deleted once an admin has another token. */
  first: boolean;
  created_at: Timestamp;
  expires_at: Timestamp | null;
  last_used_at: Timestamp | null;
}

/** A link that allows one download. */
export interface DownloadLinkTable {
  /** SHA-256 of the secret in the link. */
  hash: Uint8Array;
  /** The owner of the link, with the role at the time of its creation; null for a reader without a token. */
  owner: string | null;
  roles: string[];
  dataset_id: string;
  version: number;
  /** Path of a file or folder; null if `format` requests the whole dataset. */
  path: string | null;
  format: string | null;
  expires_at: Timestamp;
  /** The token that created it, and with which it ends; null with an identity provider or without authentication. */
  token_id: string | null;
  /** The grant that opened the files, and with which it ends; null if the caller needed none. */
  grant_id: string | null;
  /** The reviewer link with which it was created, and with which it ends; null for callers with an account. */
  reviewer_link_id: string | null;
}

export interface AuditTable {
  dataset_id: string;
  /** End of the last audit; null while the first is in progress. */
  at: Timestamp | null;
  ok: boolean | null;
  files: Generated<number>;
  bytes: Generated<number>;
  findings: Json<unknown[]>;
  /** The audit in progress; see audits.ts. */
  pass: Json<object> | null;
}

/** When a periodic task was last started; see coordination/periodic-lock.ts. */
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
  /** Total of all runs. */
  objects: Generated<number>;
  bytes: Generated<number>;
  faults: Generated<number>;
}

/** A controlled vocabulary for the metadata form. An import replaces it under a new id. */
export interface VocabularyTable {
  id: Generated<number>;
  name: string;
  kind: string;
  title: string;
  /** The preferred language of labels. */
  language: string | null;
  /** Names of its concept schemes by their address. */
  schemes: JSONColumnType<Record<string, string>>;
  /** Number of entries. */
  entries: number;
  imported_at: Timestamp;
}

/** A term or organisation; see domain/vocabulary.ts. */
export interface VocabularyEntryTable {
  vocabulary_id: number;
  /** Number in the file, from 1. */
  no: number;
  kind: string;
  id: string;
  label: string;
  acronyms: string[];
  alternatives: string[];
  language: string | null;
  scheme: string | null;
  scheme_uri: string | null;
  notation: string | null;
  city: string | null;
  country: string | null;
  /** The folded label. */
  folded: string;
  /** A tsvector of the words of all names. Each begins with the kind, so that a search reads only words of its kind. */
  words: ColumnType<string, string, string>;
}

/** The folded names of the entries. A search for the beginning of a name reads a range of their index. */
interface VocabularyNameTable {
  vocabulary_id: number;
  no: number;
  kind: string;
  /** Which name it is; see domain/vocabulary.ts. */
  rank: number;
  term: string;
}
