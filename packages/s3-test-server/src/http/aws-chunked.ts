import { S3Error } from "./errors.ts";
import { chunkSignature, type Signed, signatureDoesNotMatch } from "./signature.ts";

/** A body without its aws-chunked framing. Names of trailers are lower case. */
export interface Decoded {
  bytes: Buffer;
  trailers: Map<string, string>;
}

/**
 * Removes the aws-chunked framing: `size[;chunk-signature=…]` CRLF, data, CRLF, and finally a chunk of size 0 and
 * trailers. With `signed` every chunk's signature is verified.
 */
export function decodeChunked(raw: Buffer, signed: Signed | undefined): Decoded {
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
