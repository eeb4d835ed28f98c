import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { decodeChunked } from "./aws-chunked.ts";
import { type ChecksumAlgorithm, checksum, checksumAlgorithms, md5 } from "./checksums.ts";
import { invalidRequest, S3Error } from "./errors.ts";
import type { Signed } from "./signature.ts";

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
