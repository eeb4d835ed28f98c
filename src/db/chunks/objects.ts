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
  /**
   * Below the content folder of the version in which it was read; null means `data/` + key. Where a version before that one
   * has its bytes: relative to the dataset's folder, `v1/content/…`.
   */
  contentPath: string | null;
  /** In hexadecimal. */
  sha512: string | null;
  verifiedBy: string | null;
  verifiedWith: string | null;
  /** Besides a checksum, the ETag was proven to be a digest of the bytes. */
  etagIsDigest: boolean;
  /** The earlier version in which it was read and verified; null where it was read in this one. */
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

/** Where the bytes of an object lie that was stored in its own version, below the content folder. */
export function placeOfObject(object: Pick<ObjectRecord, "contentPath" | "key">): string {
  return object.contentPath ?? `data/${object.key}`;
}

/** Where a stored object's bytes lie, in the dataset's folder. @param version the one that lists it */
export function contentPathOf(object: Placed, version: number): string {
  const { contentPath, verifiedIn } = object;
  if (contentPath !== null && LIES_EARLIER.test(contentPath)) return contentPath;
  return `v${verifiedIn ?? version}/content/${placeOfObject(object)}`;
}

/** How an object is recorded whose bytes lie at this content path. */
export function recordedPath(path: string, object: Pick<Placed, "key" | "verifiedIn">, version: number): string | null {
  const own = `v${object.verifiedIn ?? version}/content/`;
  if (!path.startsWith(own)) return path;
  const place = path.slice(own.length);
  return place === `data/${object.key}` ? null : place;
}

type Placed = Pick<ObjectRecord, "key" | "contentPath" | "verifiedIn">;
/** Places below a content folder begin otherwise. */
const LIES_EARLIER = /^v\d+\/content\//;
