import { createHmac, hash } from "node:crypto";
import type { S3Credentials } from "../../../domain/source-access/access.ts";

export interface Signable {
  method: "GET" | "HEAD" | "POST";
  /** The value of the Host header. */
  host: string;
  /** The path as it is sent, already percent-encoded. */
  path: string;
  query: readonly (readonly [string, string])[];
  /** Further headers to sign; lower-case names. */
  headers: Readonly<Record<string, string>>;
  region: string;
  at: Date;
  /** The AWS service that receives the request; default S3. */
  service?: "sts";
  /** SHA-256 of the body in hexadecimal; default that of an empty one. */
  bodySha256?: string;
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

/** Characters of keys that are sent as they are. */
const UNRESERVED_KEY = /^[A-Za-z0-9\-._~/]*$/;

/** Encodes a key for a path. Slashes are kept, and nothing is normalised. */
export function encodeKey(key: string): string {
  if (UNRESERVED_KEY.test(key)) return key;
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
 * Signs a request by AWS Signature Version 4. Returns all headers to send except `host`. Derived
 * keys are kept only as long as the credentials object; pass the same object to avoid deriving them again.
 */
export function sign(request: Signable, credentials: S3Credentials): Record<string, string> {
  const stamp = timestamp(request.at);
  const day = stamp.slice(0, 8);
  const { region, service = "s3", bodySha256 = EMPTY_BODY } = request;
  const headers: Record<string, string> = {
    ...request.headers,
    "x-amz-content-sha256": bodySha256,
    "x-amz-date": stamp,
    ...(credentials.sessionToken !== undefined && { "x-amz-security-token": credentials.sessionToken }),
  };
  const { signed, names } = signedHeaders(Object.keys(headers));
  let lines = "";
  for (const name of signed) lines += `${name}:${canonicalValue(headers[name] ?? request.host)}\n`;
  const canonical = `${request.method}\n${request.path}\n${encodeQuery(request.query)}\n${lines}\n${names}\n${bodySha256}`;
  const scope = `${day}/${region}/${service}/aws4_request`;
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${hash("sha256", canonical)}`;
  const signature = dayKey(credentials, { day, region, service })(text);
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return headers;
}

/** Few different sets of headers are sent. The limit protects against a caller that varies them. */
const MAX_HEADER_SETS = 100;
const headerSets = new Map<string, { signed: readonly string[]; names: string }>();

/** The signed headers in canonical order, also as the request names them. */
function signedHeaders(headers: readonly string[]): { signed: readonly string[]; names: string } {
  const set = headers.join(";");
  const known = headerSets.get(set);
  if (known !== undefined) return known;
  const signed = [...headers, "host"].sort();
  const found = { signed, names: signed.join(";") };
  if (headerSets.size < MAX_HEADER_SETS) headerSets.set(set, found);
  return found;
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

/** Returns the HMAC-SHA256 of an ASCII text of at most {@link MAX_TEXT_BYTES} bytes, in hexadecimal. */
type Signer = (text: string) => string;

/** Keyed weakly by the credentials object, so that a derived key is released together with its secret. */
const dayKeys = new WeakMap<S3Credentials, Scope & { signer: Signer }>();

/** What a signing key is valid for. */
interface Scope {
  day: string;
  region: string;
  service: string;
}

/**
 * The signing key: four HMACs that change once a day. Kept for the next request, because a submission sends millions.
 */
function dayKey(credentials: S3Credentials, { day, region, service }: Scope): Signer {
  const last = dayKeys.get(credentials);
  if (last?.day === day && last.region === region && last.service === service) return last.signer;
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
  const key = hmac(hmac(hmac(hmac(`AWS4${credentials.secretKey}`, day), region), service), "aws4_request");
  const signer = signerOf(key);
  dayKeys.set(credentials, { day, region, service, signer });
  return signer;
}

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** The longest string to sign: its region is a name that the caller enters. */
const MAX_TEXT_BYTES = 1_024;

/**
 * HMAC as two hashes of prepared buffers (RFC 2104): H(K ⊕ outer pad, H(K ⊕ inner pad, text)). This takes half the time of
 * `createHmac`, which allocates an object in native code for each signature.
 *
 * @param key at most one block
 */
export function signerOf(key: Buffer): Signer {
  const inner = Buffer.alloc(BLOCK_BYTES + MAX_TEXT_BYTES, 0x36);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, 0x5c);
  for (const [index, byte] of key.entries()) {
    inner[index] = 0x36 ^ byte;
    outer[index] = 0x5c ^ byte;
  }
  return (text) => {
    if (text.length > MAX_TEXT_BYTES) return createHmac("sha256", key).update(text).digest("hex");
    const bytes = inner.write(text, BLOCK_BYTES, "latin1");
    outer.write(hash("sha256", inner.subarray(0, BLOCK_BYTES + bytes)), BLOCK_BYTES, "hex");
    return hash("sha256", outer);
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
