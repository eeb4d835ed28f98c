/** The record of one object of a bucket: its listing entry, and the outcome of its transfer. */
export interface ObjectRecord {
  /** Sequence number in the listing, from 0. */
  seq: number;
  key: string;
  bytes: number;
  /** With quotes, as required in If-Match. */
  etag: string | null;
  lastModified: string | null;
  storageClass: string | null;
  /** A folder of another key, or a key that OCFL does not allow: its path is not `data/` + key. */
  odd: boolean;
  /** Set when the listing is frozen, only for odd keys. */
  path: string | null;
  state: ObjectState;
  /**
   * Path below the content folder of the version in which it was read; null means `data/` + key. If an earlier version has
   * the content: path relative to the dataset's folder, `v1/content/…`.
   */
  contentPath: string | null;
  /** In hexadecimal. */
  sha512: string | null;
  verifiedBy: string | null;
  verifiedWith: string | null;
  /** The digests of the submitter that were compared and are equal, in lower-case hex by algorithm; null if none were stated. */
  stated: Record<string, string> | null;
  /** In addition to a checksum, the ETag was proven to be a digest of the content. */
  etagIsDigest: boolean;
  /** The earlier version in which it was read and verified; null if it was read in this version. */
  verifiedIn: number | null;
  /** The ETag looks like MD5, but did not match the content in two reads. */
  suspect: boolean;
  /** Metadata from the answer: versionId, contentType, contentEncoding, userMetadata, userMetadataBytes, checksums. */
  responseMetadata: object | null;
  /** Reads so far. */
  attempts: number;
  error: { code: string; message: string } | null;
  /** Reason of the exclusion. */
  exclusion: string | null;
}

export type ObjectState = "listed" | "stored" | "failed" | "excluded";

/** The record of an object that was only listed so far. */
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
    stated: null,
    etagIsDigest: false,
    verifiedIn: null,
    suspect: false,
    responseMetadata: null,
    attempts: 0,
    error: null,
    exclusion: null,
  };
}

/** Makes a listed object stored, as this stored object with the same content. */
export function takeStored(
  listed: ObjectRecord,
  { contentPath, sha512, verifiedBy, verifiedWith, stated, etagIsDigest, responseMetadata }: ObjectRecord,
): void {
  const outcome = { contentPath, sha512, verifiedBy, verifiedWith, stated, etagIsDigest, responseMetadata };
  Object.assign(listed, { state: "stored", ...outcome });
}

/** The logical path of an object. */
export function pathOfObject(object: Pick<ObjectRecord, "path" | "key">): string {
  return object.path ?? `data/${object.key}`;
}

/** The content path, below the content folder, of an object stored in its own version. */
export function placeOfObject(object: Pick<ObjectRecord, "contentPath" | "key">): string {
  return object.contentPath ?? `data/${object.key}`;
}

/** The content path of a stored object in the dataset's folder. @param version the version that lists it */
export function contentPathOf(object: Placed, version: number): string {
  const { contentPath, verifiedIn } = object;
  if (contentPath !== null && LIES_EARLIER.test(contentPath)) return contentPath;
  return `v${verifiedIn ?? version}/content/${placeOfObject(object)}`;
}

/** The value of `contentPath` for an object with this content path. */
export function recordedPath(path: string, object: Pick<Placed, "key" | "verifiedIn">, version: number): string | null {
  const own = `v${object.verifiedIn ?? version}/content/`;
  if (!path.startsWith(own)) return path;
  const place = path.slice(own.length);
  return place === `data/${object.key}` ? null : place;
}

type Placed = Pick<ObjectRecord, "key" | "contentPath" | "verifiedIn">;
/** Matches paths in earlier versions. Paths below a content folder never begin like this. */
const LIES_EARLIER = /^v\d+\/content\//;
