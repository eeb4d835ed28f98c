import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { Upload } from "tus-js-client";
import { type Answer, type Api, goodMetadata } from "./api.ts";

export const digestOf = (algorithm: string, bytes: Buffer) => createHash(algorithm).update(bytes);
export const sha512 = (bytes: Buffer) => digestOf("sha512", bytes).digest("hex");
const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");
/** `Upload-Metadata`. */
export const pairsOf = (metadata: Record<string, string>) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(",");

/** An answer of the tus protocol. */
export interface TusAnswer {
  status: number;
  headers: Headers;
  /** Of a problem. */
  code: string | undefined;
  detail: string | undefined;
  /** Address of the file that the problem names. */
  file: string | undefined;
  offset: number;
}

/** A file of an upload, to which requests of the protocol are sent. */
export interface SentFile {
  /** Its address, as a path. */
  at: string;
  bytes: Buffer;
}

/** Sends files by the tus protocol: with requests as the protocol describes them, and with an ordinary client. */
export class TusClient {
  readonly #api: () => Api;

  /** @param api the client of the service, which a restart replaces */
  constructor(api: () => Api) {
    this.#api = api;
  }

  /** Creates an upload. */
  async upload(): Promise<{ id: string; files: string }> {
    const { status, json } = await this.#api().post("/uploads");
    if (status !== 201) throw new Error(`no upload: ${status} ${JSON.stringify(json)}`);
    return json;
  }

  async request(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array | ReadableStream,
    signal?: AbortSignal,
  ): Promise<TusAnswer> {
    const { url, headers: general } = this.#api();
    const type: Record<string, string> =
      body === undefined ? {} : { "content-type": "application/offset+octet-stream" };
    const init = {
      method,
      headers: { ...general, "tus-resumable": "1.0.0", ...type, ...headers },
      ...(body && { body, duplex: "half" }),
      ...(signal && { signal }),
    } as RequestInit;
    const answer = await fetch(url + path, init);
    const text = await answer.text();
    const { code, detail, file } = text.startsWith("{") ? JSON.parse(text) : {};
    const offset = Number(answer.headers.get("upload-offset") ?? Number.NaN);
    return { status: answer.status, headers: answer.headers, code, detail, file, offset };
  }

  /** Creates a file with any metadata. */
  createWith(files: string, bytes: number | string, metadata: Record<string, string>, body?: Uint8Array) {
    const headers = { "upload-length": String(bytes), "upload-metadata": pairsOf(metadata) };
    return this.request("POST", files, headers, body);
  }

  /** Creates and sends a part of a file. @returns its address */
  async part(files: string, bytes: Buffer): Promise<string> {
    const headers = { "upload-concat": "partial", "upload-length": String(bytes.length) };
    const created = await this.request("POST", files, headers);
    if (created.status !== 201) throw new Error(`no part: ${created.status} ${created.code}`);
    const at = created.headers.get("location") ?? "";
    if (bytes.length === 0) return at;
    const { status, code, offset } = await this.patch(at, 0, bytes);
    if (status !== 204 || offset !== bytes.length) throw new Error(`no bytes of a part: ${status} ${code} ${offset}`);
    return at;
  }

  /** Joins parts to a file. */
  join(files: string, parts: readonly string[], metadata: Record<string, string>): Promise<TusAnswer> {
    const headers = { "upload-concat": `final;${parts.join(" ")}`, "upload-metadata": pairsOf(metadata) };
    return this.request("POST", files, headers);
  }

  /** Creates a file without bytes. */
  create(
    files: string,
    path: string,
    bytes: number | string,
    metadata: Record<string, string> = {},
  ): Promise<TusAnswer> {
    return this.createWith(files, bytes, { path, ...metadata });
  }

  /** Creates a file with its digest. */
  async file(files: string, path: string, bytes: Buffer): Promise<SentFile> {
    const { status, headers, code } = await this.create(files, path, bytes.length, { sha512: sha512(bytes) });
    if (status !== 201) throw new Error(`no file: ${status} ${code}`);
    return { at: headers.get("location") ?? "", bytes };
  }

  /** Sends the bytes of a file from a position on. */
  patch(at: string, from: number, body: Uint8Array | ReadableStream, headers: Record<string, string> = {}) {
    return this.request("PATCH", at, { "upload-offset": String(from), ...headers }, body);
  }

  /** The bytes of a file until now. Does not end a request that sends it, as `HEAD` does. */
  async offset(at: string): Promise<number> {
    return (await this.request("GET", at)).offset;
  }

  /** Sends bytes, and cuts the connection when they have arrived. The rest never comes. */
  async sendAndCut(at: string, from: number, bytes: Buffer): Promise<void> {
    const cut = new AbortController();
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(bytes),
      pull: async () => {
        while ((await this.offset(at)) < from + bytes.length) await new Promise((resolve) => setTimeout(resolve, 10));
        cut.abort();
      },
    });
    await this.request("PATCH", at, { "upload-offset": String(from) }, body, cut.signal).catch(() => undefined);
  }

  /** Sends bytes, and cuts the connection, whether or not they have arrived. */
  async sendAndAbort(at: string, from: number, bytes: Buffer): Promise<void> {
    const cut = new AbortController();
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(bytes),
      pull: () => void setImmediate(() => cut.abort()),
    });
    await this.request("PATCH", at, { "upload-offset": String(from) }, body, cut.signal).catch(() => undefined);
  }

  /** Sends a file with a client that others wrote. @returns its address. Rejects with the error of the client */
  send(
    files: string,
    path: string,
    bytes: Buffer,
    more: { sha512?: string | null; url?: string; chunkSize?: number; withCreation?: boolean } = {},
  ): Promise<string> {
    const { url, headers } = this.#api();
    return new Promise((resolve, reject) => {
      const digest = more.sha512 === null ? undefined : (more.sha512 ?? sha512(bytes));
      const upload = new Upload(Readable.from([bytes]) as never, {
        endpoint: url + files,
        uploadSize: bytes.length,
        chunkSize: more.chunkSize ?? 1 << 20,
        retryDelays: [],
        headers,
        uploadDataDuringCreation: more.withCreation ?? false,
        metadata: { path, ...(digest !== undefined && { sha512: digest }) },
        onError: reject,
        onSuccess: () => resolve(upload.url ?? ""),
      });
      upload.start();
    });
  }

  /** Submits an upload. */
  submit(id: string, more: object = {}): Promise<Answer> {
    return this.#api().post("/submission/upload/s3upload", { metadata: goodMetadata, upload: { id }, ...more });
  }
}
