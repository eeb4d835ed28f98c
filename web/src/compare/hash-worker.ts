/**
 * A worker that hashes files as streams (SHA-512): a file of any size needs little memory. WebCrypto has no
 * streaming interface, so the digest is computed in WebAssembly. The service answers the request for this script with a
 * policy that allows WebAssembly and no connections (`src/http/page/serve.ts`).
 */
import { createSHA512, type IHasher } from "hash-wasm";

/** A request to hash a file, or to read and hash small files. */
export type HashRequest = { file: Blob } | { small: readonly Blob[] };

/** The content of a small file with its digest in lower-case hex. */
export interface ReadFile {
  sha512: string;
  content: ArrayBuffer;
}

/**
 * Bytes that were hashed since the last message; the digest in lower-case hex at the end; the small files, of which those are undefined that
 * cannot be read; or why it failed.
 */
export type HashAnswer =
  | { bytes: number }
  | { sha512: string }
  | { small: (ReadFile | undefined)[] }
  | { failed: "unreadable" | "unsupported" };

/** Bytes between two messages about the progress. */
const TOLD = 4 << 20;

const coming = createSHA512();
// Reported in the answer to the first request.
coming.catch(() => undefined);

addEventListener("message", async ({ data }: MessageEvent<HashRequest>) => {
  const hasher = await coming.catch(() => undefined);
  if (hasher === undefined) return postMessage({ failed: "unsupported" } satisfies HashAnswer);
  if ("file" in data) return postMessage(await answerTo(data.file, hasher));
  const small = await Promise.all(data.small.map((file) => readSmall(file, hasher)));
  const transfer = small.flatMap((one) => (one === undefined ? [] : [one.content]));
  postMessage({ small } satisfies HashAnswer, { transfer });
});

async function readSmall(file: Blob, hasher: IHasher): Promise<ReadFile | undefined> {
  const content = await file.arrayBuffer().catch(() => undefined);
  return content && { sha512: hasher.init().update(new Uint8Array(content)).digest("hex"), content };
}

async function answerTo(file: Blob, hasher: IHasher): Promise<HashAnswer> {
  try {
    hasher.init();
    // The stream reads ahead. Slices that are read one by one took more CPU time of this thread.
    const reader = file.stream().getReader();
    let untold = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      hasher.update(piece.value);
      untold += piece.value.length;
      if (untold < TOLD) continue;
      postMessage({ bytes: untold } satisfies HashAnswer);
      untold = 0;
    }
    postMessage({ bytes: untold } satisfies HashAnswer);
    return { sha512: hasher.digest("hex") };
  } catch {
    // The file was removed or changed, or may not be read.
    return { failed: "unreadable" };
  }
}
