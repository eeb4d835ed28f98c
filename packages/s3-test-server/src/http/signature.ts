import { createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Operation } from "../operations/operations.ts";
import { accessDenied, invalidRequest, S3Error } from "./errors.ts";
import type { RawRequest } from "./raw-request.ts";

/** An account that may call the server. */
export interface Account {
  accessKey: string;
  secretKey: string;
  /** Temporary credentials: every request must contain this token. */
  sessionToken?: string;
  /** Time from which the token is refused with ExpiredToken. */
  expiresAt?: Date;
  /** The permissions of the account; everything by default. `key` is empty for operations on a bucket. */
  rights?: (operation: Operation, bucket: string, key: string) => boolean;
  /** The key is known, but refused with UserSuspended. */
  suspended?: boolean;
}

/** A request with a valid signature, and the data for the signatures of its chunks. */
export interface Signed {
  readonly account: Account;
  readonly signature: string;
  readonly scope: string;
  readonly date: string;
  readonly signingKey: KeyObject;
}

const maximumSkewMs = 15 * 60 * 1000;
const credentialForm =
  /^AWS4-HMAC-SHA256\s+Credential=([^/]+)\/(\d{8})\/([^/]*)\/s3\/aws4_request\s*,\s*SignedHeaders=([^,\s]+)\s*,\s*Signature=([0-9a-f]{64})$/;

/**
 * Verifies AWS Signature Version 4 in the Authorization header against the raw request. Returns undefined for an
 * anonymous request. Throws the S3Error that S3 returns for an invalid signature.
 */
export function verifySignature(
  request: RawRequest,
  accounts: ReadonlyMap<string, Account>,
  region: string,
  now: Date,
): Signed | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined) return undefined;
  const [, accessKey = "", day = "", signedRegion = "", names = "", signature = ""] =
    credentialForm.exec(authorization) ?? refuseAuthorization(authorization);
  const account = accounts.get(accessKey) ?? refuseAccessKey(accessKey);
  if (account.suspended) throw new S3Error(403, "UserSuspended", "The user is suspended.");
  if (signedRegion !== region) throw wrongRegion(signedRegion, region);
  const date = checkDate(request.headers, day, now);
  checkToken(request.headers, account, now);
  const scope = `${day}/${signedRegion}/s3/aws4_request`;
  const signingKey = signingKeyOf(account.secretKey, day, signedRegion);
  const canonical = canonicalRequest(request, names.split(";"));
  const stringToSign = `AWS4-HMAC-SHA256\n${date}\n${scope}\n${hash("sha256", canonical)}`;
  const expected = createHmac("sha256", signingKey).update(stringToSign).digest("hex");
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) {
    throw signatureDoesNotMatch({
      AWSAccessKeyId: accessKey,
      StringToSign: stringToSign,
      SignatureProvided: signature,
      CanonicalRequest: canonical,
    });
  }
  checkSignedHeaders(request.headers, names.split(";"));
  return { account, signature, scope, date, signingKey };
}

/** Signature of one chunk of a `STREAMING-AWS4-HMAC-SHA256-PAYLOAD` body; `previous` starts with the request's. */
export function chunkSignature(signed: Signed, previous: string, chunk: Buffer): string {
  const empty = hash("sha256", "");
  const text = `AWS4-HMAC-SHA256-PAYLOAD\n${signed.date}\n${signed.scope}\n${previous}\n${empty}\n${hash("sha256", chunk)}`;
  return createHmac("sha256", signed.signingKey).update(text).digest("hex");
}

/** 403 SignatureDoesNotMatch. S3 reports the string that it signed. */
export function signatureDoesNotMatch(fields: Record<string, string> = {}): S3Error {
  return new S3Error(
    403,
    "SignatureDoesNotMatch",
    "The request signature we calculated does not match the signature you provided. Check your key and signing method.",
    { fields },
  );
}

function canonicalRequest(request: RawRequest, names: readonly string[]): string {
  let headers = "";
  for (const name of names) headers += `${name}:${canonicalValue(request.headers[name])}\n`;
  const payload = request.headers["x-amz-content-sha256"];
  if (typeof payload !== "string") {
    throw invalidRequest("Missing required header for this request: x-amz-content-sha256");
  }
  return `${request.method}\n${encodePath(request.path)}\n${canonicalQuery(request.query)}\n${headers}\n${names.join(";")}\n${payload}`;
}

function canonicalValue(value: string | string[] | undefined): string {
  const text = Array.isArray(value) ? value.join(",") : (value ?? "");
  const trimmed = text.trim().replace(/ {2,}/g, " ");
  // Node decodes headers as latin1; signers hash their UTF-8.
  return /[^\x00-\x7f]/.test(trimmed) ? Buffer.from(trimmed, "latin1").toString() : trimmed;
}

function canonicalQuery(query: ReadonlyMap<string, string>): string {
  if (query.size === 0) return "";
  const pairs = Array.from(query, ([name, value]) => `${encode(name)}=${encode(value)}`);
  return pairs.sort().join("&");
}

/** Encodes every segment once and keeps slashes. */
const encodePath = (path: string): string => (/^[\w.~/-]*$/.test(path) ? path : path.split("/").map(encode).join("/"));

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

/** Cached as key objects: an HMAC with a plain buffer as its key takes seven times as long. */
const signingKeys = new Map<string, KeyObject>();

function signingKeyOf(secret: string, day: string, region: string): KeyObject {
  const name = `${day}/${region}/${secret}`;
  const known = signingKeys.get(name);
  if (known !== undefined) return known;
  let key: Buffer = Buffer.from(`AWS4${secret}`);
  for (const part of [day, region, "s3", "aws4_request"]) key = createHmac("sha256", key).update(part).digest();
  const made = createSecretKey(key);
  signingKeys.set(name, made);
  return made;
}

function checkDate(headers: IncomingHttpHeaders, day: string, now: Date): string {
  const date = headers["x-amz-date"];
  const match = typeof date === "string" ? /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date) : null;
  if (match === null || typeof date !== "string") {
    throw accessDenied("AWS authentication requires a valid Date or x-amz-date header");
  }
  const [, year, month, dayOfMonth, hour, minute, second] = match.map(Number);
  const time = Date.UTC(year ?? 0, (month ?? 1) - 1, dayOfMonth, hour, minute, second);
  if (Math.abs(time - now.getTime()) > maximumSkewMs) {
    const fields = {
      RequestTime: date,
      ServerTime: now.toISOString(),
      MaxAllowedSkewMilliseconds: String(maximumSkewMs),
    };
    const message = "The difference between the request time and the current time is too large.";
    throw new S3Error(403, "RequestTimeTooSkewed", message, { fields });
  }
  if (!date.startsWith(day)) throw malformed("Invalid credential date. This date is not the same as X-Amz-Date.");
  return date;
}

function checkToken(headers: IncomingHttpHeaders, account: Account, now: Date): void {
  if (headers["x-amz-security-token"] !== account.sessionToken) {
    throw new S3Error(400, "InvalidToken", "The provided token is malformed or otherwise invalid.");
  }
  if (account.expiresAt !== undefined && account.expiresAt <= now) {
    throw new S3Error(400, "ExpiredToken", "The provided token has expired.");
  }
}

/** S3 requires signatures of the host and of every x-amz- header. */
function checkSignedHeaders(headers: IncomingHttpHeaders, names: readonly string[]): void {
  const unsigned = Object.keys(headers).filter((name) => name.startsWith("x-amz-") && !names.includes(name));
  if (!names.includes("host")) unsigned.push("host");
  if (unsigned.length === 0) return;
  const message = "There were headers present in the request which were not signed";
  throw new S3Error(403, "AccessDenied", message, { fields: { HeadersNotSigned: unsigned.join(", ") } });
}

function refuseAuthorization(header: string): never {
  if (header.startsWith("AWS4-HMAC-SHA256")) throw malformed("The authorization header is malformed.");
  throw invalidRequest("The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.");
}

function refuseAccessKey(accessKey: string): never {
  const message = "The AWS Access Key Id you provided does not exist in our records.";
  throw new S3Error(403, "InvalidAccessKeyId", message, { fields: { AWSAccessKeyId: accessKey } });
}

function wrongRegion(given: string, right: string): S3Error {
  return malformed(
    `The authorization header is malformed; the region '${given}' is wrong; expecting '${right}'`,
    right,
  );
}

function malformed(message: string, region?: string): S3Error {
  const fields = region === undefined ? {} : { Region: region };
  return new S3Error(400, "AuthorizationHeaderMalformed", message, { fields });
}
