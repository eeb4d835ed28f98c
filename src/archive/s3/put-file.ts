import { open, readFile, stat } from "node:fs/promises";
import { eachAtOnce } from "../each-at-once.ts";
import type { Bucket } from "./bucket.ts";
import { partBytesOf } from "./upload.ts";
import { abortUpload, beginUpload, completeUpload, type SentPart, sendPart } from "./uploads.ts";

const WHOLE_BYTES = 16 * 1024 * 1024;
const AT_ONCE = 2;

/** Puts a file of this machine at a place, in one piece or in parts; absent or whole. */
export async function putFile(bucket: Bucket, path: string, file: string): Promise<void> {
  const { size } = await stat(file);
  if (size <= WHOLE_BYTES) await bucket.put(path, await readFile(file));
  else await putParts(bucket, path, file, size);
}

async function putParts(bucket: Bucket, path: string, file: string, bytes: number): Promise<void> {
  const size = partBytesOf(bytes);
  const id = await beginUpload(bucket, path);
  const handle = await open(file);
  const sent: SentPart[] = [];
  try {
    const numbers = Array.from({ length: Math.ceil(bytes / size) }, (_, index) => index + 1);
    await eachAtOnce(numbers, AT_ONCE, async (number) => {
      const from = (number - 1) * size;
      const part = Buffer.allocUnsafeSlow(Math.min(size, bytes - from));
      const { bytesRead } = await handle.read(part, 0, part.length, from);
      if (bytesRead < part.length) throw new Error(`${file} is shorter than it was`);
      sent.push(await sendPart(bucket, { path, id, number }, part));
    });
    await completeUpload(bucket, { path, id, bytes }, sent);
  } catch (error) {
    await abortUpload(bucket, path, id).catch(() => undefined);
    throw error;
  } finally {
    await handle.close();
  }
}
