import { Problem } from "../../domain/problems.ts";
import type { S3Location } from "./layout.ts";

/** The members of the SDK's errors that are used here. Other members (headers, keys) are never read. */
interface SdkError {
  name?: unknown;
  Code?: unknown;
  code?: unknown;
  $metadata?: { httpStatusCode?: number; attempts?: number };
}

const FULL = new Set(["QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded", "InsufficientStorage"]);
const UNKNOWN_KEYS = new Set(["InvalidAccessKeyId", "InvalidAccessKey", "SignatureDoesNotMatch"]);

/**
 * Turns a refusal of the object store, or a failed connection, into a Problem for the operator. Contains nothing of the
 * SDK's error, which can quote a key or a signature.
 */
export function storageProblem(place: S3Location, error: unknown): Problem {
  const word = wordOf(error);
  const status = (error as SdkError)?.$metadata?.httpStatusCode;
  if (FULL.has(word) || status === 507) return new Problem("no_space", "The archive’s object store is full");
  return new Problem("archive_unwritable", whatIsWrong(place, word, status));
}

/** Whether the store reports that the object or the upload does not exist. */
export function isMissing(error: unknown): boolean {
  return ["NoSuchKey", "NotFound", "NoSuchUpload"].includes(wordOf(error));
}

/** Whether the SDK repeated the request: the response to an earlier try was lost, or the store asked for a retry. */
export function wasRepeated(error: unknown): boolean {
  return ((error as SdkError)?.$metadata?.attempts ?? 1) > 1;
}

function whatIsWrong(place: S3Location, word: string, status: number | undefined): string {
  const { bucket, endpoint = "Amazon S3" } = place;
  const said = [status, word].filter((part) => part !== undefined && part !== "").join(" ");
  if (word === "NoSuchBucket") {
    return `The archive’s bucket “${bucket}” does not exist on ${endpoint}. Create it, or correct ACCESSION_ARCHIVE`;
  }
  if (UNKNOWN_KEYS.has(word)) {
    return `${endpoint} does not accept the archive’s keys (${said}). Correct ACCESSION_ARCHIVE_S3_ACCESS_KEY and ACCESSION_ARCHIVE_S3_SECRET_KEY`;
  }
  if (status === 403) {
    return `The archive’s bucket “${bucket}” denies access (${said}). The account needs permission to list the bucket, to read, write and delete objects, and to list and abort multipart uploads`;
  }
  if (status === 301 || status === 307 || word === "AuthorizationHeaderMalformed") {
    return `The archive’s bucket “${bucket}” is in another region or at another endpoint (${said}). Correct ACCESSION_ARCHIVE_S3_REGION or ACCESSION_ARCHIVE_S3_ENDPOINT`;
  }
  if (status !== undefined) return `The archive’s object store ${endpoint} refused a request (${said})`;
  return `The archive’s object store ${endpoint} cannot be reached${word === "" ? "" : ` (${word})`}`;
}

/** The code of the error. Unknown codes are truncated to a form that cannot contain a secret. */
function wordOf(error: unknown): string {
  const { name, Code, code } = (error ?? {}) as SdkError;
  const words = [Code, code, name].filter((word): word is string => typeof word === "string");
  return words.find((word) => /^[A-Za-z0-9_]{3,48}$/.test(word) && word !== "Error") ?? "";
}
