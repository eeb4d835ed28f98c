import { Problem } from "../submission/problems.ts";
import { explainFailure, plain } from "./errors.ts";
import type { Source } from "./source.ts";
import { readXml, XmlError } from "./xml.ts";

/** One line of a bucket's listing, as the server gives it. */
export interface ListedObject {
  key: string;
  bytes: number;
  /** With its quotes, as If-Match wants it. */
  etag: string | null;
  lastModified: string | null;
  storageClass: string | null;
}

/** Where a listing goes on: plain data that survives a restart. */
export interface ListingPosition {
  api: 1 | 2;
  /** Continuation token (v2) or marker (v1). */
  after: string;
  pages: number;
  /** The token at the last page whose number is a power of two: when it comes again the listing is a cycle. */
  mark: string;
  /** Pages without a single object so far, one after the other. */
  emptyPages: number;
}

export interface ListingPage {
  objects: ListedObject[];
  /** Undefined after the last page. */
  next: ListingPosition | undefined;
  /** The server's Date header, for the clock check. */
  date: string | undefined;
}

/** A page of 1,000 keys of 1,024 bytes, each byte percent-encoded, is below 4 MiB. */
const PAGE_BYTES = 16 * 1024 * 1024;
const MAX_EMPTY_PAGES = 1_000;
/** The root element of a listing. */
const LISTING = "ListBucketResult";

/**
 * Reads one page of the listing, in the server's order: ListObjectsV2, or the older ListObjects where a server knows
 * only that. The page is whole or the call fails; a reply that is not a listing is never taken for an empty bucket.
 *
 * @throws Problem `listing_invalid`, `listing_loop`, or what the request met
 */
export async function listPage(
  source: Source,
  options: { prefix?: string | undefined; position?: ListingPosition | undefined; signal: AbortSignal },
): Promise<ListingPage> {
  const { position, signal } = options;
  const api = position?.api ?? 2;
  const reply = await source.request({
    operation: "list",
    query: [
      ...(api === 2 ? ([["list-type", "2"]] as const) : []),
      ["encoding-type", "url"],
      ["max-keys", "1000"],
      ["prefix", options.prefix ?? ""],
      ...(position === undefined ? [] : ([[api === 2 ? "continuation-token" : "marker", position.after]] as const)),
    ],
    signal,
  });
  const page = new PageReader();
  let root: string;
  try {
    root = await readXml(capped(reply.body), page);
  } catch (error) {
    reply.body.destroy();
    signal.throwIfAborted();
    if (!(error instanceof XmlError)) throw source.failed(explainFailure(error, source.origin));
    if (!page.isListing) throw notAListing(source, "something that is no XML");
    throw invalid(source, `its XML cannot be read: ${plain(error.message)}`);
  }
  if (root !== LISTING) throw notAListing(source, root);
  const objects = page.finish(source);
  return { objects, next: nextPosition(source, page, objects, position), date: reply.headers.date };
}

function nextPosition(
  source: Source,
  page: PageReader,
  objects: ListedObject[],
  before: ListingPosition | undefined,
): ListingPosition | undefined {
  if (!isTruncated(source, page)) return undefined;
  const lastKey = objects.at(-1)?.key;
  const token = page.value("NextContinuationToken");
  // A server that does not know v2 ignores list-type and answers as v1: no KeyCount, no token.
  const api = token === undefined && (before?.api === 1 || page.value("KeyCount") === undefined) ? 1 : 2;
  const after = api === 2 ? token : (page.text("NextMarker") ?? lastKey);
  if (after === undefined || after === "")
    throw invalid(source, "it says that it is cut short, but not where it goes on");
  const emptyPages = objects.length === 0 ? (before?.emptyPages ?? 0) + 1 : 0;
  if (after === before?.after || after === before?.mark || emptyPages > MAX_EMPTY_PAGES) throw loop(source);
  const pages = (before?.pages ?? 0) + 1;
  // Brent's way to find a cycle: compare with the token of the last page whose number is a power of two.
  const isMark = (pages & (pages - 1)) === 0;
  return { api, after, pages, emptyPages, mark: isMark ? after : (before?.mark ?? after) };
}

/** Whether more pages follow; what is neither yes nor no must not be taken for the end. */
function isTruncated(source: Source, page: PageReader): boolean {
  const said = page.value("IsTruncated")?.trim().toLowerCase();
  if (said === "true" || said === "false") return said === "true";
  if (said === undefined) return Boolean(page.value("NextContinuationToken") ?? page.value("NextMarker"));
  throw invalid(source, "it does not say whether it is cut short");
}

/** Collects what a listing says; a page is small enough to be held. */
class PageReader {
  readonly #values = new Map<string, string>();
  readonly #entries: Map<string, string>[] = [];

  isListing = false;

  open(path: readonly string[]): void {
    if (path[0] !== LISTING) return;
    this.isListing = true;
    if (path.length === 2 && path[1] === "Contents") this.#entries.push(new Map());
  }

  close(path: readonly string[], text: string): void {
    const [, first, second] = path;
    if (path.length === 2 && first !== undefined) this.#values.set(first, text);
    else if (path.length === 3 && first === "Contents" && second !== undefined) this.#entries.at(-1)?.set(second, text);
  }

  value(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** A value that `encoding-type=url` covers. */
  text(name: string): string | undefined {
    const value = this.#values.get(name);
    return value === undefined || !this.#encoded ? value : decodeUrl(value);
  }

  get #encoded(): boolean {
    return this.#values.get("EncodingType") === "url";
  }

  finish(source: Source): ListedObject[] {
    const encoded = this.#encoded;
    return this.#entries.map((entry) => {
      const raw = entry.get("Key");
      const size = entry.get("Size");
      if (raw === undefined || raw === "") throw invalid(source, "an entry has no key");
      if (size === undefined || !/^\d{1,15}$/.test(size)) throw invalid(source, `“${plain(raw)}” has no size`);
      const key = encoded ? decodeUrl(raw) : raw;
      if (key === undefined) throw invalid(source, `the key “${plain(raw)}” is not UTF-8`);
      return {
        key,
        bytes: Number(size),
        etag: entry.get("ETag") || null,
        lastModified: entry.get("LastModified") || null,
        storageClass: entry.get("StorageClass") || null,
      };
    });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Percent-decoding of a listing, where `+` is a space. Undefined when the bytes are not UTF-8. */
function decodeUrl(text: string): string | undefined {
  // Most keys hold nothing that is written otherwise.
  if (/^[\x20-\x24\x26-\x2a\x2c-\x7e]*$/.test(text)) return text;
  const bytes = Buffer.from(
    text
      .replaceAll("+", " ")
      .replace(/%([0-9A-Fa-f]{2})|[^\x00-\x7F]/gu, (found, hex: string | undefined) =>
        hex === undefined
          ? Buffer.from(found, "utf8").toString("latin1")
          : String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    "latin1",
  );
  try {
    return utf8.decode(bytes);
  } catch {
    // Not a text; the caller names the key as it came.
    return undefined;
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

function invalid(source: Source, why: string): Problem {
  return source.failed(new Problem("listing_invalid", `The listing of ${source.origin.host} makes no sense: ${why}`));
}

function notAListing(source: Source, root: string): Problem {
  return root === "Error"
    ? invalid(source, "it is an error with the status of a success")
    : source.failed(
        new Problem(
          "not_s3",
          `What answers at ${source.origin.host} is no S3 server: it answers a listing with “${plain(root)}”`,
        ),
      );
}

/** Also thrown by who records the pages and meets a key twice. */
export function loop(source: Source): Problem {
  return new Problem("listing_loop", `The listing of ${source.origin.host} never ends: it repeats itself`);
}
