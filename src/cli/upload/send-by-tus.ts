import type { ClientRequest, IncomingMessage } from "node:http";
import { DefaultHttpStack, type DetailedError, type HttpRequest, Upload } from "tus-js-client";
import { UPLOAD_RETRY_DELAYS_MS } from "../../../packages/rules/src/index.ts";
import type { Client } from "../client/client.ts";
import type { HashedFile } from "./hashed-file.ts";
import { BrokenAnswer, isPassing, problemIn, type Retries } from "./retries.ts";

/** The state of a file in the upload, and what of it is sent. */
export interface Transfer {
  /** Address of the files of the upload. */
  endpoint: string;
  /** Address of the file that is continued; undefined to create it. */
  url: string | undefined;
  metadata: Record<string, string>;
  bytes: number;
  content: Buffer | HashedFile;
  /** Called with the address of the file, as soon as it exists. */
  onUrl?: (url: string) => void;
}

export interface TransferOptions extends Retries {
  /** With the number of bytes of the file that have arrived; before it continues, with those that were read again. */
  onProgress(bytes: number): void;
}

/**
 * Sends a file by the tus protocol, the bytes in memory in the request that creates it. After an interruption, it continues.
 *
 * @returns the address of the file, which is complete
 * @throws ProblemError, UnexpectedAnswerError, the error of the network if no more attempts are made; the error of the file system; the
 * reason of the signal
 */
export async function sendByTus(
  client: Client,
  { endpoint, url, metadata, bytes, content, onUrl }: Transfer,
  { onProgress, onRetry, signal }: TransferOptions,
): Promise<string> {
  signal.throwIfAborted();
  const inMemory = Buffer.isBuffer(content);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stopFor = (reason: unknown) => {
    reject(reason);
    upload.abort().catch(reject);
  };
  const upload = new Upload(content as never, {
    endpoint,
    ...(url !== undefined && { uploadUrl: new URL(url, client.url).href }),
    ...(!inMemory && { fileReader: { openFile: async () => sourceOf(content, stopFor) } }),
    httpStack: new WholeAnswers({}),
    uploadSize: bytes,
    uploadDataDuringCreation: inMemory,
    headers: { ...client.authorization },
    metadata,
    retryDelays: UPLOAD_RETRY_DELAYS_MS,
    onShouldRetry: (error, attempt) => {
      const isAgain = !signal.aborted && mayPass(error as DetailedError);
      if (isAgain) onRetry(UPLOAD_RETRY_DELAYS_MS[attempt] ?? 0, reasonIn(error));
      return isAgain;
    },
    onUploadUrlAvailable: () => onUrl?.(upload.url ?? ""),
    onProgress,
    onError: (error) => reject(reasonIn(error)),
    onSuccess: () => resolve(),
  });
  const stop = () => stopFor(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  upload.start();
  await promise.finally(() => signal.removeEventListener("abort", stop));
  return upload.url ?? "";
}

/** Requests that also end if the connection breaks in the middle of the answer, for which tus-js-client would wait forever. */
class WholeAnswers extends DefaultHttpStack {
  override createRequest(method: string, url: string): HttpRequest {
    const request = super.createRequest(method, url);
    const send = request.send.bind(request);
    request.send = (body) => {
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof send>>>();
      send(body).then(resolve, reject);
      (request.getUnderlyingObject() as ClientRequest).on("response", (answer: IncomingMessage) => {
        answer.on("close", () => {
          if (!answer.complete) reject(new BrokenAnswer("The connection was closed in the middle of the answer"));
        });
      });
      return promise;
    };
    return request;
  }
}

/** @param failed called if the file cannot be read: tus-js-client would wait for its bytes, or try again */
function sourceOf(content: HashedFile, failed: (error: unknown) => void) {
  return {
    size: content.size,
    slice: async (start: number, end: number) => {
      try {
        const slice = await content.slice(start, end);
        slice.value.on("error", failed);
        return slice;
      } catch (error) {
        failed(error);
        throw error;
      }
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
