import { gunzipSync } from "node:zlib";
import type { Quirks } from "../faults/quirks.ts";
import { wholeBody } from "../http/bodies.ts";
import {
  accessDenied,
  escapeXml,
  invalidArgument,
  invalidRequest,
  S3Error,
  unescapeXml,
  xmlReply,
} from "../http/errors.ts";
import { emptyReply, type Reply } from "../http/reply.ts";
import type { Bucket } from "../store.ts";
import type { PutOptions, StoredObject } from "../stored-object.ts";
import type { Call } from "./call.ts";

/** GET and HEAD of an object. The server omits the body of a response to HEAD. */
export function readObject(call: Call, bucket: Bucket): Reply {
  const { request, quirks } = call;
  if (request.method === "HEAD" && quirks.headStatus !== undefined) return emptyReply(quirks.headStatus);
  const object = bucket.get(request.key) ?? refuseMissing(call, bucket);
  refuseUnreadable(call, object);
  const headers = objectHeaders(object, quirks.metadataEncoding);
  if (quirks.omitsEtags) delete headers.etag;
  if (quirks.unpacksGzip && isUnpacked(call, object)) return unpacked(headers, object);
  const unchanged = checkConditions(call, object);
  if (unchanged) return emptyReply(304, { etag: headers.etag ?? "", "last-modified": headers["last-modified"] ?? "" });
  const part = partOf(call, object);
  const range = part ?? rangeOf(call, object);
  if (request.headers["x-amz-checksum-mode"] === "ENABLED") addChecksum(headers, object, range !== undefined);
  const { start, end } = range ?? { start: 0, end: object.body.size };
  headers["content-length"] = String(end - start);
  if (part !== undefined && object.parts !== undefined) headers["x-amz-mp-parts-count"] = String(object.parts.length);
  if (range !== undefined && object.body.size > 0) {
    headers["content-range"] = `bytes ${start}-${end - 1}/${object.body.size}`;
    return { status: 206, headers, body: { body: object.body, start, end } };
  }
  return { status: 200, headers, body: { body: object.body, start, end } };
}

/** Whether a server that unpacks compressed objects does so for this request. */
function isUnpacked({ request }: Call, object: StoredObject): boolean {
  return object.options.contentEncoding === "gzip" && !/gzip/.test(String(request.headers["accept-encoding"] ?? ""));
}

/** The unpacked content, with its own length, as a proxy sends it. */
function unpacked(headers: Record<string, string>, object: StoredObject): Reply {
  const { "content-encoding": _, ...others } = headers;
  const body = gunzipSync(wholeBody(object.body));
  return { status: 200, headers: { ...others, etag: `W/${object.etag}` }, body };
}

/** PUT of an object in one request. */
export function putObject(call: Call, bucket: Bucket): Reply {
  const { request, payload, store } = call;
  checkWriteConditions(call, bucket);
  if (Buffer.byteLength(request.key) > 1024) throw new S3Error(400, "KeyTooLongError", "Your key is too long");
  const options = putOptions(call);
  if (payload.checksum !== undefined) options.checksum = payload.checksum;
  const object = store.put(bucket.name, request.key, payload.bytes, options);
  const headers: Record<string, string> = { etag: object.etag };
  addChecksum(headers, object, false);
  return emptyReply(200, headers);
}

/** DELETE of an object. A missing object is not an error. */
export function deleteObject(call: Call, bucket: Bucket): Reply {
  bucket.delete(call.request.key);
  return emptyReply(204);
}

const mostDeleted = 1_000;

/** DeleteObjects: many objects in one request. A missing object is not an error; a forbidden one is reported. */
export function deleteObjects(call: Call, bucket: Bucket): Reply {
  const { headers } = call.request;
  const isVouched = headers["content-md5"] ?? Object.keys(headers).find((name) => name.startsWith("x-amz-checksum-"));
  if (isVouched === undefined) throw invalidRequest("Missing required header for this request: Content-MD5");
  const xml = call.payload.bytes.toString();
  const keys = Array.from(xml.matchAll(/<Object>.*?<Key>(.*?)<\/Key>.*?<\/Object>/gs), ([, key = ""]) =>
    unescapeXml(key),
  );
  if (keys.length === 0 || keys.length > mostDeleted) {
    throw new S3Error(400, "MalformedXML", "The XML you provided names no objects, or too many.");
  }
  let answer = "";
  for (const key of keys) {
    if (call.may("delete", bucket.name, key)) {
      bucket.delete(key);
      if (!/<Quiet>true<\/Quiet>/.test(xml)) answer += `<Deleted><Key>${escapeXml(key)}</Key></Deleted>`;
    } else {
      answer += `<Error><Key>${escapeXml(key)}</Key><Code>AccessDenied</Code><Message>Access Denied</Message></Error>`;
    }
  }
  return xmlReply("DeleteResult", answer);
}

const mostCopied = 5 * 2 ** 30;

/** CopyObject within the server. */
export function copyObject(call: Call, bucket: Bucket): Reply {
  const { request, store } = call;
  if (Buffer.byteLength(request.key) > 1024) throw new S3Error(400, "KeyTooLongError", "Your key is too long");
  const object = copySource(call);
  if (object.body.size > mostCopied) {
    throw invalidRequest("The specified copy source is larger than the maximum allowable size for a copy source");
  }
  const copy = store.put(bucket.name, request.key, wholeBody(object.body), object.options);
  return xmlReply(
    "CopyObjectResult",
    `<ETag>${escapeXml(copy.etag)}</ETag><LastModified>${copy.lastModified.toISOString()}</LastModified>`,
  );
}

/** The source object of a copy request. */
export function copySource(call: Call): StoredObject {
  const source = String(call.request.headers["x-amz-copy-source"]).replace(/^\//, "");
  const slash = source.indexOf("/");
  const [name, key] = [decodeURIComponent(source.slice(0, slash)), decodeURIComponent(source.slice(slash + 1))];
  if (!call.may("get", name, key)) throw accessDenied();
  return call.store.bucket(name).get(key) ?? refuseMissing(call, call.store.bucket(name), key);
}

/** `If-None-Match: *` and `If-Match` on writes. */
export function checkWriteConditions(call: Call, bucket: Bucket): void {
  const { headers, key } = call.request;
  const present = bucket.get(key);
  if (headers["if-none-match"] === "*" && present !== undefined) throw preconditionFailed("If-None-Match");
  if (headers["if-match"] === undefined) return;
  if (present === undefined) throw noSuchKey(key);
  if (!matchesEtag(headers["if-match"], present.etag)) throw preconditionFailed("If-Match");
}

/** The options of an object from the headers of a PUT or CreateMultipartUpload. */
export function putOptions(call: Call): PutOptions {
  const { headers } = call.request;
  const metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith("x-amz-meta-")) metadata[name.slice("x-amz-meta-".length)] = String(value);
  }
  const options: PutOptions = { metadata };
  if (headers["content-type"] !== undefined) options.contentType = headers["content-type"];
  // aws-chunked is the framing of the upload, not a property of the object.
  const encoding = headers["content-encoding"]?.replace(/\s*aws-chunked\s*,?\s*/, "");
  if (encoding) options.contentEncoding = encoding;
  const storageClass = headers["x-amz-storage-class"];
  if (typeof storageClass === "string") options.storageClass = storageClass;
  return options;
}

function objectHeaders(object: StoredObject, encoding: Quirks["metadataEncoding"]): Record<string, string> {
  const { options } = object;
  const headers: Record<string, string> = {
    etag: object.etag,
    "last-modified": object.lastModified.toUTCString(),
    "accept-ranges": "bytes",
    "content-type": options.contentType ?? "binary/octet-stream",
  };
  if (options.contentEncoding !== undefined) headers["content-encoding"] = options.contentEncoding;
  if (object.storageClass !== "STANDARD") headers["x-amz-storage-class"] = object.storageClass;
  if (options.encryption === "aws:kms") {
    headers["x-amz-server-side-encryption"] = "aws:kms";
    headers["x-amz-server-side-encryption-aws-kms-key-id"] = "arn:aws:kms:::key/test";
  }
  if (options.encryption === "customer") headers["x-amz-server-side-encryption-customer-algorithm"] = "AES256";
  for (const [name, value] of Object.entries(options.metadata ?? {})) {
    headers[`x-amz-meta-${name}`] = metadataValue(value, encoding);
  }
  return headers;
}

/** A value of user metadata as it is sent. Node requires one character for each byte. */
function metadataValue(value: string, encoding: Quirks["metadataEncoding"]): string {
  if (encoding === "latin1") return value;
  const bytes = Buffer.from(value);
  if (encoding === undefined || /^[\x20-\x7e]*$/.test(value)) return bytes.toString("latin1");
  return `=?UTF-8?B?${bytes.toString("base64")}?=`;
}

function addChecksum(headers: Record<string, string>, object: StoredObject, partial: boolean): void {
  // S3 omits the stored checksum for a range, which it does not cover.
  if (partial || object.checksum === undefined) return;
  headers[`x-amz-checksum-${object.options.checksum}`] = object.checksum;
  headers["x-amz-checksum-type"] = object.checksumType;
}

function refuseMissing(call: Call, bucket: Bucket, key = call.request.key): never {
  // A caller without permission to list must not learn which keys exist.
  if (!call.may("list", bucket.name, "")) throw accessDenied();
  throw noSuchKey(key);
}

function refuseUnreadable(call: Call, object: StoredObject): void {
  const { headers, method } = call.request;
  if (method === "GET" && (object.storageClass === "GLACIER" || object.storageClass === "DEEP_ARCHIVE")) {
    const message = "The operation is not valid for the object's storage class";
    throw new S3Error(403, "InvalidObjectState", message, { fields: { StorageClass: object.storageClass } });
  }
  const withKey = headers["x-amz-server-side-encryption-customer-algorithm"] !== undefined;
  if (object.options.encryption === "customer" && !withKey) {
    throw invalidRequest(
      "The object was stored using a form of Server Side Encryption. The correct parameters must be provided to retrieve the object.",
    );
  }
}

/** Throws 412; returns true for 304. */
function checkConditions(call: Call, object: StoredObject): boolean {
  const { headers } = call.request;
  const ifMatch = headers["if-match"];
  if (ifMatch !== undefined && !matchesEtag(ifMatch, object.etag)) throw preconditionFailed("If-Match");
  const before = headers["if-unmodified-since"];
  if (ifMatch === undefined && before !== undefined && object.lastModified.getTime() > Date.parse(before)) {
    throw preconditionFailed("If-Unmodified-Since");
  }
  const ifNoneMatch = headers["if-none-match"];
  if (ifNoneMatch !== undefined) return matchesEtag(ifNoneMatch, object.etag);
  const since = headers["if-modified-since"];
  return since !== undefined && object.lastModified.getTime() <= Date.parse(since);
}

/** S3 accepts ETags with and without quotes. */
function matchesEtag(condition: string, etag: string): boolean {
  if (condition === "*") return true;
  return condition.split(",").some((word) => word.trim() === etag || `"${word.trim()}"` === etag);
}

function partOf(call: Call, object: StoredObject): { start: number; end: number } | undefined {
  const text = call.request.query.get("partNumber");
  if (text === undefined) return undefined;
  if (call.request.headers.range !== undefined) {
    throw invalidRequest("Cannot specify both Range header and partNumber query parameter");
  }
  if (!/^\d{1,5}$/.test(text)) throw invalidArgument("partNumber", text);
  const range = object.partRange(Number(text));
  if (range === undefined) throw new S3Error(416, "InvalidPartNumber", "The requested partnumber is not satisfiable");
  return range;
}

/** Undefined for no range, and for an unreadable one: S3 then sends the whole object. */
function rangeOf(call: Call, object: StoredObject): { start: number; end: number } | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(call.request.headers.range ?? "");
  if (match === null) return undefined;
  const [, first = "", last = ""] = match;
  const { size } = object.body;
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < start) return undefined;
  if (start < size && end > start) return { start, end };
  throw new S3Error(416, "InvalidRange", "The requested range is not satisfiable", {
    fields: { RangeRequested: match[0], ActualObjectSize: String(size) },
    headers: { "content-range": `bytes */${size}` },
  });
}

const noSuchKey = (key: string): S3Error =>
  new S3Error(404, "NoSuchKey", "The specified key does not exist.", { fields: { Key: key } });

const preconditionFailed = (condition: string): S3Error =>
  new S3Error(412, "PreconditionFailed", "At least one of the pre-conditions you specified did not hold", {
    fields: { Condition: condition },
  });
