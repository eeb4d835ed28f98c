import type { Defaulted, Timestamp } from "./columns.ts";

/** Files that are uploaded to the service, and become the source of one submission. */
export interface UploadAreaTable {
  id: string;
  /** Account name. */
  owner: string;
  /** The submission that reads the files; null while files can be added. */
  submission_id: string | null;
  created_at: Timestamp;
  /** When something was last sent. An unused area expires. */
  used_at: Timestamp;
  /** When its owner was told that it expires, or would have been told if an address was known; null while it is used. */
  warned_at: Timestamp | null;
  /** The encrypted address of its owner, and its keyed hash; null if none is known. */
  address: Uint8Array | null;
  fingerprint: string | null;
  /** Set when its removal begins: from then on requests do not find it. It counts for the quota until its row is deleted. */
  removed_at: Timestamp | null;
  /** Number of files. */
  files: Defaulted<number>;
  /** Sizes of the whole files together. */
  bytes: Defaulted<number>;
  /** Bytes that have arrived and are durable. */
  received: Defaulted<number>;
  /** Files that are not complete. */
  incomplete: Defaulted<number>;
  /** The number of the next file. */
  next_no: Defaulted<number>;
  /** Grows with every change of the list of files, or of what is in a complete file. */
  revision: Defaulted<number>;
}

/** A file of an upload area. */
export interface UploadFileTable {
  area_id: string;
  /** Number in the area. */
  no: number;
  /** The key that the file has as an object. Compared as bytes, in the order of keys. */
  path: string;
  /** Size of the whole file. */
  bytes: number;
  /** Bytes that have arrived and are durable: those of its segments. */
  received: Defaulted<number>;
  /** The request that may add bytes; null if there is none and none writes to the last segment any more, see also `RELEASED` in `files.ts`. */
  writer: string | null;
  /** `Upload-Metadata` as it was sent; empty if it is longer than 1 KiB. */
  metadata: Defaulted<string>;
  /** Lower-case hex; null if the client has not stated it. */
  stated_sha512: string | null;
  /** SHA-512 of the bytes that have arrived; null until the file is complete. */
  sha512: string | null;
  /** The bytes that arrived last did not have the stated SHA-512, and were removed. */
  is_damaged: Defaulted<boolean>;
  /** Digest of the metadata with which the file was sent; null for files of uploads without a title. */
  metadata_digest: Defaulted<string | null>;
  /** Grows when the bytes that have arrived are forgotten. */
  generation: Defaulted<number>;
  completed_at: Timestamp | null;
}

/** An upload whose files are sent one by one under a title. */
export interface TitledUploadTable {
  area_id: string;
  /** Account name. */
  owner: string;
  /** Null until the first request has arrived. */
  title: string | null;
  /** Metadata of the request that was recorded last, as JSON; null until then. */
  metadata: Defaulted<string | null>;
}

/** A request that sends a file of a titled upload, until the file is recorded or its owner was told that it is missing. */
export interface UploadArrivalTable {
  id: string;
  /** Account name. */
  owner: string;
  /** Name or path of the file, as in messages if it is not a valid one; null until it is known. */
  name: Defaulted<string | null>;
  /** Why the file has not arrived: code of a problem, or `interrupted`; null while it arrives. */
  code: Defaulted<string | null>;
  began_at: Timestamp;
  /** Renewed by the process that receives the file. After this time the process has ended. */
  alive_until: Timestamp;
}

/** A folder of uploads that belongs to no area of this database. */
export interface UnknownUploadTable {
  id: string;
  /** When this database first saw it. */
  seen_at: Timestamp;
}

/** Consecutive bytes of a file in one stored file. */
export interface UploadSegmentTable {
  area_id: string;
  no: number;
  /** Position of the first byte in the file. */
  start_at: number;
  /** Bytes that count. The stored file can be longer, if a request was superseded or refused. */
  bytes: number;
  /** Name of the stored file in the folder of the area. */
  name: string;
}
