import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { AccessGrantTable, AccessGrantUseTable, AccessRequestTable } from "./access-tables.ts";
import type { CatalogueEntryTable, CatalogueSearchTable, CatalogueTermTable } from "./catalogue-tables.ts";
import type { CollectionDatasetTable, CollectionTable } from "./collection-tables.ts";
import type { Timestamp } from "./columns.ts";
import type {
  AuditRunTable,
  AuditTable,
  DatasetTable,
  DatasetVersionTable,
  DownloadLinkTable,
  MetadataRevisionTable,
} from "./dataset-tables.ts";
import type {
  DeliveryTable,
  MailPreferenceTable,
  MailRecipientTable,
  MailTable,
  PublicationRecipientTable,
  WebhookTable,
} from "./notification-tables.ts";
import type {
  DoiAccountTable,
  DoiTable,
  KnownCuratorTable,
  PublicationEntryTable,
  PublicationRecordTable,
  PublicationTable,
  ReviewerLinkTable,
} from "./publication-tables.ts";
import type {
  ChunkTable,
  DigestListTable,
  DisplacedTable,
  EventTable,
  FolderTable,
  StatedDigestTable,
  SubmissionSearchTable,
  SubmissionTable,
  UnorderedKeyTable,
} from "./submission-tables.ts";
import type {
  TitledUploadTable,
  UnknownUploadTable,
  UploadAreaTable,
  UploadArrivalTable,
  UploadFileTable,
  UploadSegmentTable,
} from "./upload-tables.ts";
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
  folder: FolderTable;
  digest_list: DigestListTable;
  stated_digest: StatedDigestTable;
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
  mail_preference: MailPreferenceTable;
  publication_recipient: PublicationRecipientTable;
  publication: PublicationTable;
  known_curator: KnownCuratorTable;
  publication_entry: PublicationEntryTable;
  publication_record: PublicationRecordTable;
  doi: DoiTable;
  doi_account: DoiAccountTable;
  access_grant: AccessGrantTable;
  access_grant_use: AccessGrantUseTable;
  access_request: AccessRequestTable;
  reviewer_link: ReviewerLinkTable;
  vocabulary: VocabularyTable;
  vocabulary_entry: VocabularyEntryTable;
  vocabulary_name: VocabularyNameTable;
  catalogue_entry: CatalogueEntryTable;
  catalogue_search: CatalogueSearchTable;
  catalogue_term: CatalogueTermTable;
  collection: CollectionTable;
  collection_dataset: CollectionDatasetTable;
  upload_area: UploadAreaTable;
  upload_file: UploadFileTable;
  upload_segment: UploadSegmentTable;
  unknown_upload: UnknownUploadTable;
  titled_upload: TitledUploadTable;
  upload_arrival: UploadArrivalTable;
  usage_day: UsageDayTable;
  usage_salt: UsageSaltTable;
  usage_key: UsageKeyTable;
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

/** When a periodic task was last started; see coordination/periodic-lock.ts. */
interface PeriodicLockTable {
  name: string;
  taken_at: Timestamp;
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
