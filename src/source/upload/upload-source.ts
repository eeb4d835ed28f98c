import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { inMessage } from "../../domain/in-message.ts";
import { Problem } from "../../domain/problems.ts";
import type { UploadPlace } from "../../domain/source-access/upload-place.ts";
import type {
  Destination,
  ListedObject,
  ListingPage,
  ListingPosition,
  ObjectReading,
  ReadResult,
  Source,
} from "../source.ts";
import { type AreaFile, findInListing, listingName, readListing, type StoredSegment } from "./area-listing.ts";

interface AreaPosition extends ListingPosition {
  /** In the listing, in bytes. */
  at: number;
}

const PIECE_BYTES = 1024 * 1024;

/** The files of a submitted upload area as a source of objects. They do not change any more. */
export class UploadSource implements Source {
  readonly name = "the upload";
  readonly access: UploadPlace;

  constructor(access: UploadPlace) {
    this.access = access;
  }

  async *pages(
    { prefix = "", position }: { prefix: string | undefined; position: ListingPosition | undefined },
    signal: AbortSignal,
  ): AsyncGenerator<ListingPage> {
    let { at, pages } = (position ?? { at: 0, pages: 0 }) as AreaPosition;
    for (;;) {
      signal.throwIfAborted();
      const { objects, next } = await readListing(this.#listing, at).catch(unreadable);
      pages++;
      const following: AreaPosition | undefined = next === undefined ? undefined : { pages, at: next };
      yield { objects: objects.filter(({ key }) => key.startsWith(prefix)), next: following };
      if (next === undefined) return;
      at = next;
    }
  }

  unknown(page: ListingPage, known: readonly Pick<ListedObject, "key">[]): ListedObject[] {
    const keys = new Set(known.map(({ key }) => key));
    return page.objects.filter(({ key }) => !keys.has(key));
  }

  loopProblem(): Problem {
    return new Problem("listing_loop", "The listing of the upload repeats itself");
  }

  /**
   * Reads one file. Its SHA-512 was computed when it had arrived, so it is compared also if the client had stated none; then it proves
   * only that the stored bytes have not changed since, and the file counts as verified by its length.
   */
  async read({ object, signal, stated, flow }: ObjectReading, destination: Destination): Promise<ReadResult> {
    const file = await findInListing(this.#listing, object).catch(unreadable);
    const { sha512, isStated, bytes } = file;
    destination.begin({ submitter: stated, headers: {}, etag: null, bytes, ...(isStated && { sha512 }) }, 0);
    let from = 0;
    for (const segment of file.segments) {
      await using handle = await this.#open(file, segment);
      for (let at = 0; at < segment.bytes; ) {
        signal.throwIfAborted();
        await destination.waitForCapacity?.(from + at);
        const wanted = Math.min(PIECE_BYTES, segment.bytes - at);
        const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at).catch(unreadable);
        if (bytesRead === 0) throw shortened(file);
        destination.write(from + at, buffer.subarray(0, bytesRead));
        at += bytesRead;
        flow?.heard();
        destination.reached(from + at);
      }
      from += segment.bytes;
    }
    const verdict = await destination.verdict();
    if (verdict.sha512 === sha512) return { verdict, responseMetadata: {} };
    return { verdict: { ...verdict, mismatch: { by: "checksum", algorithm: "sha512" } }, responseMetadata: {} };
  }

  async probe(): Promise<void> {
    await readListing(this.#listing, 0).catch(unreadable);
  }

  get #listing(): string {
    return join(this.access.folder, listingName(this.access.submission));
  }

  async #open(file: AreaFile, { name }: StoredSegment): Promise<FileHandle> {
    try {
      return await open(join(this.access.folder, name));
    } catch (cause) {
      if ((cause as { code?: string }).code !== "ENOENT") unreadable(cause);
      // If the whole area is missing, so is its file system, and the other files.
      await readListing(this.#listing, 0).catch(unreadable);
      throw new Problem("object_gone", `“${inMessage(file.key)}” is no longer in the folder of uploads`, { cause });
    }
  }
}

function shortened({ key }: AreaFile): Problem {
  return new Problem(
    "source_corrupt",
    `“${inMessage(key)}” has lost bytes in the folder of uploads after it had arrived`,
  );
}

function unreadable(cause: unknown): never {
  throw new Problem("upload_unreadable", undefined, { cause });
}
