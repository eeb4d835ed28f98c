import { mkdirSync } from "node:fs";
import type { Lease } from "../lease.ts";
import { Bucket } from "./bucket.ts";
import { S3ContentWriter, type S3ContentWriterOptions } from "./content-writer.ts";
import type { S3Location } from "./layout.ts";
import { PartMemory } from "./uploads/memory.ts";

/** What a thread needs to use an archive in an object store. */
export interface S3LinksOptions {
  place: S3Location;
  /** A folder of this process for data that does not fit into memory. Its files may be removed at a start. */
  scratch: string;
}

/** Maximum number of concurrent requests of one thread. */
const CONNECTIONS = 64;

/** A thread's connections to the archive's bucket, opened at first use. */
export class S3Links {
  readonly #options: S3LinksOptions | undefined;
  readonly #memory = new PartMemory();
  #bucket: Promise<Bucket> | undefined;

  /** @param options undefined if the archive is a folder */
  constructor(options: S3LinksOptions | undefined) {
    this.#options = options;
  }

  /** @param lease must be valid whenever an object is written */
  async writer(writerOptions: S3ContentWriterOptions, lease: Lease): Promise<S3ContentWriter> {
    if (this.#options === undefined) throw new Error("The archive is not in an object store");
    const { place, scratch } = this.#options;
    this.#bucket ??= Bucket.open(place, CONNECTIONS);
    mkdirSync(scratch, { recursive: true, mode: 0o700 });
    return new S3ContentWriter((await this.#bucket).under(lease), writerOptions, { memory: this.#memory, scratch });
  }

  async close(): Promise<void> {
    (await this.#bucket)?.close();
  }
}
