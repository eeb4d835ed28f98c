import { createCipheriv, createSecretKey, hash } from "node:crypto";

/** Content of an object. Any range of it can be generated at any time, in order, in small pieces. */
export interface Body {
  readonly size: number;
  /** The bytes from `start` up to but excluding `end`. */
  read(start: number, end: number): Iterable<Buffer>;
}

/** Describes content that is generated instead of stored. The same seed and size always result in the same bytes. */
export interface Generated {
  seed: string;
  size: number;
}

const chunkBytes = 64 * 1024;
const zeros = Buffer.alloc(chunkBytes);

/** Content in memory. */
export function bufferBody(bytes: Buffer): Body {
  return { size: bytes.length, read: (start, end) => (start < end ? [bytes.subarray(start, end)] : []) };
}

/** Content generated from a seed. An object of 5 TiB uses no memory. */
export function generatedBody({ seed, size }: Generated): Body {
  return { size, read: (start, end) => generate(seed, start, end) };
}

/**
 * One key for all seeds, created once, because passing a plain buffer to a cipher costs several times the encryption.
 */
const key = createSecretKey(hash("sha256", "generated bodies", "buffer").subarray(0, 16));

/**
 * Bytes `start` to `end` of the endless stream of a seed: an AES-CTR key stream, because a counter mode can start at
 * any offset at almost no cost. The seed is the upper half of the counter.
 */
export function* generate(seed: string, start: number, end: number): Generator<Buffer> {
  const counter = hash("sha256", seed, "buffer").subarray(0, 16);
  counter.writeBigUInt64BE(BigInt(Math.floor(start / 16)), 8);
  const cipher = createCipheriv("aes-128-ctr", key, counter);
  if (start % 16 > 0) cipher.update(zeros.subarray(0, start % 16));
  for (let at = start; at < end; at += chunkBytes) {
    yield cipher.update(zeros.subarray(0, Math.min(chunkBytes, end - at)));
  }
}

/** The whole body in one buffer, for small content. */
export function wholeBody(body: Body, start = 0, end = body.size): Buffer {
  const chunks = [...body.read(start, end)];
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
