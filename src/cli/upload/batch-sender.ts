import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type Problem, ProblemError } from "../../../packages/client/src/index.ts";
import { BATCH_BYTES, BATCH_FILES, fitsBatch, UPLOAD_RETRY_DELAYS_MS } from "../../../packages/rules/src/index.ts";
import type { Client } from "../client/client.ts";
import type { LocalFile } from "./local-files.ts";
import { readSmall, requireUnchanged } from "./read-file.ts";
import { BrokenAnswer, isPassing, problemIn, type Retries } from "./retries.ts";

/** A line of the answer to a batch. */
interface Line {
  path?: string | null;
  problem?: Problem;
}

interface ReadFile {
  file: LocalFile;
  content: Buffer;
  sha512: string;
}

type Done = (file: LocalFile, outcome: { sha512: string } | { error: unknown }) => void;

/** Divides files into those that are sent one by one, and batches of small ones. */
export function inBatches(files: readonly LocalFile[], isNew: (file: LocalFile) => boolean) {
  const singles: LocalFile[] = [];
  const batches: LocalFile[][] = [];
  let last: LocalFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (!fitsBatch(file) || !isNew(file)) {
      singles.push(file);
      continue;
    }
    if (last.length === 0 || last.length === BATCH_FILES || bytes + file.bytes > BATCH_BYTES) {
      last = [];
      batches.push(last);
      bytes = 0;
    }
    last.push(file);
    bytes += file.bytes;
  }
  return { singles, batches };
}

/** Sends many small files of a folder to an upload in one request. */
export class BatchSender {
  readonly #client: Client;
  readonly #folder: string;
  readonly #address: string;

  /** @param batch the address for batches of the upload, as the service states it */
  constructor(client: Client, { folder, batch }: { folder: string; batch: string }) {
    this.#client = client;
    this.#folder = folder;
    this.#address = new URL(batch, client.url).href;
  }

  /**
   * Sends files that the upload does not have. After an interruption, those are sent again that the service has not acknowledged.
   *
   * @param options.done called once for each file: with its SHA-512 in hex if the service has it and has compared it, otherwise the reason
   * @throws ProblemError, the error of the network, if no more attempts are made; the reason of the signal
   */
  async send(files: readonly LocalFile[], { done, signal, onRetry }: { done: Done } & Retries): Promise<void> {
    const waiting = new Map<string, ReadFile>();
    for (const file of files) {
      try {
        waiting.set(file.path, { file, ...(await readSmall(this.#folder, file)) });
      } catch (error) {
        done(file, { error });
      }
    }
    for (let attempt = 0; waiting.size > 0; attempt++) {
      const before = waiting.size;
      const failure = await this.#attempt(waiting, { done, signal });
      signal.throwIfAborted();
      if (waiting.size === 0) return;
      if (waiting.size < before) attempt = 0;
      const delay = UPLOAD_RETRY_DELAYS_MS[attempt];
      if (delay === undefined || !isPassing(failure)) throw failure;
      onRetry(delay, failure);
      await sleep(delay, undefined, { signal });
    }
  }

  /** Removes those files that are done, also with a reason that is about them alone. @returns why others are not */
  async #attempt(
    waiting: Map<string, ReadFile>,
    { done, signal }: { done: Done; signal: AbortSignal },
  ): Promise<unknown> {
    let failure: unknown;
    try {
      for await (const { path, problem } of this.#request([...waiting.values()], signal)) {
        const error = problem === undefined ? undefined : new ProblemError(problem);
        const own = waiting.get(path ?? "");
        if (own === undefined || (error !== undefined && isPassing(error))) failure = error ?? failure;
        else {
          const reason = error ?? (await this.#changeOf(own));
          done(own.file, reason === undefined ? { sha512: own.sha512 } : { error: reason });
          waiting.delete(own.file.path);
        }
      }
    } catch (error) {
      failure = error;
    }
    return failure ?? new BrokenAnswer("The service has not acknowledged all files");
  }

  async #changeOf({ file, content }: ReadFile): Promise<unknown> {
    try {
      await requireUnchanged(this.#folder, file, content.length);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  /** The lines of the answer, as they arrive. @throws ProblemError, UnexpectedAnswerError, the error of the network */
  async *#request(files: readonly ReadFile[], signal: AbortSignal): AsyncGenerator<Line> {
    const { type, body } = formOf(files);
    const headers = { ...this.#client.authorization, "content-type": type };
    const answer = await fetch(this.#address, { method: "POST", headers, body, signal });
    if (!answer.ok) throw problemIn(answer.status, await answer.text());
    let text = "";
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = (text + piece).split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) yield JSON.parse(line) as Line;
    }
  }
}

function formOf(files: readonly ReadFile[]): { type: string; body: Buffer<ArrayBuffer> } {
  const boundary = randomUUID();
  const part = (name: string, more = "") =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const pieces = files.flatMap(({ file: { path }, content, sha512 }) => [
    Buffer.from(`${part("path")}${path}\r\n${part("sha512")}${sha512}\r\n${part("file", '; filename="file"')}`),
    content,
    Buffer.from("\r\n"),
  ]);
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
