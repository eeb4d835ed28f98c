import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileSystemLimits, fallbackContentPath, naturalContentPath } from "../content-path.ts";
import { contentOf } from "../versions.ts";
import { unwritable } from "./durable-writes.ts";
import { ReceivedFile, writeWhole } from "./received-file.ts";

/** Where a thread stores the content of an attempt, in a file system. */
export interface FolderContentWriterOptions {
  kind: "folder";
  /** A folder needs no confirmation that the attempt is current: the paths of a superseded attempt become invalid. */
  needsConfirmation: false;
  /** The staging folder of the submission. */
  folder: string;
  attempt: number;
  limits: FileSystemLimits;
}

/** The content folder of the unfinished package, relative to the staging folder. */
export const stagedContent = (version: number): string => `package/${contentOf(version)}`;
/** The folder for files that an attempt is still writing. */
export const incomingFolder = (folder: string, attempt: number): string => join(folder, "incoming", String(attempt));

/**
 * The path by which an attempt reaches the content folder: a symbolic link. A later attempt removes the link in one step when
 * it begins. From then on no worker of the earlier attempt can create or rename anything in the content folder.
 */
export const attemptLink = (folder: string, attempt: number): string => join(folder, `content-of-${attempt}`);
/** The attempt whose link has this name; NaN for other names. */
export const attemptOfLink = (name: string): number => Number(/^content-of-(\d+)$/.exec(name)?.[1] ?? Number.NaN);

/** Maximum number of existing folders that are kept in memory. */
const REMEMBERED_FOLDERS = 20_000;

/**
 * Receives content of one attempt. Synchronous, for a dedicated thread: a small file takes a tenth of the time that
 * it takes through the thread pool. Files are durable only after the staging area is synced, and belong to the package only after they
 * are recorded in the database. Once a later attempt has begun, or the area is removed, no file can be placed.
 */
export class FolderContentWriter {
  /** Large content is written to a file as it arrives. */
  readonly passesThroughMemory = false;
  readonly #incoming: string;
  readonly #content: string;
  readonly #limits: FileSystemLimits;
  readonly #made = new Set<string>();
  readonly #name = randomUUID();
  #count = 0;

  constructor({ folder, attempt, limits }: FolderContentWriterOptions) {
    this.#incoming = incomingFolder(folder, attempt);
    this.#content = attemptLink(folder, attempt);
    this.#limits = limits;
  }

  /**
   * Stores complete content at its path, and replaces a file of an earlier try.
   * @returns the content path below the version's content folder, or null when it is `data/` + key
   * @throws Problem `no_space`, `archive_unwritable`
   */
  store(key: string, odd: boolean, content: Uint8Array): string | null {
    try {
      const place = naturalContentPath(key, odd, this.#limits) ?? fallbackContentPath(key);
      if (this.#create(place, content)) return place === `data/${key}` ? null : place;
      return this.#storeAside(key, odd, content);
    } catch (error) {
      throw unwritable(error);
    }
  }

  /** Creates a file. Returns false if its path is taken. */
  #create(place: string, content: Uint8Array): boolean {
    const path = `${this.#content}/${place}`;
    try {
      this.#makeFolder(path.slice(0, path.lastIndexOf("/")));
      writeNew(path, content);
      return true;
    } catch (error) {
      if (isPlaceTaken(error)) return false;
      throw error;
    }
  }

  /** Replaces a file of an earlier try. It is never overwritten, because another worker may have it open. */
  #storeAside(key: string, odd: boolean, content: Uint8Array): string | null {
    const path = this.#freshPath();
    try {
      writeNew(path, content);
      return this.#place(path, key, odd);
    } catch (error) {
      rmSync(path, { force: true });
      throw error;
    }
  }

  /** Opens a file for content that arrives in pieces. An earlier try's file for the same `identity` is continued. */
  open(seq: number, identity: string): ReceivedFile {
    return new ReceivedFile(() => this.#freshPath(), join(this.#incoming, `object-${seq}.kept`), identity);
  }

  /**
   * Moves a complete file to its path.
   * @throws Problem `no_space`, `archive_unwritable`
   */
  place(file: ReceivedFile, key: string, odd: boolean): string | null {
    try {
      const place = this.#place(file.path, key, odd);
      file.close();
      file.forget();
      return place;
    } catch (error) {
      throw unwritable(error);
    }
  }

  /** A unique path in the attempt's folder. */
  #freshPath(): string {
    return `${this.#incoming}/${this.#name}-${this.#count++}`;
  }

  #place(path: string, key: string, odd: boolean): string | null {
    const natural = naturalContentPath(key, odd, this.#limits);
    const candidates = [...(natural === undefined ? [] : [natural]), fallbackContentPath(key)];
    for (const [index, candidate] of candidates.entries()) {
      const target = `${this.#content}/${candidate}`;
      try {
        this.#makeFolder(target.slice(0, target.lastIndexOf("/")));
        renameSync(path, target);
        return candidate === `data/${key}` ? null : candidate;
      } catch (error) {
        if (index === candidates.length - 1 || !isPlaceTaken(error)) throw error;
      }
    }
    throw new Error("unreachable: there is always a last candidate");
  }

  /** Never creates the content folder itself: if it is missing, the attempt is over. */
  #makeFolder(folder: string): void {
    if (this.#made.has(folder)) return;
    try {
      mkdirSync(folder);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "ENOENT" && dirname(folder) !== this.#content) {
        this.#makeFolder(dirname(folder));
        mkdirSync(folder);
      } else if (code !== "EEXIST") throw error;
    }
    if (this.#made.size >= REMEMBERED_FOLDERS) this.#made.clear();
    this.#made.add(folder);
  }
}

function writeNew(path: string, content: Uint8Array): void {
  const descriptor = openSync(path, "wx");
  try {
    writeWhole(descriptor, content, 0);
  } finally {
    closeSync(descriptor);
  }
}

/** A file where a folder is needed, or the other way round (`a` beside `a/b`), or a name that is too long. */
function isPlaceTaken(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code !== undefined && ["EEXIST", "ENOTDIR", "EISDIR", "ENOTEMPTY", "ENAMETOOLONG", "EINVAL"].includes(code);
}
