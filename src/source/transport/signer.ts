import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import type { S3Credentials } from "../../domain/access.ts";

export interface Signable {
  method: "GET" | "HEAD";
  /** The value of the Host header. */
  host: string;
  /** The path as it is sent, already percent-encoded. */
  path: string;
  query: readonly (readonly [string, string])[];
  /** Further headers to sign; lower-case names. */
  headers: Readonly<Record<string, string>>;
  region: string;
  at: Date;
}

const EMPTY_BODY = hash("sha256", "");

/**
 * Percent-encodes as SigV4 requires: every byte of the UTF-8 except A–Z a–z 0–9 - . _ ~.
 * (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html, "UriEncode")
 */
function encodePart(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes a key for a path. Slashes are kept, and nothing is normalised. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodePart).join("/");
}

/** The query string in SigV4's canonical order, in which it is also sent. */
export function encodeQuery(query: Signable["query"]): string {
  if (query.length === 0) return "";
  return query
    .map(([name, value]) => [encodePart(name), encodePart(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/**
 * Signs a request without a body by AWS Signature Version 4 for S3. Returns all headers to send except `host`. Derived
 * keys are kept only as long as the credentials object; pass the same object to avoid deriving them again.
 */
export function sign(request: Signable, credentials: S3Credentials): Record<string, string> {
  const stamp = timestamp(request.at);
  const day = stamp.slice(0, 8);
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": EMPTY_BODY,
    "x-amz-date": stamp,
    ...(credentials.sessionToken !== undefined && { "x-amz-security-token": credentials.sessionToken }),
  };
  const signed = [...Object.keys(headers), "host"].sort();
  const names = signed.join(";");
  let lines = "";
  for (const name of signed) lines += `${name}:${canonicalValue(headers[name] ?? request.host)}\n`;
  const canonical = `${request.method}\n${request.path}\n${encodeQuery(request.query)}\n${lines}\n${names}\n${EMPTY_BODY}`;
  const scope = `${day}/${request.region}/s3/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${hash("sha256", canonical)}`;
  const signature = createHmac("sha256", dayKey(credentials, day, request.region))
    .update(text)
    .digest("hex");
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return headers;
}

function canonicalValue(value: string): string {
  const trimmed = value.trim();
  return trimmed.includes("  ") ? trimmed.replace(/ +/g, " ") : trimmed;
}

let lastSecond: { second: number; stamp: string } | undefined;

/** The time in SigV4's format, in seconds. Computed once for each second. */
function timestamp(at: Date): string {
  const second = Math.floor(at.getTime() / 1000);
  if (lastSecond?.second !== second) {
    lastSecond = { second, stamp: at.toISOString().replace(/[-:]|\.\d+/g, "") };
  }
  return lastSecond.stamp;
}

/** Keyed weakly by the credentials object, so that a derived key is released together with its secret. */
const dayKeys = new WeakMap<S3Credentials, { day: string; region: string; key: KeyObject }>();

/**
 * The signing key: four HMACs that change once a day. Kept for the next request, because a submission sends millions.
 */
function dayKey(credentials: S3Credentials, day: string, region: string): KeyObject {
  const last = dayKeys.get(credentials);
  if (last?.day === day && last.region === region) return last.key;
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  // A key object makes the HMAC of every request several times cheaper than plain bytes.
  const key = createSecretKey(
    hmac(hmac(hmac(hmac(`AWS4${credentials.secretKey}`, day), region), "s3"), "aws4_request"),
  );
  dayKeys.set(credentials, { day, region, key });
  return key;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
