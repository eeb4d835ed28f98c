import { errors } from "undici";
import { inMessage } from "../../../domain/in-message.ts";
import { type Code, Problem } from "../../../domain/problems.ts";
import { readFlatXml } from "../listing/xml.ts";
import { namedProblem } from "./s3-codes.ts";

/** The operation that was refused, which determines the code of the refusal. */
export type Operation = "list" | "read";

const LONGEST_RETRY_AFTER_SECONDS = 60;

const networkCodes: Record<string, Code> = {
  ENOTFOUND: "address_unresolvable",
  // The DNS server failed; it did not report that the name does not exist.
  EAI_AGAIN: "name_lookup_failed",
  EAI_FAIL: "name_lookup_failed",
  EAI_NODATA: "address_unresolvable",
  ECONNREFUSED: "connection_refused",
  ETIMEDOUT: "connection_timeout",
  UND_ERR_CONNECT_TIMEOUT: "connection_timeout",
  UND_ERR_HEADERS_TIMEOUT: "connection_timeout",
  UND_ERR_BODY_TIMEOUT: "connection_timeout",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "connection_reset",
  ECONNABORTED: "connection_reset",
  EHOSTUNREACH: "network_unreachable",
  ENETUNREACH: "network_unreachable",
  EADDRNOTAVAIL: "network_unreachable",
  EHOSTDOWN: "network_unreachable",
  ENETDOWN: "network_unreachable",
  // Reported by a firewall on this machine.
  EACCES: "network_unreachable",
  EPERM: "network_unreachable",
  CERT_HAS_EXPIRED: "tls_expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls_wrong_host",
  DEPTH_ZERO_SELF_SIGNED_CERT: "tls_untrusted",
  SELF_SIGNED_CERT_IN_CHAIN: "tls_untrusted",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT: "tls_untrusted",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "tls_untrusted",
  EPROTO: "tls_not_spoken",
};

/** Further OpenSSL codes for a certificate that cannot be verified. */
const aboutCertificate =
  /^(?:CERT_|CRL_|UNABLE_TO_|ERROR_IN_C|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|.*_CERT(?:_|$))/;

/**
 * Turns a failure of the transport into a Problem. Returns a Problem unchanged. Throws an abort's reason unchanged, and
 * any error that is not a network error, because it is a bug.
 *
 * @param phase "body" after valid headers: invalid HTTP then means an interrupted response
 */
export function explainFailure(error: unknown, where: URL, phase: "head" | "body" = "head"): Problem {
  const cause = innermost(error);
  if (cause instanceof Problem) return cause;
  if (cause.name === "TimeoutError") {
    const what = phase === "body" ? "send its whole response" : "answer";
    return new Problem("connection_timeout", `${where.host} did not ${what} in time`, { cause: error });
  }
  const code = (cause as { code?: string }).code ?? "";
  const place = where.host;
  const known = networkCodes[code];
  if (known !== undefined) return new Problem(known, networkSentence(known, place), { cause: error });
  // undici gives its HTTPParserError no code.
  if (cause instanceof errors.HTTPParserError && phase === "body") {
    return new Problem("connection_reset", `The response of ${place} is incomplete`, { cause: error });
  }
  if (cause instanceof errors.HTTPParserError || code === "UND_ERR_HEADERS_OVERFLOW") {
    return isTlsAlert(cause)
      ? new Problem("tls_expected", `The server at ${place} requires TLS (https)`, { cause: error })
      : new Problem("not_s3", `${place} did not answer with valid HTTP`, { cause: error });
  }
  const aboutTls = code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS");
  const other = aboutTls ? "tls_not_spoken" : aboutCertificate.test(code) ? "tls_untrusted" : undefined;
  if (other !== undefined) return new Problem(other, networkSentence(other, place), { cause: error });
  throw error;
}

/** The Problem for a response that arrives too slowly. */
export function tooSlowProblem(where: URL): Problem {
  return new Problem("connection_timeout", `The response of ${where.host} is too slow: less than 1 KiB per second`);
}

/**
 * Whether a server answered a plain request with a TLS alert: content type 21, major version 3 (RFC 8446, section 5.1).
 */
function isTlsAlert(error: Error): boolean {
  return String((error as { data?: unknown }).data).startsWith("\x15\x03");
}

function networkSentence(code: Code, place: string): string {
  const sentences: Partial<Record<Code, string>> = {
    address_unresolvable: `The server name “${place}” does not exist or has no address`,
    name_lookup_failed: `The DNS server did not answer for “${place}”`,
    connection_refused: `No server listens at ${place}: the connection was refused`,
    connection_timeout: `${place} does not answer`,
    connection_reset: `The connection to ${place} was lost`,
    network_unreachable: `There is no route to ${place}`,
    tls_expired: `The certificate of ${place} has expired`,
    tls_wrong_host: `The certificate of ${place} is for a different name`,
    tls_untrusted: `The certificate of ${place} is not signed by a trusted authority`,
    tls_not_spoken: `The server at ${place} does not use TLS (https)`,
  };
  return sentences[code] ?? place;
}

/** Node wraps the errors of all addresses that it tried. The first one is the most informative. */
function innermost(error: unknown): Error {
  if (error instanceof Problem) return error;
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  if (error instanceof Error) {
    const named = (error as { code?: string }).code !== undefined && error.cause === undefined;
    return !named && error.cause instanceof Error ? innermost(error.cause) : error;
  }
  return new Error(String(error));
}

/** The form of region names of all vendors, such as `eu-west-1`, `EU`, `RegionOne`. No host name has this form. */
const REGION = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,30}[A-Za-z0-9])?$/;

export interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The beginning of the body. */
  body: Uint8Array;
}

/** The request, for error messages. */
export interface Asked {
  operation: Operation;
  url: URL;
  bucket: string;
  key?: string;
  anonymous: boolean;
  /** Whether the request stated that the requester pays. */
  pays: boolean;
}

/** Turns an unsuccessful S3 response into a Problem for the person who can act on it. */
export async function explainReply(reply: Reply, asked: Asked): Promise<Problem> {
  return (await understandReply(reply, asked)).problem;
}

/** As {@link explainReply}. `message` is the server's text, which is confidential: it must not be shown or logged. */
export async function understandReply(
  reply: Reply,
  asked: Asked,
): Promise<{ problem: Problem; message: string | undefined }> {
  const xml = reply.body.length > 0 ? await readFlatXml(reply.body) : undefined;
  const error = xml?.root === "Error" ? xml.values : undefined;
  // Texts of the server are passed on only if they are names, because responses of an endpoint may be confidential.
  const s3Code = nameOf(error?.Code, /^(?:KMS\.)?[A-Za-z][A-Za-z0-9_]{1,63}$/);
  const region = nameOf(error?.Region ?? reply.headers["x-amz-bucket-region"], REGION);
  const code = codeOf(reply, s3Code, error?.Message, asked, xml !== undefined);
  const problem = new Problem(code, describe(code, asked, { s3Code, status: reply.status, region }), {
    ...retryAfter(reply.headers["retry-after"]),
    extra: { ...(s3Code !== undefined && { s3Code }), ...(region !== undefined && { region }) },
  });
  return { problem, message: error?.Message };
}

function nameOf(text: string | undefined, form: RegExp): string | undefined {
  return text !== undefined && form.test(text) ? text : undefined;
}

function codeOf(
  reply: Reply,
  s3Code: string | undefined,
  message: string | undefined,
  asked: Asked,
  isXml: boolean,
): Code {
  const { status } = reply;
  const named = namedProblem({ status, s3Code, message, isObject: asked.key !== undefined, pays: asked.pays });
  if (named !== undefined) return named;
  if (status === 412) return "object_changed";
  if (status === 429 || status === 503) return "slow_down";
  // 501 is not a failure of the server: it does not support the operation.
  if (status >= 500 && status !== 501) return "source_error";
  const isS3 = s3Code !== undefined || reply.headers["x-amz-request-id"] !== undefined;
  if (status === 403 && (isS3 || asked.key !== undefined)) {
    if (asked.anonymous && asked.key === undefined) return "anonymous_denied";
    return asked.key === undefined ? "list_denied" : "object_denied";
  }
  if (status === 404 && asked.key !== undefined) return "object_gone";
  if (status === 400 && asked.key !== undefined && /encryption/i.test(message ?? "")) return "object_encrypted";
  if (status >= 300 && status < 400) return isS3 || isXml ? "wrong_region" : "redirected";
  if (status === 400 && /plain http request was sent to https/i.test(Buffer.from(reply.body).toString("latin1"))) {
    return "tls_expected";
  }
  if (!isS3) return asked.key === undefined ? "not_s3" : "object_unreadable";
  return asked.key === undefined ? "source_refused" : "object_unreadable";
}

function describe(
  code: Code,
  asked: Asked,
  said: { s3Code: string | undefined; status: number; region: string | undefined },
): string {
  const { host } = asked.url;
  const key = asked.key === undefined ? "" : `“${inMessage(asked.key)}”`;
  const reason = said.s3Code === undefined ? `HTTP ${said.status}` : `${said.s3Code}, HTTP ${said.status}`;
  const sentences: Partial<Record<Code, string>> = {
    access_key_unknown: `The server ${host} does not know this access key`,
    secret_key_wrong: `The server ${host} reports that the secret key does not belong to the access key`,
    credentials_expired: `The server ${host} reports that these credentials are no longer valid (${reason})`,
    account_suspended: `The server ${host} reports that the account of the bucket “${inMessage(asked.bucket)}” is suspended or has a problem (${reason})`,
    usage_limit_reached: `The server ${host} reports that a limit for downloads or requests is reached (${reason})`,
    clock_skewed: `The clocks of this service and of ${host} differ too much`,
    bucket_missing: `The bucket “${inMessage(asked.bucket)}” does not exist on this server (${host})`,
    wrong_region: said.region
      ? `The bucket “${inMessage(asked.bucket)}” is in the region “${said.region}”`
      : `The server ${host} reports that the bucket “${inMessage(asked.bucket)}” is in another region (${reason})`,
    // The host in `Location` is not shown, because the server controls that text.
    redirected: said.region
      ? `The server ${host} redirects to the region “${said.region}” (${reason})`
      : `The server ${host} redirects to another address (${reason})`,
    requester_pays_required: `The requester must pay for the bucket “${inMessage(asked.bucket)}” (${reason})`,
    list_denied: `These credentials do not permit listing the bucket “${inMessage(asked.bucket)}” (${reason})`,
    anonymous_denied: `The bucket “${inMessage(asked.bucket)}” is not public (${reason})`,
    object_denied: `These credentials do not permit reading ${key} (${reason})`,
    object_key_denied: `The KMS key with which ${key} is encrypted cannot be used (${reason})`,
    object_gone: `${key} is no longer in the bucket`,
    object_changed: `${key} was overwritten after it was listed`,
    object_archived: `${key} is in a storage class that cannot be read directly, and must be restored first`,
    object_encrypted: `${key} is encrypted with a key that only its owner has (SSE-C)`,
    object_unreadable: `The server refuses to send ${key} (${reason})`,
    slow_down: `The server ${host} asks for fewer requests (${reason})`,
    source_error: `The server ${host} reports an internal error (${reason})`,
    source_refused: `The server ${host} refuses to list the bucket (${reason})`,
    not_s3: `${host} is not an S3 server (HTTP ${said.status})`,
    tls_expected: `The server at ${host} requires TLS (https)`,
  };
  return sentences[code] ?? reason;
}

/** The time that a server requests, limited. */
function retryAfter(value: string | undefined): { retryAfter?: number } {
  const seconds = retryAfterSeconds(value);
  return seconds === undefined ? {} : { retryAfter: Math.min(seconds, LONGEST_RETRY_AFTER_SECONDS) };
}

/** Retry-After, in seconds or as a date (RFC 9110, section 10.2.3), in seconds from now; not limited. */
export function retryAfterSeconds(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isFinite(seconds) ? Math.max(seconds, 0) : undefined;
}
