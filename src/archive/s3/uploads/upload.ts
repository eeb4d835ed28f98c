import { join } from "node:path";
import type { Readable } from "node:stream";
import type { Bucket } from "../bucket.ts";
import type { PartMemory } from "./memory.ts";
import { FilePart, MemoryPart, type Part } from "./part.ts";
import { abortUpload, abortUploads, beginUpload, completeUpload, type SentPart, sendPart } from "./uploads.ts";

const MIB = 1024 * 1024;
const LEAST_PART = 16 * MIB;
const MOST_PARTS = 10_000;
/** Larger parts are collected in files. Objects of more than 625 GiB have them. */
const MOST_IN_MEMORY = 64 * MIB;
/** Maximum number of parts that are collected or sent at the same time. */
const WINDOW = 3;

/** Size of all parts but the last, for an object of this size. */
export function partBytesOf(bytes: number): number {
  return Math.max(LEAST_PART, Math.ceil(bytes / MOST_PARTS / MIB) * MIB);
}

/** Memory that is needed to upload an object of this size. */
export function memoryFor(bytes: number): number {
  return Math.min(bytes, WINDOW * Math.min(partBytesOf(bytes), MOST_IN_MEMORY));
}

interface UploadOptions {
  path: string;
  bytes: number;
  memory: PartMemory;
  /** A folder of this process. */
  scratch: string;
  /** A unique name for files in it. */
  name: string;
  signal: AbortSignal;
}

/**
 * The upload of a large object. Bytes arrive in any order and are collected in parts; a complete part is sent. The
 * object does not exist before {@link complete} resolves. An object has at most one upload: an earlier one is aborted.
 */
export class S3Upload {
  readonly #bucket: Bucket;
  readonly #options: UploadOptions;
  readonly #partBytes: number;
  readonly #parts = new Map<number, Part>();
  readonly #sent: SentPart[] = [];
  readonly #sending = new Set<Promise<void>>();
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #begun: Promise<string>;
  #id: string | undefined;
  /** The bytes up to this position were returned by {@link reached}. */
  #seen = 0;
  /** Number of leading parts that are sent, returned by {@link reached} and dropped. */
  #done = 0;
  #fault: { error: unknown } | undefined;
  #waiting: { place: number; resolve: () => void; reject: (error: unknown) => void }[] = [];
  /** Serialises the parts in files, which are read into memory to be sent. */
  #lastPart: Promise<unknown> = Promise.resolve();

  constructor(bucket: Bucket, options: UploadOptions) {
    this.#bucket = bucket;
    this.#options = options;
    this.#partBytes = partBytesOf(options.bytes);
    this.#signal = AbortSignal.any([options.signal, this.#stop.signal]);
    this.#signal.addEventListener("abort", () => this.#fail(this.#signal.reason), { once: true });
    this.#begun = this.#begin();
    this.#begun.catch((error: unknown) => this.#fail(error));
  }

  /** @throws the error of an earlier request */
  write(at: number, chunk: Uint8Array): void {
    if (this.#fault !== undefined) throw this.#fault.error;
    for (let done = 0; done < chunk.length; ) {
      const index = Math.floor((at + done) / this.#partBytes);
      const within = at + done - index * this.#partBytes;
      const piece = chunk.subarray(done, done + this.#lengthOf(index) - within);
      const part = this.#parts.get(index) ?? this.#open(index);
      part.write(within, piece);
      done += piece.length;
      if (part.filled === this.#lengthOf(index)) this.#launch(index, part);
    }
  }

  /**
   * Call when all bytes below this position have arrived. Returns those that were not returned before, in pieces; each
   * is valid until the next.
   */
  *reached(place: number): Generator<Uint8Array> {
    while (this.#seen < place) {
      const index = Math.floor(this.#seen / this.#partBytes);
      const start = index * this.#partBytes;
      const end = Math.min(place, start + this.#lengthOf(index));
      const part = this.#parts.get(index);
      if (part === undefined) throw this.#fault?.error ?? new Error("The part was dropped");
      yield* part.read(this.#seen - start, end - start);
      this.#seen = end;
    }
    this.#dropDone();
  }

  /** Waits until there is memory for the bytes below a position. Returns undefined if there is. */
  waitForCapacity(place: number): Promise<void> | undefined {
    if (this.#fault !== undefined) return Promise.reject(this.#fault.error);
    if (this.#hasMemory(place)) return undefined;
    return new Promise((resolve, reject) => this.#waiting.push({ place, resolve, reject }));
  }

  /** Completes the upload after all bytes have arrived. */
  async complete(): Promise<void> {
    while (this.#sending.size > 0 && this.#fault === undefined) await Promise.race(this.#sending);
    if (this.#fault !== undefined) throw this.#fault.error;
    const { path, bytes } = this.#options;
    await completeUpload(this.#bucket, { path, id: await this.#begun, bytes }, this.#sent, this.#signal);
    this.#id = undefined;
  }

  /** Reads the stored object. */
  async *readBack(): AsyncGenerator<Uint8Array> {
    const got = await this.#bucket.get(this.#options.path, {}, this.#signal);
    if (got === undefined) throw new Error("The stored object was removed by another process");
    yield* got.body as Readable & AsyncIterable<Uint8Array>;
  }

  /**
   * Aborts the upload and removes its parts. A complete object is kept. Resolves when the store has answered, or cannot
   * be reached.
   */
  async abandon(): Promise<void> {
    this.#stop.abort(new Error("The upload was aborted"));
    await Promise.allSettled([this.#begun, ...this.#sending]);
    for (const part of this.#parts.values()) part.drop();
    this.#parts.clear();
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) await abortUpload(this.#bucket, this.#options.path, id).catch(() => undefined);
  }

  async #begin(): Promise<string> {
    const { path } = this.#options;
    await abortUploads(this.#bucket, path, "exactly");
    this.#id = await beginUpload(this.#bucket, path, this.#signal);
    return this.#id;
  }

  #lengthOf(index: number): number {
    return Math.min(this.#partBytes, this.#options.bytes - index * this.#partBytes);
  }

  #hasMemory(place: number): boolean {
    return place <= (this.#done + WINDOW) * this.#partBytes;
  }

  #open(index: number): Part {
    const { memory, scratch, name } = this.#options;
    const fits = this.#partBytes <= MOST_IN_MEMORY && index < this.#done + WINDOW;
    const bytes = this.#lengthOf(index);
    const part = fits
      ? new MemoryPart(memory, this.#partBytes, bytes)
      : new FilePart(join(scratch, `${name}-${index}`), bytes);
    this.#parts.set(index, part);
    return part;
  }

  #launch(index: number, part: Part): void {
    const sending = this.#send(index, part).catch((error: unknown) => this.#fail(error));
    this.#sending.add(sending);
    void sending.finally(() => this.#sending.delete(sending));
  }

  async #send(index: number, part: Part): Promise<void> {
    const id = await this.#begun;
    const at = { path: this.#options.path, id, number: index + 1 };
    const send = async () => {
      this.#signal.throwIfAborted();
      this.#sent.push(await sendPart(this.#bucket, at, part.whole(), this.#signal));
    };
    if (part instanceof MemoryPart) await send();
    else {
      const sent = this.#lastPart.then(send);
      this.#lastPart = sent.catch(() => undefined);
      await sent;
    }
    this.#dropDone();
  }

  #dropDone(): void {
    const sent = new Set(this.#sent.map(({ PartNumber }) => PartNumber - 1));
    for (let index = this.#done; sent.has(index); index++) {
      if (index * this.#partBytes + this.#lengthOf(index) > this.#seen) break;
      this.#parts.get(index)?.drop();
      this.#parts.delete(index);
      this.#done = index + 1;
    }
    const waiting = this.#waiting;
    this.#waiting = waiting.filter(({ place }) => !this.#hasMemory(place));
    for (const { place, resolve } of waiting) if (this.#hasMemory(place)) resolve();
  }

  #fail(error: unknown): void {
    this.#fault ??= { error };
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
