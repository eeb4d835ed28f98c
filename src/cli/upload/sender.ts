import { join } from "node:path";
import { ProblemError } from "../../../packages/client/src/index.ts";
import { uploadMetadata } from "../../../packages/rules/src/index.ts";
import type { Client } from "../client/client.ts";
import { HashedFile } from "./hashed-file.ts";
import type { LocalFile } from "./local-files.ts";
import { ChangedFile, readSmall, requireUnchanged } from "./read-file.ts";
import { problemIn, type Retries, retried } from "./retries.ts";
import { sendByTus, type Transfer, type TransferOptions } from "./send-by-tus.ts";

/** A file that the upload has already. */
export interface KnownFile {
  path: string;
  bytes: number;
  receivedBytes: number;
  /** The digest that a client has stated. */
  sha512: string | null;
  completedAt: string | null;
  url: string;
}

/** How much of a file the upload has. */
type Has = "all" | "beginning" | "nothing";

/** A file is sent from memory up to this size, with its digest in the request that creates it. Larger ones are hashed while they are sent. */
const SMALL = 4 << 20;
const NOT_FOUND = 404;
/** The service may wait for another request that sends the file, and for the disk. */
const ANSWER_MS = 60_000;
const TUS = { "tus-resumable": "1.0.0" };

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
   * @returns its SHA-512 in hex, and whether anything was sent
   * @throws ChangedFile, ProblemError, the error of the file system or of the network
   */
  async send(
    file: LocalFile,
    known: KnownFile | undefined,
    options: TransferOptions,
  ): Promise<{ sha512: string; isNew: boolean }> {
    const found = await (file.bytes <= SMALL ? this.#small(file, known, options) : this.#large(file, known, options));
    await requireUnchanged(this.#folder, file, file.bytes);
    return found;
  }

  /** Removes a file from the upload. A file that it does not have is no error. @throws as {@link send} */
  async remove({ url }: Pick<KnownFile, "url">, retries: Retries): Promise<void> {
    await retried(() => this.#request("DELETE", url, {}, retries.signal), retries);
  }

  async #small(file: LocalFile, known: KnownFile | undefined, options: TransferOptions) {
    const { content, sha512 } = await readSmall(this.#folder, file);
    const has = known === undefined ? "nothing" : comparedBy(sha512, file, known);
    if (has === "all") {
      options.onProgress(file.bytes);
      return { sha512, isNew: false };
    }
    const url = await this.#continued(known, has, options);
    await this.#transfer(file, { url, content, metadata: { path: file.path, sha512 } }, options);
    return { sha512, isNew: true };
  }

  async #large(file: LocalFile, known: KnownFile | undefined, options: TransferOptions) {
    const content = new HashedFile(join(this.#folder, file.path), file.bytes, options);
    // The upload gets no file that is not there.
    await content.requireReadable();
    let url = known?.url;
    try {
      const has = known === undefined ? "nothing" : await this.#compare(file, known, content, options);
      if (has === "all") {
        options.onProgress(file.bytes);
        return { sha512: await content.digest(), isNew: false };
      }
      url = await this.#continued(known, has, options);
      const onUrl = (created: string) => {
        url = created;
      };
      return { sha512: await this.#sendHashing(file, { url, content, onUrl }, options), isNew: true };
    } catch (error) {
      // It cannot be continued, and after it was removed from the folder, the upload should still be found.
      if (url !== undefined && isGone(error)) await this.remove({ url }, options);
      throw error;
    } finally {
      content.close();
    }
  }

  /**
   * Sends a large file, and states its digest when all bytes have arrived: the service compares it with the one that these have.
   * @returns the digest
   */
  async #sendHashing(
    file: LocalFile,
    { content, ...target }: Pick<Transfer, "url" | "onUrl"> & { content: HashedFile },
    options: TransferOptions,
  ): Promise<string> {
    const { path } = file;
    const known = content.sha512;
    const metadata = known === undefined ? metadataOf(file) : { path, sha512: known };
    const url = await this.#transfer(file, { ...target, content, metadata }, options);
    const sha512 = await content.digest();
    await requireUnchanged(this.#folder, file, file.bytes);
    if (known !== undefined || (await this.#create(file, { path, sha512 }, options))) return sha512;
    // The upload had the beginning of another file, or bytes were damaged on the way. If this happens again, the service answers it.
    await this.remove({ url }, options);
    await this.#transfer(file, { ...target, url: undefined, content, metadata: { path, sha512 } }, options);
    return sha512;
  }

  async #compare(file: LocalFile, known: KnownFile, content: HashedFile, retries: Retries): Promise<Has> {
    if (known.bytes !== file.bytes) return "nothing";
    if (known.sha512 !== null) return comparedBy(await content.digest(), file, known);
    if (known.completedAt === null)
      return (await this.#create(file, metadataOf(file), retries)) ? "beginning" : "nothing";
    const { path } = file;
    return (await this.#create(file, { path, sha512: await content.digest() }, retries)) ? "all" : "nothing";
  }

  /** The address of the file of which the upload has the beginning. Another one is removed. */
  async #continued(known: KnownFile | undefined, has: Has, retries: Retries): Promise<string | undefined> {
    if (has === "beginning") return known?.url;
    if (known !== undefined) await this.remove(known, retries);
    return undefined;
  }

  #transfer(
    { bytes }: LocalFile,
    transfer: Omit<Transfer, "endpoint" | "bytes">,
    options: TransferOptions,
  ): Promise<string> {
    return sendByTus(this.#client, { ...transfer, endpoint: this.#endpoint, bytes }, options);
  }

  /**
   * Creates a file, or finds the same one: that with this digest, or without one, that with this time.
   * @returns false if the upload has another file at this path @throws as {@link send}
   */
  async #create({ bytes }: LocalFile, metadata: Record<string, string>, retries: Retries): Promise<boolean> {
    const headers = { "upload-length": String(bytes), "upload-metadata": uploadMetadata(metadata) };
    try {
      await retried(() => this.#request("POST", this.#endpoint, headers, retries.signal), retries);
      return true;
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.code !== "upload_path_taken") throw error;
      return false;
    }
  }

  /** @param url as the service states it @throws ProblemError, UnexpectedAnswerError, the error of the network */
  async #request(method: string, url: string, more: Record<string, string>, signal: AbortSignal): Promise<void> {
    const headers = { ...this.#client.authorization, ...TUS, ...more };
    const ended = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
    const answer = await fetch(new URL(url, this.#client.url), { method, headers, signal: ended });
    const text = await answer.text();
    if (!answer.ok && (method !== "DELETE" || answer.status !== NOT_FOUND)) throw problemIn(answer.status, text);
  }
}

/** Whether the file has changed or is gone. After other errors of the file system, it can be continued. */
function isGone(error: unknown): boolean {
  return error instanceof ChangedFile || (error as NodeJS.ErrnoException).code === "ENOENT";
}

function comparedBy(sha512: string, file: LocalFile, known: KnownFile): Has {
  if (known.sha512 !== sha512 || known.bytes !== file.bytes) return "nothing";
  return known.completedAt === null ? "beginning" : "all";
}

/** What the service needs to know the file again before its digest is known. Browsers know the time as whole milliseconds, too. */
function metadataOf({ path, modified }: LocalFile): Record<string, string> {
  return { path, lastModified: String(Math.trunc(modified)) };
}
