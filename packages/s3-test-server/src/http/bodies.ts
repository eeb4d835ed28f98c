import { createCipheriv, createSecretKey, hash } from "node:crypto";

/** Content of an object: any range of it can be produced at any time, in order, in small pieces. */
export interface Body {
  readonly size: number;
  /** The bytes from `start` up to, not including, `end`. */
  read(start: number, end: number): Iterable<Buffer>;
}

/** Names content that is produced and never held: the same seed and size always give the same bytes. */
export interface Generated {
  seed: string;
  size: number;
}

const chunkBytes = 64 * 1024;
const zeros = Buffer.alloc(chunkBytes);

/** Content that lies in memory. */
export function bufferBody(bytes: Buffer): Body {
  return { size: bytes.length, read: (start, end) => (start < end ? [bytes.subarray(start, end)] : []) };
}

/** Content made from a seed; an object of 5 TiB costs no memory. */
export function generatedBody({ seed, size }: Generated): Body {
  return { size, read: (start, end) => generate(seed, start, end) };
}

/** One key for every seed, made once: handing a plain buffer to a cipher costs several times the work itself. */
const key = createSecretKey(hash("sha256", "generated bodies", "buffer").subarray(0, 16));

/**
 * Bytes `start` to `end` of the endless stream that belongs to a seed: an AES-CTR key stream, because a counter mode
 * can start at any offset and costs next to nothing. The seed is the upper half of the counter.
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

/** All of a body in one buffer; for content that is known to be small. */
export function wholeBody(body: Body, start = 0, end = body.size): Buffer {
  const chunks = [...body.read(start, end)];
  return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
}
