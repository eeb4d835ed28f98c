import { ProblemError } from "@accession/client";
import { type DetailedError, Upload } from "tus-js-client";
import { UPLOAD_RETRY_DELAYS_MS, uploadMetadata } from "../../../../../packages/rules/src/index.ts";
import { fetchAsCaller, SERVICE_URL } from "../../../api/client.ts";
import { currentSession, endSession } from "../../../api/session/session.ts";
import { isPassing, problemIn, requireReadable } from "./answers.ts";

/** A file is sent in the request that creates it up to this size. */
const SMALL = 4 << 20;
const TUS = "1.0.0";

/** A file, and where it is sent. */
export interface Outgoing {
  /** The address of the files of the upload. */
  endpoint: string;
  /** The address of the file, if the upload has a part of it. */
  url: string | undefined;
  path: string;
  file: File;
  sha512: string;
  /** Called with the address of the file. */
  onUrl(url: string): void;
  /** Called with the number of bytes that have arrived. */
  onProgress(bytes: number): void;
  signal: AbortSignal;
}

/**
 * Sends a file, or the rest of it. Afterwards the service has compared the whole file with its SHA-512.
 *
 * @throws ProblemError; UnreadableFile; the error of the network; the reason of the signal
 */
export async function sendFile({ file, signal, ...outgoing }: Outgoing): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const upload = new Upload(file, {
    endpoint: new URL(outgoing.endpoint, SERVICE_URL).href,
    ...(outgoing.url !== undefined && { uploadUrl: new URL(outgoing.url, SERVICE_URL).href }),
    uploadDataDuringCreation: file.size <= SMALL,
    metadata: { path: outgoing.path, sha512: outgoing.sha512 },
    // The service knows the files of the upload, also on another day.
    storeFingerprintForResuming: false,
    retryDelays: UPLOAD_RETRY_DELAYS_MS,
    onBeforeRequest: (request) => {
      const token = currentSession()?.token;
      if (token !== undefined) request.setHeader("authorization", `Bearer ${token}`);
    },
    onAfterResponse: (request, response) => {
      const sent = request.getHeader("authorization");
      if (response.getStatus() === 401 && sent !== undefined) endSession(sent.slice("Bearer ".length));
    },
    onShouldRetry: (error) => {
      // The browser does not tell a file that has changed from a network that has failed.
      if (error.originalResponse === null) void requireReadable(file).catch(stop);
      return isPassing(reasonIn(error));
    },
    onUploadUrlAvailable: () => {
      if (upload.url !== null) outgoing.onUrl(upload.url);
    },
    onProgress: outgoing.onProgress,
    onError: (error) => reject(reasonIn(error)),
    onSuccess: () => resolve(),
  });
  const stop = (reason: unknown) => {
    reject(reason);
    void upload.abort();
  };
  const abort = () => stop(signal.reason);
  signal.throwIfAborted();
  signal.addEventListener("abort", abort, { once: true });
  upload.start();
  await promise.finally(() => signal.removeEventListener("abort", abort));
  await requireReadable(file);
}

/** Removes a file from the upload. A file that it does not have is no error. @throws ProblemError, the error of the network */
export async function removeFile(url: string): Promise<void> {
  const headers = { "tus-resumable": TUS };
  const answer = await fetchAsCaller(new Request(new URL(url, SERVICE_URL), { method: "DELETE", headers }));
  if (!answer.ok && answer.status !== 404) throw problemIn(answer.status, await answer.text());
}

/**
 * Creates a file without bytes, or finds the same one: that with this digest, or without one, that with this time.
 * @returns false if the upload has another file at this path @throws ProblemError, the error of the network
 */
export async function createFile(endpoint: string, bytes: number, metadata: Record<string, string>): Promise<boolean> {
  const headers = {
    ...{ "tus-resumable": TUS, "upload-length": String(bytes) },
    "upload-metadata": uploadMetadata(metadata),
  };
  const answer = await fetchAsCaller(new Request(new URL(endpoint, SERVICE_URL), { method: "POST", headers }));
  if (answer.ok) return true;
  const error = problemIn(answer.status, await answer.text());
  if (error instanceof ProblemError && error.problem.code === "upload_path_taken") return false;
  throw error;
}

/** The problem that the service answered, or the error of the network. */
function reasonIn(error: Error | DetailedError): Error {
  const { originalResponse } = error as Partial<DetailedError>;
  if (originalResponse == null) return error;
  return problemIn(originalResponse.getStatus(), originalResponse.getBody());
}
