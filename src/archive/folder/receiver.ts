import { randomUUID } from "node:crypto";
import { closeSync, mkdirSync, openSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { type FileSystemLimits, fallbackContentPath, naturalContentPath } from "../content-path.ts";
import { contentOf } from "../versions.ts";
import { unwritable } from "./durable-writes.ts";
import { ReceivedFile, writeWhole } from "./received-file.ts";

/** Where an attempt's content is received in a folder. */
export interface FolderReceiving {
  kind: "folder";
  /** A folder needs no confirmation that the attempt is current: the paths of a superseded attempt become invalid. */
  needsConfirmation: false;
  /** The staging folder of the submission. */
  folder: string;
  attempt: number;
  limits: FileSystemLimits;
}

/** Content in the staging folder, below the package in the making. */
export const stagedContent = (version: number): string => `package/${contentOf(version)}`;
/** Files in flight of an attempt. */
export const incomingFolder = (folder: string, attempt: number): string => join(folder, "incoming", String(attempt));

/**
 * The content folder as an attempt reaches it: a symbolic link of its own. When a later attempt begins it is taken away,
 * in one step, and nobody of the attempt before can make or rename anything there any more.
 */
export const attemptLink = (folder: string, attempt: number): string => join(folder, `content-of-${attempt}`);
/** The attempt whose link has this name; NaN for any other name. */
export const attemptOfLink = (name: string): number => Number(/^content-of-(\d+)$/.exec(name)?.[1] ?? Number.NaN);

/** A bound on what is remembered of folders that exist. */
const REMEMBERED_FOLDERS = 20_000;

/**
 * Receives content of one attempt. Synchronous, for a thread of its own: a small file costs a tenth of what it costs
 * through the thread pool. Nothing is durable before the staging area is synced, and what is at a place counts for
 * nothing before it is recorded. Once a later attempt has begun, or the area is removed, nothing can be placed any more.
 */
export class FolderReceiver {
  /** Large content is written to a file as it arrives. */
  readonly passesThroughMemory = false;
  readonly #incoming: string;
  readonly #content: string;
  readonly #limits: FileSystemLimits;
  readonly #made = new Set<string>();
  readonly #name = randomUUID();
  #count = 0;

  constructor({ folder, attempt, limits }: FolderReceiving) {
    this.#incoming = incomingFolder(folder, attempt);
    this.#content = attemptLink(folder, attempt);
    this.#limits = limits;
  }

  /**
   * Puts a whole content at its place, over what may lie there from an earlier try.
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

  /** Writes a file where nothing is yet. False when its place is not free. */
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

  /** What lies there from an earlier try may be open in other hands: it is replaced, never written to. */
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

  /** A file for content that comes in pieces. `identity` says which content: what an earlier try left of it is kept. */
  open(seq: number, identity: string): ReceivedFile {
    return new ReceivedFile(() => this.#freshPath(), join(this.#incoming, `object-${seq}.kept`), identity);
  }

  /**
   * The same for a file that is whole.
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

  /** A name in the attempt's folder that nobody else has. */
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

  /** Never makes the content folder itself: where it is gone, the attempt is over. */
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

/** A file where a folder is needed, or the other way round (`a` beside `a/b`), or a name that is too long after all. */
function isPlaceTaken(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code !== undefined && ["EEXIST", "ENOTDIR", "EISDIR", "ENOTEMPTY", "ENAMETOOLONG", "EINVAL"].includes(code);
}
