import type { IncomingHttpHeaders } from "node:http";
import { Problem } from "../../domain/problems.ts";
import type { Checksum } from "../../uploads/receiving.ts";

/** Headers of the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload). */

export const TUS_VERSION = "1.0.0";
export const EXTENSIONS = "creation,creation-with-upload,checksum,termination,expiration,concatenation";
const ALGORITHMS = ["md5", "sha1", "sha256", "sha512"] as const;
export const CHECKSUM_ALGORITHMS = ALGORITHMS.join(",");
export const BODY_TYPE = "application/offset+octet-stream";

const MOST_METADATA = 8_192;

/** A number of bytes below 2^53. */
const COUNT = /^\d{1,15}$/;

/** A whole number of bytes. @throws Problem `bad_request` */
export function bytesIn(headers: IncomingHttpHeaders, name: "upload-length" | "upload-offset"): number {
  const text = headers[name];
  if (typeof text !== "string" || !COUNT.test(text)) {
    throw new Problem("bad_request", `The header ${name} must state a number of bytes`);
  }
  return Number(text);
}

/** The number of bytes of a body that is not sent in chunks; undefined if it is. */
export function lengthOfBody(headers: IncomingHttpHeaders): number | undefined {
  const text = headers["content-length"];
  return headers["transfer-encoding"] === undefined && text !== undefined && COUNT.test(text)
    ? Number(text)
    : undefined;
}

/** The values of `Upload-Metadata` by their keys. @throws Problem `bad_request` */
export function metadataIn(headers: IncomingHttpHeaders): Map<string, string> {
  const text = headers["upload-metadata"];
  if (text === undefined) return new Map();
  const wrong = () => new Problem("bad_request", "Upload-Metadata must have keys, each with a value in Base64");
  if (typeof text !== "string" || text.length > MOST_METADATA) throw wrong();
  const found = new Map<string, string>();
  for (const pair of text.split(",")) {
    const [, key, value = ""] = /^\s*([\x21-\x2b\x2d-\x7e]+)(?: ([A-Za-z0-9+/]*={0,2}))?\s*$/.exec(pair) ?? [];
    if (key === undefined || found.has(key)) throw wrong();
    found.set(key, utf8(Buffer.from(value, "base64")) ?? fail(wrong));
  }
  return found;
}

/** The checksum of the bytes of a request. @throws Problem `bad_request` */
export function checksumIn(headers: IncomingHttpHeaders): Checksum | undefined {
  const text = headers["upload-checksum"];
  if (text === undefined) return undefined;
  const [, name, value] = /^(\S+) ([A-Za-z0-9+/]+={0,2})$/.exec(String(text)) ?? [];
  const algorithm = ALGORITHMS.find((one) => one === name);
  if (algorithm === undefined || value === undefined) {
    throw new Problem("bad_request", `Upload-Checksum must have one of ${CHECKSUM_ALGORITHMS} and a digest in Base64`);
  }
  return { algorithm, digest: Buffer.from(value, "base64") };
}

function utf8(bytes: Buffer): string | undefined {
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

function fail(problem: () => Problem): never {
  throw problem();
}
