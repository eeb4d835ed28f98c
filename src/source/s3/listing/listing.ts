import { hash } from "node:crypto";
import { inMessage } from "../../../domain/in-message.ts";
import { isoTime } from "../../../domain/iso-time.ts";
import { compareKeys } from "../../../domain/keys-and-paths/path.ts";
import { Problem } from "../../../domain/problems.ts";
import type { ListedObject, ListingPage, ListingPosition } from "../../source.ts";
import type { S3Bucket } from "../s3-bucket.ts";
import { explainFailure } from "../transport/errors.ts";
import { type Asked, ListingDocument } from "./listing-document.ts";
import { ListingFault } from "./listing-fault.ts";
import { decodeName, judgeNames, type NameEncoding } from "./name-encoding.ts";
import { readListing } from "./plain-listing.ts";
import { probeNames } from "./probe-names.ts";
import { XmlError } from "./xml.ts";

/** The position in a bucket's listing. */
export interface S3ListingPosition extends ListingPosition {
  api: 1 | 2;
  /** Continuation token (v2) or marker (v1). */
  after: string;
  /** The token at the last page whose number is a power of two. If it is repeated, the listing is a cycle. */
  mark: string;
  /** Number of consecutive pages without an object. */
  emptyPages: number;
  /** How the listing encodes keys, once that is proven. */
  names?: NameEncoding;
  /** Digest of the keys of the page of `mark`. If it is repeated, the listing is a cycle. */
  markKeys?: string;
}

/** A page of a bucket's listing. The ETags keep their quotes, which If-Match needs. */
export interface S3ListingPage extends ListingPage {
  next: S3ListingPosition | undefined;
  /** The server's Date header, for the clock check. */
  date: string | undefined;
  /** A key of the page whose encoding could not be proven. It is read as the server states it. */
  unprovenKey?: string;
  /** The key of an object whose stated time of the last change is not a time. It is treated as not stated. */
  untimedKey?: string;
}

/** Limit for a page. A page of 1,000 keys of 1,024 bytes, each byte percent-encoded, is below 4 MiB. */
const PAGE_BYTES = 16 * 1024 * 1024;
const MAX_EMPTY_PAGES = 1_000;
/** Maximum length of a key in UTF-8 bytes (Amazon S3 User Guide, "Naming Amazon S3 objects"). */
const KEY_BYTES = 1_024;

/**
 * Reads one page of the listing, in the server's order. Uses ListObjectsV2, or ListObjects if the server supports only
 * that. The page is complete or the call fails: a response that is not a listing never counts as an empty bucket, and a
 * page that could hide objects is refused ({@link ListingDocument}). Repeated entries of a page are returned once.
 *
 * @throws Problem `listing_invalid`, `listing_loop`, `key_too_long`, or the problem of the request
 */
export async function listPage(
  source: S3Bucket,
  options: { prefix?: string | undefined; position?: S3ListingPosition | undefined; signal: AbortSignal },
): Promise<S3ListingPage> {
  const { position, signal } = options;
  const api = position?.api ?? 2;
  const after = position?.after ?? "";
  const asked: Asked = {
    prefix: options.prefix ?? "",
    token: api === 2 ? after : "",
    marker: api === 1 ? after : "",
  };
  const reply = await source.request({
    operation: "list",
    query: [
      ...(api === 2 ? ([["list-type", "2"]] as const) : []),
      ["encoding-type", "url"],
      ["max-keys", "1000"],
      ["prefix", asked.prefix],
      ...(position === undefined ? [] : ([[api === 2 ? "continuation-token" : "marker", after]] as const)),
    ],
    signal,
  });
  const document = new ListingDocument();
  try {
    if (reply.status !== 200) throw new ListingFault(`its HTTP status is ${reply.status} instead of 200`);
    const root = await readListing(capped(reply.body), document);
    if (!document.isListing) throw notAListing(source, root);
    const isTruncated = document.isTruncated(asked);
    const { encoding, proven, unprovenKey } = await encodingOf(source, document, asked, { position, signal });
    const objects = document.rows(asked, encoding);
    refuseLongKeys(source, objects);
    const untimedKey = normaliseTimes(objects);
    const next = isTruncated ? nextPosition(source, document, { objects, encoding, proven }, position) : undefined;
    return {
      ...{ objects, next, date: reply.headers.date },
      ...(unprovenKey !== undefined && { unprovenKey }),
      ...(untimedKey !== undefined && { untimedKey }),
    };
  } catch (error) {
    reply.body.destroy();
    signal.throwIfAborted();
    if (error instanceof Problem) throw error;
    if (error instanceof ListingFault) throw invalidListingProblem(source, error.message);
    if (!(error instanceof XmlError)) throw source.failed(explainFailure(error, source.origin, "body"));
    if (!document.isListing) throw notAListing(source, undefined);
    throw invalidListingProblem(source, `its XML cannot be read: ${error.message}`);
  }
}

/** Brings the times of the last change into the form of ISO 8601. Returns the first key whose time is not one. */
function normaliseTimes(objects: ListedObject[]): string | undefined {
  let untimedKey: string | undefined;
  for (const object of objects) {
    const time = isoTime(object.lastModified);
    if (time === null && object.lastModified !== null) untimedKey ??= object.key;
    object.lastModified = time;
  }
  return untimedKey;
}

/**
 * How the page encodes its keys. Proven by the page, by an earlier page, or by the heads of up to four objects; normal
 * servers are asked only if a key contains `+` and no other key shows its meaning.
 */
async function encodingOf(
  source: S3Bucket,
  document: ListingDocument,
  { prefix }: Asked,
  { position, signal }: { position: S3ListingPosition | undefined; signal: AbortSignal },
): Promise<{ encoding: NameEncoding; proven: NameEncoding | undefined; unprovenKey?: string }> {
  const { traits } = source;
  const known = position?.names ?? traits.names;
  if (known !== undefined) return { encoding: known, proven: known };
  const { isEncoded } = document;
  const raw = document.rawKeys();
  const { possible, isCertain, isProven } = judgeNames(raw, prefix, isEncoded);
  const [first] = possible;
  // No encoding fits: decoding the keys as stated names the fault.
  const stated = isEncoded ? "plus" : "none";
  if (first === undefined) return { encoding: stated, proven: undefined };
  if (isProven) traits.names = first;
  if (isCertain) return { encoding: first, proven: traits.names };
  const rows = document.rawRows();
  const left = await probeNames(source, rows, { possible, isStated: isEncoded && first !== "none", signal });
  if (left.length === 1) traits.names = left[0];
  const encoding = left[0] ?? stated;
  const unproven = raw.find((key) => new Set(left.map((one) => decodeName(key, one))).size > 1);
  return {
    encoding,
    proven: traits.names,
    ...(unproven !== undefined && { unprovenKey: decodeName(unproven, encoding) }),
  };
}

function nextPosition(
  source: S3Bucket,
  document: ListingDocument,
  page: { objects: readonly ListedObject[]; encoding: NameEncoding; proven: NameEncoding | undefined },
  before: S3ListingPosition | undefined,
): S3ListingPosition {
  const { objects } = page;
  const token = document.value("NextContinuationToken");
  // A server without v2 ignores list-type and answers as v1: no KeyCount, no token.
  const isOld = token === undefined && (before?.api ?? 1) === 1 && document.value("KeyCount") === undefined;
  const marker = document.value("NextMarker");
  const after = isOld ? ((marker && decodeName(marker, page.encoding)) ?? lastOf(objects)) : token;
  if (after === undefined) throw new ListingFault("more pages follow, but there is no continuation token");
  const emptyPages = objects.length === 0 ? (before?.emptyPages ?? 0) + 1 : 0;
  const keys = objects.length === 0 ? "" : hash("sha256", JSON.stringify(objects.map(({ key }) => key)), "base64");
  const isRepeated = after === before?.after || after === before?.mark || (keys !== "" && keys === before?.markKeys);
  if (isRepeated || emptyPages > MAX_EMPTY_PAGES) throw listingLoopProblem(source);
  const pages = (before?.pages ?? 0) + 1;
  // Brent's algorithm for cycles: compare with the last page whose number is a power of two.
  const isMark = (pages & (pages - 1)) === 0 || before === undefined;
  const marked = isMark ? { mark: after, markKeys: keys } : { mark: before.mark, markKeys: before.markKeys ?? "" };
  const names = page.proven === undefined ? {} : { names: page.proven };
  return { api: isOld ? 1 : 2, after, pages, emptyPages, ...marked, ...names };
}

/** The marker of the next page of ListObjects v1 without a NextMarker: the last key, which must then be the greatest. */
function lastOf(objects: readonly ListedObject[]): string | undefined {
  const last = objects.at(-1)?.key;
  if (last !== undefined && objects.some(({ key }) => compareKeys(key, last) > 0)) {
    throw new ListingFault("its keys are not in order and it has no marker for the next page");
  }
  return last;
}

/** Refuses keys that are longer than S3 allows. They would not fit into a path or into the database's index. */
function refuseLongKeys(source: S3Bucket, objects: readonly ListedObject[]): void {
  for (const { key } of objects) {
    // UTF-8 needs at most three bytes for a UTF-16 code unit.
    if (key.length * 3 <= KEY_BYTES) continue;
    const bytes = Buffer.byteLength(key);
    if (bytes <= KEY_BYTES) continue;
    const message = `The key “${inMessage(key)}” has ${bytes} bytes; S3 allows 1,024`;
    throw source.failed(new Problem("key_too_long", message));
  }
}

async function* capped(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > PAGE_BYTES) throw new XmlError("it is longer than any page of 1,000 keys");
    yield part;
  }
}

/** The Problem for a listing that contradicts itself. `why` follows a colon. */
export function invalidListingProblem(source: S3Bucket, why: string): Problem {
  return source.failed(
    new Problem("listing_invalid", `The listing of ${source.origin.host} is contradictory or incomplete: ${why}`),
  );
}

/** @param root the name of the document's root element; undefined if the response is not XML */
function notAListing(source: S3Bucket, root: string | undefined): Problem {
  if (root === "Error") return invalidListingProblem(source, "it contains an error, although its status is 200");
  // The response itself is not shown to the caller. Only the name of an S3 or HTML element is.
  const named = root !== undefined && /^[A-Za-z]{1,40}$/.test(root) ? `“${root}”` : "another document";
  const what = root === undefined ? "a response that is not XML" : named;
  const message = `${source.origin.host} is not an S3 server: it answered the listing with ${what}`;
  return source.failed(new Problem("not_s3", message));
}

/** The Problem for a listing that repeats itself. Also thrown by readers when a page has no new objects. */
export function listingLoopProblem(source: S3Bucket): Problem {
  return new Problem("listing_loop", `The listing of ${source.origin.host} never ends: it repeats itself`);
}
