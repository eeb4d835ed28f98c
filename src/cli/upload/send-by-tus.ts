import { type DetailedError, Upload } from "tus-js-client";
import { UPLOAD_RETRY_DELAYS_MS } from "../../../packages/rules/src/index.ts";
import type { Client } from "../client/client.ts";
import type { HashedFile } from "./hashed-file.ts";
import { isPassing, problemIn } from "./retries.ts";

/** The state of a file in the upload, and what of it is sent. */
export interface Transfer {
  /** Address of the files of the upload. */
  endpoint: string;
  /** Address of the file that is continued; undefined to create it. */
  url: string | undefined;
  metadata: Record<string, string>;
  bytes: number;
  content: Buffer | HashedFile;
}

export interface TransferOptions {
  /** With the number of bytes of the file that have arrived. */
  onProgress(bytes: number): void;
  signal: AbortSignal;
}

/**
 * Sends a file by the tus protocol, the bytes in memory in the request that creates it. After an interruption, it continues.
 *
 * @returns the address of the file, which is complete
 * @throws ProblemError, UnexpectedAnswerError, the error of the network if no more attempts are made; the error of the file system; the
 * reason of the signal
 */
export function sendByTus(
  client: Client,
  { endpoint, url, metadata, bytes, content }: Transfer,
  { onProgress, signal }: TransferOptions,
): Promise<string> {
  const inMemory = Buffer.isBuffer(content);
  return new Promise((resolve, reject) => {
    const stopFor = (reason: unknown) => {
      reject(reason);
      upload.abort().catch(reject);
    };
    const stop = () => stopFor(signal.reason);
    const upload = new Upload(content as never, {
      endpoint,
      ...(url !== undefined && { uploadUrl: new URL(url, client.url).href }),
      ...(!inMemory && { fileReader: { openFile: async () => sourceOf(content, stopFor) } }),
      uploadSize: bytes,
      uploadDataDuringCreation: inMemory,
      headers: { ...client.authorization },
      metadata,
      retryDelays: UPLOAD_RETRY_DELAYS_MS,
      onShouldRetry: (error) => !signal.aborted && mayPass(error as DetailedError),
      onProgress,
      onError: (error) => reject(reasonIn(error)),
      onSuccess: () => {
        signal.removeEventListener("abort", stop);
        resolve(upload.url ?? "");
      },
    });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    else upload.start();
  });
}

/** @param failed called if a stream cannot be read: tus-js-client would wait for its bytes */
function sourceOf(content: HashedFile, failed: (error: unknown) => void) {
  return {
    size: content.size,
    slice: async (start: number, end: number) => {
      const slice = await content.slice(start, end);
      slice.value.on("error", failed);
      return slice;
    },
    close: () => content.close(),
  };
}

/** Whether another attempt may succeed. */
function mayPass({ originalResponse }: DetailedError): boolean {
  return originalResponse == null || isPassing(problemIn(originalResponse.getStatus(), originalResponse.getBody()));
}

/** The problem that the service answered, or the error of the network. */
function reasonIn(error: Error | DetailedError): Error {
  const { originalResponse, causingError } = error as Partial<DetailedError>;
  if (originalResponse != null) return problemIn(originalResponse.getStatus(), originalResponse.getBody());
  return causingError ?? error;
}
