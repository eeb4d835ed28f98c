import { mkdirSync } from "node:fs";
import type { Lease } from "../lease.ts";
import { Bucket } from "./bucket.ts";
import { S3ContentWriter, type S3ContentWriterOptions } from "./content-writer.ts";
import type { S3Location } from "./layout.ts";
import { PartMemory } from "./uploads/memory.ts";

/** What a thread is told of the archive when it lies in an object store. */
export interface S3LinksOptions {
  place: S3Location;
  /** A folder of this process for what does not fit into memory; anything in it may be removed at a start. */
  scratch: string;
}

/** Requests of one thread at a time. */
const CONNECTIONS = 64;

/** A thread's way to the archive's bucket, opened when it is first needed. */
export class S3Links {
  readonly #options: S3LinksOptions | undefined;
  readonly #memory = new PartMemory();
  #bucket: Promise<Bucket> | undefined;

  /** @param options undefined when the archive is a folder */
  constructor(options: S3LinksOptions | undefined) {
    this.#options = options;
  }

  /** @param lease that has to hold whenever something is written */
  async writer(writerOptions: S3ContentWriterOptions, lease: Lease): Promise<S3ContentWriter> {
    if (this.#options === undefined) throw new Error("The archive does not lie in an object store");
    const { place, scratch } = this.#options;
    this.#bucket ??= Bucket.open(place, CONNECTIONS);
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    return new S3ContentWriter((await this.#bucket).under(lease), writerOptions, { memory: this.#memory, scratch });
  }

  async close(): Promise<void> {
    (await this.#bucket)?.close();
  }
}
