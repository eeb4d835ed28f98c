import { LRUCache } from "lru-cache";
import type { DatasetRow, VersionRow } from "../../db/datasets/datasets.ts";
import type { RevisionRow } from "../../db/datasets/revisions.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import type { Unpacking } from "../../domain/keys-and-paths/unpacking.ts";
import type { DatasetFile } from "./dataset-file.ts";

/** What is stored of an archived version. */
export interface Archived {
  row: VersionRow;
  submission: SubmissionRow;
  /** Its newest metadata revision; undefined if its metadata are those of the submission. */
  revision: RevisionRow | undefined;
}

/** The files that differ between two versions: their numbers, and the paths of the first ones below `data/`. */
export interface FileDifferences extends Record<"added" | "changed" | "removed", { total: number; keys: string[] }> {
  kept: { total: number };
}

const VERSIONS = 500;
const FILES = 5_000;
const DESCRIBED = 100;

/** The submission that archived a version. */
type Version = Pick<SubmissionRow, "id" | "attempt">;
type Columns = ReadonlyMap<string, readonly string[]>;

/**
 * Keeps what was read last of archived versions, because the parts of a download and the pages of a list follow each other.
 * Nothing of it decides who may read it. It cannot be out of date: an archived version changes only with a metadata revision,
 * whose number is part of the key, and its files never change.
 */
export class ArchivedCache {
  readonly #versions = new LRUCache<string, Archived>({ max: VERSIONS });
  readonly #files = new LRUCache<string, DatasetFile>({ max: FILES });
  readonly #columns = new LRUCache<string, Promise<Columns>>({ max: DESCRIBED });
  #readingColumns: Promise<unknown> = Promise.resolve();
  #examining: Promise<unknown> = Promise.resolve();
  readonly #unpacking = new LRUCache<string, Promise<Unpacking>>({ max: VERSIONS });
  readonly #differences = new LRUCache<string, Promise<FileDifferences>>({ max: DESCRIBED });
  readonly #folders = new LRUCache<string, Promise<void>>({ max: VERSIONS });

  /** @param read undefined if the version does not exist, which is not kept */
  async version(
    { id, latest_version, latest_revision }: DatasetRow,
    version: number,
    read: () => Promise<Archived | undefined>,
  ): Promise<Archived | undefined> {
    const key = [id, version, latest_version, latest_revision].join(" ");
    return this.#versions.get(key) ?? kept(this.#versions, key, await read());
  }

  /** A file of a version. @param read undefined if it does not exist, which is not kept */
  async file(
    { id, attempt }: Version,
    path: string,
    read: () => Promise<DatasetFile | undefined>,
  ): Promise<DatasetFile | undefined> {
    const key = [id, attempt, path].join(" ");
    return this.#files.get(key) ?? kept(this.#files, key, await read());
  }

  /**
   * The titles of the columns of the tables of a version, by path. They are read once, and of one version at a time.
   * @param read `isWhole` is false if it must be read again
   */
  async columns({ id, attempt }: Version, read: () => Promise<{ value: Columns; isWhole: boolean }>): Promise<Columns> {
    const key = `${id} ${attempt}`;
    const known = this.#columns.get(key);
    if (known !== undefined) return known;
    const reading = this.#readingColumns.then(read);
    const value = reading.then((found) => found.value);
    this.#columns.set(key, value);
    this.#readingColumns = reading.then(
      ({ isWhole }) => {
        if (!isWhole) this.#columns.delete(key);
      },
      // The callers get the error.
      () => {
        this.#columns.delete(key);
      },
    );
    return value;
  }

  /**
   * The names of a version that are unpacked differently. They are examined once, and one version at a time.
   * @param atOnce does not wait until another version was examined
   */
  async unpacking(version: Version, atOnce: boolean, read: () => Promise<Unpacking>): Promise<Unpacking> {
    return this.#examined(this.#unpacking, version, atOnce, read);
  }

  /** Waits until the folders of a version are recorded, by the rules of {@link unpacking}. */
  async folders(version: Version, atOnce: boolean, record: () => Promise<void>): Promise<void> {
    return this.#examined(this.#folders, version, atOnce, record);
  }

  /** The differences between the files of two versions, by the rules of {@link unpacking}. */
  async differences(versions: [Version, Version], compare: () => Promise<FileDifferences>): Promise<FileDifferences> {
    const [{ id: before, attempt: earlier }, { id, attempt }] = versions;
    return this.#examined(this.#differences, { id: `${before} ${earlier} ${id}`, attempt }, false, compare);
  }

  async #examined<T>(
    cache: LRUCache<string, Promise<T>>,
    { id, attempt }: Version,
    atOnce: boolean,
    read: () => Promise<T>,
  ): Promise<T> {
    const key = `${id} ${attempt}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const reading = atOnce ? read() : this.#examining.then(read);
    if (!atOnce) this.#examining = reading.catch(() => undefined);
    cache.set(key, reading);
    reading.catch(() => cache.delete(key));
    return reading;
  }
}

function kept<T extends object>(cache: LRUCache<string, T>, key: string, read: T | undefined): T | undefined {
  if (read !== undefined) cache.set(key, read);
  return read;
}
