import { createHash } from "node:crypto";
import { createReadStream, type ReadStream } from "node:fs";
import { lstat, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type DetailedError, Upload } from "tus-js-client";
import { type Problem, ProblemError, UnexpectedAnswerError } from "../../../packages/client/src/index.ts";
import { digestFile } from "../../../packages/ocfl/src/index.ts";
import type { Client } from "../client/client.ts";
import type { LocalFile } from "./local-files.ts";

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
/** A service that restarts, or a network that fails, may take two minutes. The count begins again with each byte that arrives. */
const RETRY_DELAYS_MS = [500, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, 30_000, 30_000];
/** Codes of problems that another attempt solves, apart from errors of servers and networks. */
const PASSING: readonly string[] = ["upload_offset_wrong", "rate_limited", "request_timeout", "upload_checksum_wrong"];
/** Codes of problems that waiting does not solve, although the status is that of a server error. */
const LASTING: readonly string[] = ["no_space", "archive_unwritable", "uploads_off"];
const SERVER_ERROR = 500;

/** A file was written to while it was read. */
export class ChangedFile extends Error {
  override readonly name = "ChangedFile";
}

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
   * @returns whether anything was sent
   * @throws ChangedFile, ProblemError, the error of the file system or of the network
   */
  async send(
    file: LocalFile,
    known: KnownFile | undefined,
    options: { onProgress(bytes: number): void; signal: AbortSignal },
  ): Promise<boolean> {
    const name = join(this.#folder, file.path);
    const small = file.bytes <= SMALL ? await readFile(name) : undefined;
    const { digest: sha512, bytes } = small === undefined ? await digestFile(name, "sha512") : digestOf(small);
    await this.#requireUnchanged(file, bytes);
    const isSame = known?.sha512 === sha512 && known.bytes === bytes;
    if (isSame && known.completedAt !== null) {
      options.onProgress(bytes);
      return false;
    }
    if (known !== undefined && !isSame) await this.remove(known);
    const source = small ?? createReadStream(name);
    try {
      await this.#upload(source, { ...file, sha512 }, { ...options, url: isSame ? known.url : undefined });
    } finally {
      if (!Buffer.isBuffer(source)) source.destroy();
    }
    await this.#requireUnchanged(file, bytes);
    return true;
  }

  /** Removes a file from the upload. A file that it does not have is no error. */
  async remove({ url }: Pick<KnownFile, "url">): Promise<void> {
    const headers = { ...this.#client.authorization, "tus-resumable": "1.0.0" };
    const answer = await fetch(new URL(url, this.#client.url), { method: "DELETE", headers });
    if (!answer.ok && answer.status !== 404) throw problemIn(answer.status, await answer.text());
  }

  async #requireUnchanged(file: LocalFile, read: number): Promise<void> {
    const { size, mtimeMs } = await lstat(join(this.#folder, file.path));
    if (read !== file.bytes || size !== file.bytes || mtimeMs !== file.modified) throw new ChangedFile(file.path);
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
        retryDelays: RETRY_DELAYS_MS,
        onShouldRetry: (error) => !signal.aborted && isPassing(error as DetailedError),
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

function digestOf(bytes: Buffer): { digest: string; bytes: number } {
  return { digest: createHash("sha512").update(bytes).digest("hex"), bytes: bytes.length };
}

/** Whether another attempt may succeed. */
function isPassing({ originalResponse }: DetailedError): boolean {
  if (originalResponse == null) return true;
  const error = problemIn(originalResponse.getStatus(), originalResponse.getBody());
  if (!(error instanceof ProblemError)) return error.status >= SERVER_ERROR;
  const { code, status } = error.problem;
  return PASSING.includes(code) || (status >= SERVER_ERROR && !LASTING.includes(code));
}

/** The problem that the service answered, or the error of the network. */
function reasonIn(error: Error | DetailedError): Error {
  const { originalResponse, causingError } = error as Partial<DetailedError>;
  if (originalResponse != null) return problemIn(originalResponse.getStatus(), originalResponse.getBody());
  return causingError ?? error;
}

function problemIn(status: number, body: string): ProblemError | UnexpectedAnswerError {
  if (body.startsWith("{")) {
    const problem = JSON.parse(body) as Problem;
    if (typeof problem.code === "string") return new ProblemError(problem);
  }
  return new UnexpectedAnswerError(new Response(null, { status: Math.max(200, status) }));
}
