import { Problem } from "../../../domain/problems.ts";
import { sameEtag } from "../etag.ts";
import type { S3Bucket } from "../s3-bucket.ts";
import { decodeName, isUnmarked, type NameEncoding } from "./name-encoding.ts";

/** One entry of a page whose key is not decoded yet. */
export interface UndecodedRow {
  raw: string;
  bytes: number;
  etag: string | null;
}

/** Entries that are tried until one shows the encoding. Objects may be deleted, or not be readable. */
const MAX_PROBED = 4;

/**
 * Finds out which object an entry of a listing means: requests the head of each object that it may mean, and compares size and
 * ETag. Entries are tried until only one encoding is left, or all that are left mean the same keys.
 *
 * @param possible the encodings under which the page is valid; the most probable one first
 * @param isStated whether the document states the first one. It is then accepted if its object exists
 * @returns the encodings that are left; none if the only possible one is not confirmed by an object
 * @throws Problem of the connection, or of a server that is not available
 */
export async function probeNames(
  source: S3Bucket,
  rows: readonly UndecodedRow[],
  { possible, isStated, signal }: { possible: readonly NameEncoding[]; isStated: boolean; signal: AbortSignal },
): Promise<NameEncoding[]> {
  let left = [...possible];
  let probed = 0;
  for (const row of inOrder(rows)) {
    const names = meanings(row.raw, left);
    if (names.size < 2 && possible.length > 1) continue;
    if (probed++ === MAX_PROBED) break;
    const found = await existing(source, row, names, { isStated, signal });
    if (found !== undefined && possible.length === 1) return found;
    if (found !== undefined) left = found;
  }
  return possible.length === 1 ? [] : left;
}

/** Entries with both marks first: one of them may decide everything. Empty objects last: their heads say least. */
function inOrder(rows: readonly UndecodedRow[]): UndecodedRow[] {
  const rank = ({ raw, bytes }: UndecodedRow) =>
    (raw.includes("%") ? 2 : 0) + (raw.includes("+") ? 1 : 0) - (bytes === 0 ? 4 : 0);
  return rows.filter(({ raw }) => !isUnmarked(raw)).sort((one, other) => rank(other) - rank(one));
}

/** The keys that an entry may mean, and the encodings under which it does. */
function meanings(raw: string, encodings: readonly NameEncoding[]): Map<string, NameEncoding[]> {
  const names = new Map<string, NameEncoding[]>();
  for (const encoding of encodings) {
    const name = decodeName(raw, encoding);
    names.set(name, [...(names.get(name) ?? []), encoding]);
  }
  return names;
}

/** The encodings of the only key that exists as listed; undefined if none, or more than one, does. */
async function existing(
  source: S3Bucket,
  row: UndecodedRow,
  names: ReadonlyMap<string, NameEncoding[]>,
  { isStated, signal }: { isStated: boolean; signal: AbortSignal },
): Promise<NameEncoding[] | undefined> {
  let found: NameEncoding[] | undefined;
  let isFirst = true;
  for (const [key, encodings] of names) {
    const object = { key, bytes: row.bytes, etag: row.etag };
    const exists = await objectAt(source, object, signal).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.retryable) throw error;
      return undefined;
    });
    // Without permission to read it, nothing is known about this entry.
    if (exists === undefined) return undefined;
    if (exists && isFirst && isStated) return encodings;
    if (exists && found !== undefined) return undefined;
    if (exists) found = encodings;
    isFirst = false;
  }
  return found;
}

/** The listed facts about an object that its head must repeat. */
interface Listed {
  key: string;
  bytes: number;
  etag: string | null;
}

/**
 * Whether an object exists with this size and ETag.
 * @throws Problem if the server does not say, for example `object_denied`
 */
async function objectAt(source: S3Bucket, object: Listed, signal: AbortSignal): Promise<boolean> {
  try {
    const head = await requestHead(source, object, signal);
    const isSame = object.etag === null || head.etag === undefined || sameEtag(object.etag, head.etag);
    return isSame && (head.bytes === undefined || head.bytes === object.bytes);
  } catch (error) {
    if (error instanceof Problem && error.code === "object_gone") return false;
    throw error;
  }
}

/** The size and ETag of an object, by HEAD, or by GET of one byte if the server does not answer HEAD. */
async function requestHead(
  source: S3Bucket,
  { key }: Listed,
  signal: AbortSignal,
): Promise<{ bytes: number | undefined; etag: string | undefined }> {
  const request = { operation: "read", key, signal } as const;
  const reply = await source.request({ ...request, method: "HEAD" }).catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code === "object_gone") throw error;
    return source.request({ ...request, headers: { range: "bytes=0-0" } });
  });
  reply.body.destroy();
  const total = /\/(\d+)$/.exec(reply.headers["content-range"] ?? "")?.[1] ?? reply.headers["content-length"];
  return { bytes: total === undefined ? undefined : Number(total), etag: reply.headers.etag };
}
