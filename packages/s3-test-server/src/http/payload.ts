import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type ChecksumAlgorithm, checksum, checksumAlgorithms, md5 } from "./checksums.ts";
import { invalidRequest, S3Error } from "./errors.ts";
import { chunkSignature, type Signed, signatureDoesNotMatch } from "./signature.ts";

/** The content of a request without its transfer encoding. */
export interface Payload {
  readonly bytes: Buffer;
  /** The checksum that the client sent, already verified. */
  readonly checksum?: ChecksumAlgorithm;
}

const noBytes: Payload = { bytes: Buffer.alloc(0) };
const emptyDigest = hash("sha256", "");

/** The payload of requests without a body. Verifies their stated digest without waiting. */
export function emptyPayload(stated: string | string[] | undefined): Payload {
  if (stated === emptyDigest || stated === "UNSIGNED-PAYLOAD" || stated === undefined) return noBytes;
  throw wrongDigest(String(stated), emptyDigest);
}

/** Reads a body, removes the aws-chunked framing, and verifies every digest in the request. */
export async function readPayload(request: IncomingMessage, signed: Signed | undefined): Promise<Payload> {
  const raw = await collect(request);
  const stated = String(request.headers["x-amz-content-sha256"] ?? "UNSIGNED-PAYLOAD");
  const chunked = stated.startsWith("STREAMING-");
  const signer = stated.startsWith("STREAMING-AWS4-HMAC-SHA256-PAYLOAD") ? signed : undefined;
  const { bytes, trailers } = chunked ? decodeChunked(raw, signer) : { bytes: raw, trailers: new Map() };
  if (!chunked && stated !== "UNSIGNED-PAYLOAD") {
    const actual = hash("sha256", raw);
    if (actual !== stated) throw wrongDigest(stated, actual);
  }
  const decodedLength = request.headers["x-amz-decoded-content-length"];
  if (chunked && Number(decodedLength) !== bytes.length) {
    throw new S3Error(400, "IncompleteBody", "The request body does not have the announced decoded length.");
  }
  checkMd5(request.headers["content-md5"], bytes);
  const verified = checkChecksum((name) => trailers.get(name) ?? request.headers[name], bytes);
  return verified === undefined ? { bytes } : { bytes, checksum: verified };
}

async function collect(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function checkMd5(stated: string | string[] | undefined, bytes: Buffer): void {
  if (stated !== undefined && stated !== md5([bytes]).toString("base64")) {
    throw new S3Error(400, "BadDigest", "The Content-MD5 you specified did not match what we received.");
  }
}

function checkChecksum(
  stated: (name: string) => string | string[] | undefined,
  bytes: Buffer,
): ChecksumAlgorithm | undefined {
  for (const algorithm of checksumAlgorithms) {
    const value = stated(`x-amz-checksum-${algorithm}`);
    if (value === undefined) continue;
    if (value === checksum(algorithm, [bytes]).toString("base64")) return algorithm;
    throw new S3Error(400, "BadDigest", `The ${algorithm.toUpperCase()} you specified did not match what we received.`);
  }
  return undefined;
}

function wrongDigest(stated: string, actual: string): S3Error {
  if (!/^[0-9a-f]{64}$/.test(stated))
    return invalidRequest("x-amz-content-sha256 is neither a digest nor a known word");
  const fields = { ClientComputedContentSHA256: stated, S3ComputedContentSHA256: actual };
  const message = "The provided 'x-amz-content-sha256' header does not match what was computed.";
  return new S3Error(400, "XAmzContentSHA256Mismatch", message, { fields });
}

/** A body without its aws-chunked framing. Names of trailers are lower case. */
interface Decoded {
  bytes: Buffer;
  trailers: Map<string, string>;
}

/**
 * Removes the aws-chunked framing: `size[;chunk-signature=…]` CRLF, data, CRLF, and finally a chunk of size 0 and
 * trailers. With `signed` every chunk's signature is verified.
 */
function decodeChunked(raw: Buffer, signed: Signed | undefined): Decoded {
  const chunks: Buffer[] = [];
  let previous = signed?.signature ?? "";
  let at = 0;
  for (;;) {
    const end = lineEnd(raw, at);
    const [size = "", extension = ""] = raw.toString("latin1", at, end).split(";");
    const length = Number.parseInt(size, 16);
    if (!/^[0-9a-f]+$/i.test(size) || end + 2 + length > raw.length) throw incomplete();
    const chunk = raw.subarray(end + 2, end + 2 + length);
    if (signed !== undefined) previous = verifyChunk(signed, previous, chunk, extension);
    at = end + 2 + length;
    if (length === 0) break;
    chunks.push(chunk);
    if (raw.toString("latin1", at, at + 2) !== "\r\n") throw incomplete();
    at += 2;
  }
  return { bytes: Buffer.concat(chunks), trailers: parseTrailers(raw.toString("latin1", at)) };
}

function verifyChunk(signed: Signed, previous: string, chunk: Buffer, extension: string): string {
  const expected = chunkSignature(signed, previous, chunk);
  if (extension.trim() !== `chunk-signature=${expected}`) throw signatureDoesNotMatch();
  return expected;
}

function parseTrailers(text: string): Map<string, string> {
  const trailers = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) trailers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return trailers;
}

function lineEnd(raw: Buffer, from: number): number {
  const end = raw.indexOf("\r\n", from, "latin1");
  if (end < 0) throw incomplete();
  return end;
}

const incomplete = (): S3Error => new S3Error(400, "IncompleteBody", "The aws-chunked body is malformed or cut short.");
