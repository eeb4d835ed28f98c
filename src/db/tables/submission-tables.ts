import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { CountedFolder } from "../../domain/keys-and-paths/folder-counts.ts";
import type { DeletionVerdict } from "../../domain/submission/archive-events.ts";
import type { DigestState } from "../../domain/submission/digest-state.ts";
import type { SubmissionSummary } from "../../domain/submission/summary.ts";
import type { Defaulted, Json, Timestamp } from "./columns.ts";

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
  /** Of the failed objects, also of those that were excluded since: whose digest differs from that of the submitter. */
  objects_differing: Generated<number>;
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
  /** The lists of digests that the submitter has sent; null if there are none. */
  digests: JSONColumnType<DigestState> | null;
}

/** A list of digests as the request names it. Its rows are removed when the submission is over. */
export interface DigestListTable {
  submission_id: string;
  no: number;
  /** The name of the file, or its key. */
  name: string;
  /** Null to tell it from the list. */
  format: string | null;
  /** The folder of the paths, empty or with a slash at the end; null for the usual one. */
  base: string | null;
  /** Of the object in the source that is the list; null for a list in the request. */
  key: string | null;
  /** The text of a list in the request. */
  content: string | null;
}

/** A digest that a list states. Its rows are removed when the submission is over. */
export interface StatedDigestTable {
  submission_id: string;
  /** 0 for a list in the request; otherwise the reading of lists in the source. */
  reading: number;
  key: string;
  algorithm: string;
  /** Lower-case hex. */
  digest: string;
  /** Whether the complete listing has no such object. */
  is_missing: Defaulted<boolean>;
}

/** Searchable text; see domain/search.ts. */
export interface SubmissionSearchTable {
  submission_id: string;
  title: string;
  /** A tsvector. */
  words: ColumnType<string, string, string>;
}

/** Consecutive objects of the listing, which are transferred as one job and read and written together. */
export interface ChunkTable {
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
export interface UnorderedKeyTable {
  submission_id: string;
  attempt: number;
  key: Uint8Array;
  /** The number of the chunk in which its object is. */
  chunk: number;
  /** Whether the second listing contains the key. */
  relisted: Defaulted<boolean>;
}

/** The folders of archived versions. The rows of a version exist once its folders were counted; see db/chunks/folders.ts. */
export interface FolderTable extends CountedFolder {
  submission_id: string;
  attempt: number;
}

/** Content paths that are not `data/` + key, for finding their objects. */
export interface DisplacedTable {
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
