import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Bucket } from "../bucket.ts";
import { partBytesOf } from "./upload.ts";
import { abortUpload, beginUpload, completeUpload, type SentPart, sendPart } from "./uploads.ts";

const WHOLE_BYTES = 16 * 1024 * 1024;

/** Stores a local file at a path, in one request or in parts. The object is complete or does not exist. */
export async function putFile(bucket: Bucket, path: string, file: string): Promise<void> {
  const { size } = await stat(file);
  await putStream(bucket, path, size, createReadStream(file, { highWaterMark: 1 << 20 }));
}

/** Stores a stream of `bytes` bytes at a path, with constant memory. Stores nothing if it has more or fewer bytes. */
export async function putStream(
  bucket: Bucket,
  path: string,
  bytes: number,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  if (bytes > WHOLE_BYTES) return putParts(bucket, path, bytes, content);
  for await (const part of inParts(content, bytes, bytes)) await bucket.put(path, part);
}

async function putParts(
  bucket: Bucket,
  path: string,
  bytes: number,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const id = await beginUpload(bucket, path);
  const sent: SentPart[] = [];
  try {
    for await (const part of inParts(content, bytes, partBytesOf(bytes))) {
      sent.push(await sendPart(bucket, { path, id, number: sent.length + 1 }, part));
    }
    await completeUpload(bucket, { path, id, bytes }, sent);
  } catch (error) {
    await abortUpload(bucket, path, id).catch(() => undefined);
    throw error;
  }
}

/** Splits content into parts of a size. The last part is shorter; there is at least one, which may be empty. */
async function* inParts(content: AsyncIterable<Uint8Array>, bytes: number, size: number): AsyncGenerator<Uint8Array> {
  let part = Buffer.allocUnsafe(Math.min(size, bytes));
  let filled = 0;
  let left = bytes;
  for await (const chunk of content) {
    if (chunk.length > left) throw new Error(`The content has more than the expected ${bytes} bytes`);
    left -= chunk.length;
    for (let rest = chunk; rest.length > 0; ) {
      const now = rest.subarray(0, part.length - filled);
      part.set(now, filled);
      filled += now.length;
      rest = rest.subarray(now.length);
      // The last part waits for the end of the content, because its hash may still be refused.
      if (filled < part.length || (left === 0 && rest.length === 0)) continue;
      yield part;
      part = Buffer.allocUnsafe(Math.min(size, left + rest.length));
      filled = 0;
    }
  }
  if (left > 0) throw new Error(`The content ended ${left} bytes short of the expected ${bytes}`);
  yield part;
}
