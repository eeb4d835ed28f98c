import type { Generated, JSONColumnType } from "kysely";
import type { Defaulted, Json, Timestamp } from "./columns.ts";

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
