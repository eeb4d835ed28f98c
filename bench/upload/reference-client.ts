/** Sends all files of a folder with the reference client of the tus protocol: `node reference-client.ts FOLDER URL AT_ONCE`. */
import { createReadStream } from "node:fs";
import { opendir, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { Upload } from "tus-js-client";

/** Larger files are sent in several requests, so that the client can resume. */
const REQUEST_BYTES = 64 << 20;

const [folder = "", endpoint = "", atOnce] = process.argv.slice(2);
const files: string[] = [];
for await (const entry of await opendir(folder, { recursive: true }))
  if (entry.isFile()) files.push(join(entry.parentPath, entry.name));
const queue = files.values();
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    for (const file of queue) await send(file);
  }),
);

async function send(file: string): Promise<void> {
  const { size } = await stat(file);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  new Upload(createReadStream(file), {
    ...{ endpoint, uploadSize: size, chunkSize: REQUEST_BYTES, retryDelays: null },
    uploadDataDuringCreation: true,
    metadata: { filename: relative(folder, file) },
    onError: reject,
    onSuccess: () => resolve(),
  }).start();
  return promise;
}
