/** What is known of one object of a bucket: as it was listed, and what became of it. */
export interface ObjectRecord {
  /** Place in the listing, from 0. */
  seq: number;
  key: string;
  bytes: number;
  /** With its quotes, as If-Match wants it. */
  etag: string | null;
  lastModified: string | null;
  storageClass: string | null;
  /** A folder of another key, or a key that OCFL does not allow: its path is not `data/` + key. */
  odd: boolean;
  /** Set when the listing is frozen, for odd keys alone. */
  path: string | null;
  state: ObjectState;
  /** Below the object's content folder; null means `data/` + key. */
  contentPath: string | null;
  /** In hexadecimal. */
  sha512: string | null;
  verifiedBy: string | null;
  verifiedWith: string | null;
  /** Besides a checksum, the ETag was proven to be a digest of the bytes. */
  etagIsDigest: boolean;
  /** The earlier version in which it was read and verified; its bytes lie there. Null where it was read in this one. */
  verifiedIn: number | null;
  /** The ETag looked like MD5, twice, and was not that of the bytes. */
  suspect: boolean;
  /** What came with the bytes: versionId, contentType, contentEncoding, userMetadata, checksums. */
  came: object | null;
  /** Reads so far. */
  attempts: number;
  error: { code: string; message: string } | null;
  /** Why it was left out. */
  exclusion: string | null;
}

export type ObjectState = "listed" | "stored" | "failed" | "excluded";

/** An object of which no more is known than its line of the listing. */
export function listedObject(
  seq: number,
  line: Pick<ObjectRecord, "key" | "bytes" | "etag" | "lastModified" | "storageClass">,
  odd: boolean,
): ObjectRecord {
  return {
    seq,
    key: line.key,
    bytes: line.bytes,
    etag: line.etag,
    lastModified: line.lastModified,
    storageClass: line.storageClass,
    odd,
    path: null,
    state: "listed",
    contentPath: null,
    sha512: null,
    verifiedBy: null,
    verifiedWith: null,
    etagIsDigest: false,
    verifiedIn: null,
    suspect: false,
    came: null,
    attempts: 0,
    error: null,
    exclusion: null,
  };
}

/** The logical path of an object. */
export function pathOfObject(object: Pick<ObjectRecord, "path" | "key">): string {
  return object.path ?? `data/${object.key}`;
}

/** Where a stored object's bytes lie, below the content folder. */
export function placeOfObject(object: Pick<ObjectRecord, "contentPath" | "key">): string {
  return object.contentPath ?? `data/${object.key}`;
}
