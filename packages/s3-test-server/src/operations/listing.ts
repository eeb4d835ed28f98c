import type { Quirks } from "../faults/quirks.ts";
import { escapeXml, invalidArgument, xmlReply } from "../http/errors.ts";
import type { Reply } from "../http/reply.ts";
import { type Bucket, compareBytes } from "../store.ts";
import type { StoredObject } from "../stored-object.ts";
import type { Call } from "./call.ts";

interface Page {
  objects: StoredObject[];
  prefixes: string[];
  /** The last key or common prefix of the page, if more pages follow. */
  last: string | undefined;
}

/** ListObjectsV2 and ListObjects. */
export function listObjects(call: Call, bucket: Bucket): Reply {
  const { request, quirks } = call;
  const { query } = request;
  const second = query.get("list-type") === "2" && !quirks.listV1Only;
  const prefix = query.get("prefix") ?? "";
  const delimiter = query.get("delimiter") ?? "";
  const after = second ? startOfPage(query) : (query.get("marker") ?? "");
  const maxKeys = maxKeysOf(query);
  const page = pageOf(
    bucket,
    prefix,
    delimiter,
    quirks.repeatsFirstPage ? "" : after,
    Math.min(maxKeys, quirks.pageLimit ?? 1000),
  );
  if (quirks.backwards && after !== "") page.objects.reverse();
  if (after !== "") page.objects.unshift(...before(bucket, prefix, after, quirks.repeatedRows ?? 0));
  const encode = encoderOf(query, quirks);
  let xml = `<Name>${quirks.statedName ?? bucket.name}</Name><Prefix>${encode(prefix)}</Prefix><MaxKeys>${maxKeys}</MaxKeys>`;
  if (delimiter !== "") xml += `<Delimiter>${encode(delimiter)}</Delimiter>`;
  const element = quirks.encodingTypeElement ?? "EncodingType";
  if (urlEncoded(query, quirks) && !quirks.omitsEncodingType) xml += `<${element}>url</${element}>`;
  xml += `<IsTruncated>${page.last !== undefined}</IsTruncated>`;
  if (quirks.namesPageAfterEnd) page.last ??= page.objects.at(-1)?.key;
  xml += second ? secondHead(query, page, encode) : firstHead(query, page, encode, delimiter !== "", quirks);
  for (const object of page.objects) xml += contents(object, encode, quirks);
  for (const common of page.prefixes) xml += `<CommonPrefixes><Prefix>${encode(common)}</Prefix></CommonPrefixes>`;
  return xmlReply("ListBucketResult", xml);
}

function secondHead(query: ReadonlyMap<string, string>, page: Page, encode: (text: string) => string): string {
  let xml = `<KeyCount>${page.objects.length + page.prefixes.length}</KeyCount>`;
  const token = query.get("continuation-token");
  if (token !== undefined) xml += `<ContinuationToken>${escapeXml(token)}</ContinuationToken>`;
  const startAfter = query.get("start-after");
  if (startAfter !== undefined) xml += `<StartAfter>${encode(startAfter)}</StartAfter>`;
  if (page.last !== undefined) xml += `<NextContinuationToken>${makeToken(page.last)}</NextContinuationToken>`;
  return xml;
}

function firstHead(
  query: ReadonlyMap<string, string>,
  page: Page,
  encode: (text: string) => string,
  delimited: boolean,
  quirks: Quirks,
): string {
  const marker = `<Marker>${encode(query.get("marker") ?? "")}</Marker>`;
  // Amazon sends NextMarker only with a delimiter. Otherwise the last key is the next marker.
  if (page.last === undefined || !delimited || quirks.withoutNextMarker) return marker;
  return `${marker}<NextMarker>${encode(page.last)}</NextMarker>`;
}

function timeText(time: Date, form: Quirks["timeForm"]): string {
  if (form === "epoch") return String(Math.floor(time.getTime() / 1_000));
  if (form === "http") return time.toUTCString();
  if (form === "offset") return time.toISOString().replace("Z", "+0000");
  return form === "zero" ? "0001-01-01T00:00:00.000Z" : time.toISOString();
}

function contents(object: StoredObject, encode: (text: string) => string, quirks: Quirks): string {
  const { checksum } = object.options;
  const algorithm = checksum === undefined ? "" : `<ChecksumAlgorithm>${checksum.toUpperCase()}</ChecksumAlgorithm>`;
  return (
    `<Contents><Key>${encode(object.key)}</Key><LastModified>${timeText(object.lastModified, quirks.timeForm)}</LastModified>` +
    `<ETag>${escapeXml(object.etag)}</ETag>${algorithm}<Size>${object.body.size}</Size>` +
    `<StorageClass>${object.storageClass}</StorageClass></Contents>`
  );
}

function pageOf(bucket: Bucket, prefix: string, delimiter: string, after: string, limit: number): Page {
  const keys = bucket.keys();
  const page: Page = { objects: [], prefixes: [], last: undefined };
  if (limit === 0) return page;
  let last = "";
  let count = 0;
  let index = after === "" ? lowerBound(keys, prefix) : Math.max(lowerBound(keys, prefix), upperBound(keys, after));
  for (; index < keys.length; index++) {
    const key = keys[index] as string;
    if (!key.startsWith(prefix)) break;
    const common = commonPrefix(key, prefix, delimiter);
    // Keys below the common prefix of this page, or of the end of the previous page, are already listed.
    if (common !== undefined && (common === last || common === after)) continue;
    if (count === limit) {
      page.last = last;
      break;
    }
    if (common === undefined) page.objects.push(bucket.get(key) as StoredObject);
    else page.prefixes.push(common);
    last = common ?? key;
    count += 1;
  }
  return page;
}

/** The last objects up to a key. */
function before(bucket: Bucket, prefix: string, after: string, count: number): StoredObject[] {
  if (count === 0) return [];
  const known = bucket.keys().filter((key) => key.startsWith(prefix) && compareBytes(key, after) <= 0);
  return known.slice(-count).map((key) => bucket.get(key) as StoredObject);
}

function commonPrefix(key: string, prefix: string, delimiter: string): string | undefined {
  if (delimiter === "") return undefined;
  const end = key.indexOf(delimiter, prefix.length);
  return end < 0 ? undefined : key.slice(0, end + delimiter.length);
}

/** Index of the first key that is not before `text`. */
const lowerBound = (keys: readonly string[], text: string): number => bound(keys, (key) => compareBytes(key, text) < 0);

/** Index of the first key after `text`. */
const upperBound = (keys: readonly string[], text: string): number =>
  bound(keys, (key) => compareBytes(key, text) <= 0);

function bound(keys: readonly string[], isBefore: (key: string) => boolean): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(keys[middle] as string)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function startOfPage(query: ReadonlyMap<string, string>): string {
  const token = query.get("continuation-token");
  return token === undefined ? (query.get("start-after") ?? "") : readToken(token);
}

const makeToken = (last: string): string => Buffer.from(`1${last}`).toString("base64url");

function readToken(token: string): string {
  const text = Buffer.from(token, "base64url").toString();
  if (!text.startsWith("1") || makeToken(text.slice(1)) !== token) {
    throw invalidArgument("continuation-token", token);
  }
  return text.slice(1);
}

function maxKeysOf(query: ReadonlyMap<string, string>): number {
  const text = query.get("max-keys") ?? "1000";
  if (!/^\d{1,9}$/.test(text)) throw invalidArgument("max-keys", text);
  return Math.min(1000, Number(text));
}

function urlEncoded(query: ReadonlyMap<string, string>, quirks: Quirks): boolean {
  const type = query.get("encoding-type");
  if (type === undefined || type === "" || quirks.ignoresEncodingType) return false;
  if (type !== "url") throw invalidArgument("encoding-type", type);
  return true;
}

function encoderOf(query: ReadonlyMap<string, string>, quirks: Quirks): (text: string) => string {
  if (quirks.statesEncodingOnly) return escapeXml;
  if (urlEncoded(query, quirks) && quirks.plusUnencoded) return (text) => percent20(text).replaceAll("%2B", "+");
  if (urlEncoded(query, quirks)) return quirks.spaceAsPercent20 ? percent20 : plus;
  return quirks.numericReferences ? references : escapeXml;
}

const plain = /^[\w./-]*$/;

const percent20 = (text: string): string =>
  plain.test(text)
    ? text
    : encodeURIComponent(text)
        .replaceAll("%2F", "/")
        .replace(/[!'()*~]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

const plus = (text: string): string => percent20(text).replaceAll("%20", "+");

const references = (text: string): string => escapeXml(text).replace(/[^\x00-\x7f]/gu, (c) => `&#${c.codePointAt(0)};`);
