import { randomUUID } from "node:crypto";
import type { Queries } from "../../db/database.ts";
import type { Quota } from "../../db/submissions/quota.ts";
import { type AreaRow, setAreaAddress } from "../../db/uploads/areas.ts";
import { nameArrival } from "../../db/uploads/arrivals.ts";
import { reserveNumbers } from "../../db/uploads/batch.ts";
import { openTitled, putWholeFile, type SentMetadata } from "../../db/uploads/titled.ts";
import { inMessage } from "../../domain/in-message.ts";
import { Problem } from "../../domain/problems.ts";
import type { SealedAddress } from "../../domain/sealed-address.ts";
import type { FileHashers } from "../../source/reading/file-hashers.ts";
import { MOST_FILES, MOST_OPEN, requireUploadPath } from "../file-names.ts";
import { RunningBodies } from "../running-bodies.ts";
import type { SentBody } from "../sent-body.ts";
import type { UploadFolder } from "../upload-folder.ts";
import { type Arrival, Arrivals } from "./arrivals.ts";
import { earlyQuotaCheck } from "./early-quota.ts";
import { IncomingFile } from "./incoming-file.ts";
import { readTitledForm, type TitledForm } from "./read-titled-form.ts";
import { type Described, describedBy } from "./sent-metadata.ts";
import { Turns } from "./turns.ts";

export interface TitledParts {
  db: Queries;
  folder: UploadFolder;
  hashers: FileHashers;
  quota: Quota;
  /** Reports an error of work for which no request waits. */
  failed: (error: unknown) => void;
}

/** A request that sends one file. */
export interface TitledRequest {
  owner: string;
  contentType: string;
  /** Whether the client runs on Windows, where names of files have no quotation marks. */
  isFromWindows: boolean;
  body: AsyncIterable<Uint8Array>;
  /** Bytes of the body; undefined if they are not known. */
  bytes: number | undefined;
  /** Encrypts the address of the owner for a new area; undefined if none is known. */
  seal: (area: string) => SealedAddress | undefined;
}

/** A file that has arrived. */
export interface TitledFile {
  area: string;
  path: string;
  bytes: number;
  sha512: string;
}

/** The rest of a refused request is read if the whole has at most as many bytes. Of a larger one, the connection is closed. */
const MOST_READ_ON = 2 ** 30;
/** Attempts to add a file to the upload of its title, each of which can be submitted meanwhile. */
const ATTEMPTS = 5;

/**
 * Receives files of uploads that have a title: each request has one file, and states the metadata of the dataset and the path, as a rule
 * after the file. The file is therefore first stored in any of the owner's uploads of this kind. All files with one title of one owner are
 * in one upload, also if they arrive at the same time. The latest file with a path replaces earlier ones.
 */
export class TitledUploads {
  readonly #parts: TitledParts;
  readonly #arrivals: Arrivals;
  readonly #running = new RunningBodies();
  readonly #receiving = new Set<Promise<unknown>>();
  readonly #turns = new Turns();
  readonly #stopping = new AbortController();

  constructor(parts: TitledParts) {
    this.#parts = parts;
    this.#arrivals = new Arrivals(parts.db, parts.failed);
  }

  /**
   * Receives a file. It is complete and durable when this resolves. The client does not repeat what is refused: from before the body is
   * read, the owner has an arrival, which remains if the file is not recorded. Requests of one owner beyond 16 wait for the others.
   *
   * @throws Problem `malformed_multipart`, `malformed_json`, `invalid_request`, `bad_request`, `quota_exceeded`, `no_space`,
   * `archive_unwritable`, `upload_too_many_files`, `too_many_uploads`, `request_timeout`, `rate_limited`
   */
  async receive(request: TitledRequest): Promise<TitledFile> {
    const receiving = this.#arrivals.run(request.owner, (arrival) =>
      this.#turns.run(request.owner, () => {
        this.#stopping.signal.throwIfAborted();
        return this.#running.run(request.body, undefined, (body) => this.#receive(request, body, arrival));
      }),
    );
    this.#receiving.add(receiving);
    return receiving.finally(() => this.#receiving.delete(receiving));
  }

  /** Ends all requests, also those that wait. */
  async close(problem: Problem): Promise<void> {
    this.#stopping.abort(problem);
    await this.#running.close(problem);
    await Promise.allSettled(this.#receiving);
  }

  async #receive(request: TitledRequest, body: SentBody, arrival: Arrival): Promise<TitledFile> {
    const { db, folder, hashers, quota } = this.#parts;
    const area = await this.#areaOf(request, undefined);
    const { owner } = request;
    const mayHave = await earlyQuotaCheck(db, quota, { owner, nameOf: () => arrival.name ?? "" });
    await using file = new IncomingFile({ folder, hashers, area: area.id, mayHave });
    const form = await readTitledForm(body, request, async (content, name) => {
      arrival.name = shown(name);
      await nameArrival(db, arrival.id, arrival.name);
      await file.store(content, { isReadOn: request.bytes !== undefined && request.bytes <= MOST_READ_ON });
    }).catch((error: unknown) => {
      arrival.isBroken = isBroken(error);
      throw error;
    });
    arrival.name = shown(`${form.path}/${form.name}`);
    const described = describedBy(form);
    const path = pathOf(described, form);
    arrival.name = path;
    if (file.refusal !== undefined) throw file.refusal;
    const sha512 = await file.digest(this.#stopping.signal);
    return await this.#add(request, file, arrival, { ...described, path, sha512 });
  }

  async #add(
    request: TitledRequest,
    file: IncomingFile,
    { id: arrival }: Arrival,
    { title, metadata, path, sha512 }: { title: string; metadata: SentMetadata; path: string; sha512: string },
  ): Promise<TitledFile> {
    const { db, folder, quota } = this.#parts;
    const { bytes } = file;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { id: area, address } = await this.#areaOf(request, title);
      const sealed = address === null ? request.seal(area) : undefined;
      if (sealed !== undefined) await setAreaAddress(db, area, sealed, { isReplacing: false });
      const no = await reserveNumbers(db, area, 1);
      if (no === undefined) continue;
      const name = `${no}-${randomUUID()}`;
      await file.moveTo(area, name);
      const whole = { no, name, path, bytes, sha512, isStated: false };
      // After an error of the database, it may be recorded. If it is not, it is removed later.
      file.isKept = true;
      try {
        const { outcome, replaced } = await putWholeFile(db, area, whole, {
          arrival,
          metadata,
          quota,
          mostFiles: MOST_FILES,
        });
        file.isKept = outcome === "added";
        await folder.remove(area, replaced);
        if (outcome !== "closed") return { area, path, bytes, sha512 };
      } catch (error) {
        if (error instanceof Problem) file.isKept = false;
        throw error;
      }
    }
    throw new Problem("upload_changed");
  }

  /** The upload of a title, or any of them for a file whose title is not known yet. Adds one if there is none. */
  async #areaOf({ owner, seal }: TitledRequest, title: string | undefined): Promise<AreaRow> {
    const { db, folder } = this.#parts;
    const found = await openTitled(db, { owner, title, fresh: undefined });
    if (found !== undefined) return found;
    const id = randomUUID();
    await folder.makeArea(id);
    const opened = await openTitled(db, { owner, title, fresh: { id, most: MOST_OPEN, sealed: seal(id) } }).catch(
      async (error) => {
        // After another error, the area may exist.
        if (error instanceof Problem) await folder.removeArea(id);
        throw error;
      },
    );
    // Another request was first.
    if (opened !== undefined && opened.id !== id) await folder.removeArea(id);
    if (opened === undefined) throw new Error("No upload was added");
    return opened;
  }
}

/** The key of a file. @throws Problem `bad_request` */
function pathOf({ folder }: Described, { name }: TitledForm): string {
  if (folder === undefined) throw new Problem("bad_request", "“path” must begin with the title of the metadata");
  // The parser, or the browser, has replaced what is not Unicode.
  if (name.includes("\ufffd"))
    throw new Problem("bad_request", `The name of the file “${inMessage(name)}” is not Unicode`);
  return requireUploadPath(folder + name);
}

/** Whether the request ended before its end, and its client may not send the file again. */
function isBroken(error: unknown): boolean {
  return error instanceof Problem && (error.code === "bad_request" || error.code === "request_timeout");
}

/** A name or path as it is, or prepared for messages if no file can have it. */
function shown(path: string): string {
  try {
    return requireUploadPath(path);
  } catch {
    return inMessage(path);
  }
}
