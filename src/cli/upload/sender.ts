import { join } from "node:path";
import { ProblemError } from "../../../packages/client/src/index.ts";
import type { Client } from "../client/client.ts";
import { HashedFile } from "./hashed-file.ts";
import type { LocalFile } from "./local-files.ts";
import { readSmall, requireUnchanged } from "./read-file.ts";
import { problemIn, retried } from "./retries.ts";
import { sendByTus, type TransferOptions } from "./send-by-tus.ts";

/** A file that the upload has already. */
export interface KnownFile {
  path: string;
  bytes: number;
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

  /** Removes a file from the upload. A file that it does not have is no error. */
  async remove({ url }: Pick<KnownFile, "url">): Promise<void> {
    await this.#request("DELETE", url);
  }

  async #small(file: LocalFile, known: KnownFile | undefined, options: TransferOptions) {
    const { content, sha512 } = await readSmall(this.#folder, file);
    const has = known === undefined ? "nothing" : comparedBy(sha512, file, known);
    if (has !== "all") {
      const url = await this.#continued(known, has);
      await this.#transfer(file, { url, sha512, content }, options);
    } else options.onProgress(file.bytes);
    return { sha512, isNew: has !== "all" };
  }

  /** The digest is stated when all bytes have arrived: the service compares it with the one that these have. */
  async #large(file: LocalFile, known: KnownFile | undefined, options: TransferOptions) {
    const content = new HashedFile(join(this.#folder, file.path), file.bytes);
    const has = known === undefined ? "nothing" : await this.#compare(file, known, content, options.signal);
    if (has === "all") {
      options.onProgress(file.bytes);
      return { sha512: await content.digest(), isNew: false };
    }
    const transfer = { url: await this.#continued(known, has), sha512: content.sha512, content };
    const url = await this.#transfer(file, transfer, options);
    const sha512 = await content.digest();
    await requireUnchanged(this.#folder, file, file.bytes);
    if (transfer.sha512 === undefined && !(await this.#state(file, sha512, options.signal))) {
      // The upload had the beginning of another file, or bytes were damaged on the way. If this happens again, the service answers it.
      await this.remove({ url });
      await this.#transfer(file, { url: undefined, sha512, content }, options);
    }
    return { sha512, isNew: true };
  }

  async #compare(file: LocalFile, known: KnownFile, content: HashedFile, signal: AbortSignal): Promise<Has> {
    if (known.bytes !== file.bytes) return "nothing";
    if (known.sha512 !== null) return comparedBy(await content.digest(), file, known);
    if (known.completedAt === null) return (await this.#isBeginning(file, known, signal)) ? "beginning" : "nothing";
    return (await this.#state(file, await content.digest(), signal)) ? "all" : "nothing";
  }

  /** The address of the file of which the upload has the beginning. Another one is removed. */
  async #continued(known: KnownFile | undefined, has: Has): Promise<string | undefined> {
    if (has === "beginning") return known?.url;
    if (known !== undefined) await this.remove(known);
    return undefined;
  }

  /** Sends a file, with its digest if it is known. @returns its address */
  async #transfer(
    file: LocalFile,
    { url, sha512, content }: { url: string | undefined; sha512: string | undefined; content: Buffer | HashedFile },
    options: TransferOptions,
  ): Promise<string> {
    const { path, bytes } = file;
    const metadata = sha512 === undefined ? metadataOf(file) : { path, sha512 };
    const transfer = { endpoint: this.#endpoint, url, metadata, bytes, content };
    return sendByTus(this.#client, transfer, options).catch(async (error: unknown) => {
      // The answer to an earlier attempt to create it was lost.
      const created = fileOfTakenPath(error);
      if (created === undefined || url !== undefined || sha512 !== undefined) throw error;
      if (!(await this.#isBeginning(file, created, options.signal))) throw error;
      return sendByTus(this.#client, { ...transfer, url: created.url }, options);
    });
  }

  /** States the digest of a file that has arrived. @returns false if the upload has other bytes @throws as {@link send} */
  async #state({ path, bytes }: LocalFile, sha512: string, signal: AbortSignal): Promise<boolean> {
    const headers = { "upload-length": String(bytes), "upload-metadata": headerOf({ path, sha512 }) };
    try {
      await retried(() => this.#request("POST", this.#endpoint, headers), signal);
      return true;
    } catch (error) {
      if (fileOfTakenPath(error) === undefined) throw error;
      return false;
    }
  }

  /** Whether the upload has the beginning of the file as it is: with its size and its time, which {@link metadataOf} states. */
  async #isBeginning(file: LocalFile, { url }: Pick<KnownFile, "url">, signal: AbortSignal): Promise<boolean> {
    const { headers } = await retried(() => this.#request("HEAD", url), signal);
    const isSame = headers.get("upload-metadata") === headerOf(metadataOf(file));
    return isSame && headers.get("upload-length") === String(file.bytes);
  }

  /** @param url as the service states it @throws ProblemError, UnexpectedAnswerError, the error of the network */
  async #request(method: string, url: string, more: Record<string, string> = {}): Promise<Response> {
    const headers = { ...this.#client.authorization, ...TUS, ...more };
    const answer = await fetch(new URL(url, this.#client.url), { method, headers });
    // Whoever removes a file, or asks for one that is gone, goes on without it.
    if (answer.ok || (answer.status === NOT_FOUND && method !== "POST")) return answer;
    throw problemIn(answer.status, await answer.text());
  }
}

function comparedBy(sha512: string, file: LocalFile, known: KnownFile): Has {
  if (known.sha512 !== sha512 || known.bytes !== file.bytes) return "nothing";
  return known.completedAt === null ? "beginning" : "all";
}

/** What the service keeps of a file whose digest is not known yet. */
function metadataOf({ path, modified }: LocalFile): Record<string, string> {
  return { path, lastModified: String(modified) };
}

/** `Upload-Metadata`, as tus-js-client writes it. */
function headerOf(metadata: Record<string, string>): string {
  return Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value, "utf8").toString("base64")}`)
    .join(",");
}

/** The file that the upload has at a path, if this is why another one was refused. */
function fileOfTakenPath(error: unknown): Pick<KnownFile, "url"> | undefined {
  if (!(error instanceof ProblemError) || error.problem.code !== "upload_path_taken") return undefined;
  return { url: (error.problem as { file?: string }).file ?? "" };
}
