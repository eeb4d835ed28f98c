import { randomUUID } from "node:crypto";
import { type FileSystemLimits, fallbackContentPath, naturalContentPath } from "../content-path.ts";
import type { Bucket } from "./bucket.ts";
import type { PartMemory } from "./uploads/memory.ts";
import { memoryFor, S3Upload } from "./uploads/upload.ts";

/** Where a thread stores the content of an attempt, in an object store. */
export interface S3ContentWriterOptions {
  kind: "s3";
  /** An object store accepts writes of superseded attempts, so an attempt writes only while it is known to be current. */
  needsConfirmation: true;
  /** The path of the dataset's content below the archive's prefix; without a slash at the end. */
  content: string;
  attempt: number;
  limits: FileSystemLimits;
}

/** Larger objects are uploaded in parts. */
export const WHOLE_BYTES = 16 * 1024 * 1024;

/**
 * Receives content of one attempt. It is stored at its final path, since an object store cannot rename; no inventory
 * refers to it before the dataset is published. Attempts never share a path, so a late write overwrites no other content.
 */
export class S3ContentWriter {
  /** Large content is uploaded from memory, which is reserved first. */
  readonly passesThroughMemory = true;
  readonly memory: PartMemory;
  readonly #bucket: Bucket;
  readonly #writerOptions: S3ContentWriterOptions;
  readonly #scratch: string;

  constructor(bucket: Bucket, writerOptions: S3ContentWriterOptions, own: { memory: PartMemory; scratch: string }) {
    this.#bucket = bucket;
    this.#writerOptions = writerOptions;
    this.memory = own.memory;
    this.#scratch = own.scratch;
  }

  /**
   * Stores complete content at its path, durably.
   * @returns the content path below the content folder, or null when it is `data/` + key
   * @throws Problem `no_space`, `archive_unwritable`
   */
  async store(key: string, odd: boolean, content: Uint8Array, signal?: AbortSignal): Promise<string | null> {
    const place = this.#placeOf(key, odd);
    await this.#bucket.put(`${this.#writerOptions.content}/${place}`, content, signal);
    return recorded(place, key);
  }

  /** Reserves memory for an object. @returns a function that releases it */
  reserve(bytes: number, signal: AbortSignal): Promise<() => void> {
    return this.memory.reserve(memoryFor(bytes), signal);
  }

  /** Starts the upload of large content that arrives in pieces. */
  upload(key: string, odd: boolean, bytes: number, signal: AbortSignal): { upload: S3Upload; place: string | null } {
    const place = this.#placeOf(key, odd);
    const path = `${this.#writerOptions.content}/${place}`;
    const own = { memory: this.memory, scratch: this.#scratch, name: randomUUID() };
    return { upload: new S3Upload(this.#bucket, { path, bytes, signal, ...own }), place: recorded(place, key) };
  }

  #placeOf(key: string, odd: boolean): string {
    const { attempt, limits } = this.#writerOptions;
    if (attempt > 1) return fallbackContentPath(key, attempt);
    return naturalContentPath(key, odd, limits) ?? fallbackContentPath(key);
  }
}

function recorded(place: string, key: string): string | null {
  return place === `data/${key}` ? null : place;
}
