import { createReadStream, type ReadStream } from "node:fs";
import { join } from "node:path";
import { type DetailedError, Upload } from "tus-js-client";
import { digestFile } from "../../../packages/ocfl/src/index.ts";
import { UPLOAD_RETRY_DELAYS_MS } from "../../../packages/rules/src/index.ts";
import type { Client } from "../client/client.ts";
import type { LocalFile } from "./local-files.ts";
import { readSmall, requireUnchanged } from "./read-file.ts";
import { isPassing, problemIn } from "./retries.ts";

/** A file that the upload has already. */
export interface KnownFile {
  path: string;
  bytes: number;
  sha512: string | null;
  completedAt: string | null;
  url: string;
}

/** A file is sent from memory up to this size, in the request that creates it. */
const SMALL = 4 << 20;
/** Sends files of a folder to an upload. */
export class Sender {
  readonly #client: Client;
  readonly #folder: string;
  readonly #endpoint: string;

  /** @param files the address of the files of the upload, as the service states it */
  constructor(client: Client, { folder, files }: { folder: string; files: string }) {
    this.#client = client;
    this.#folder = folder;
    this.#endpoint = new URL(files, client.url).href;
  }

  /**
   * Sends a file, or the part of it that the upload lacks. Afterwards the service has compared the whole file with the SHA-512 that it
   * had here.
   *
   * @param known what the upload has at this path; another file is replaced
   * @param options.onProgress with the number of its bytes that have arrived
   * @returns its SHA-512 in hex, and whether anything was sent
   * @throws ChangedFile, ProblemError, the error of the file system or of the network
   */
  async send(
    file: LocalFile,
    known: KnownFile | undefined,
    options: { onProgress(bytes: number): void; signal: AbortSignal },
  ): Promise<{ sha512: string; isNew: boolean }> {
    const name = join(this.#folder, file.path);
    const small = file.bytes <= SMALL ? await readSmall(this.#folder, file) : undefined;
    const { sha512, bytes } =
      small === undefined ? await this.#digest(file) : { ...small, bytes: small.content.length };
    const isSame = known?.sha512 === sha512 && known.bytes === bytes;
    if (isSame && known.completedAt !== null) {
      options.onProgress(bytes);
      return { sha512, isNew: false };
    }
    if (known !== undefined && !isSame) await this.remove(known);
    const source = small?.content ?? createReadStream(name);
    try {
      await this.#upload(source, { ...file, sha512 }, { ...options, url: isSame ? known.url : undefined });
    } finally {
      if (!Buffer.isBuffer(source)) source.destroy();
    }
    await requireUnchanged(this.#folder, file, bytes);
    return { sha512, isNew: true };
  }

  async #digest(file: LocalFile): Promise<{ sha512: string; bytes: number }> {
    const { digest: sha512, bytes } = await digestFile(join(this.#folder, file.path), "sha512");
    await requireUnchanged(this.#folder, file, bytes);
    return { sha512, bytes };
  }

  /** Removes a file from the upload. A file that it does not have is no error. */
  async remove({ url }: Pick<KnownFile, "url">): Promise<void> {
    const headers = { ...this.#client.authorization, "tus-resumable": "1.0.0" };
    const answer = await fetch(new URL(url, this.#client.url), { method: "DELETE", headers });
    if (!answer.ok && answer.status !== 404) throw problemIn(answer.status, await answer.text());
  }

  #upload(
    source: Buffer | ReadStream,
    { path, bytes, sha512 }: LocalFile & { sha512: string },
    { url, onProgress, signal }: { url: string | undefined; onProgress(bytes: number): void; signal: AbortSignal },
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!Buffer.isBuffer(source)) source.on("error", reject);
      const upload = new Upload(source as never, {
        endpoint: this.#endpoint,
        ...(url !== undefined && { uploadUrl: new URL(url, this.#client.url).href }),
        uploadSize: bytes,
        uploadDataDuringCreation: Buffer.isBuffer(source),
        headers: { ...this.#client.authorization },
        metadata: { path, sha512 },
        retryDelays: UPLOAD_RETRY_DELAYS_MS,
        onShouldRetry: (error) => !signal.aborted && mayPass(error as DetailedError),
        onProgress,
        onError: (error) => reject(reasonIn(error)),
        onSuccess: () => {
          signal.removeEventListener("abort", stop);
          resolve();
        },
      });
      const stop = () => {
        reject(signal.reason);
        upload.abort().catch(reject);
      };
      signal.addEventListener("abort", stop, { once: true });
      if (signal.aborted) stop();
      else upload.start();
    });
  }
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
