import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { exists, makeFolder, writeDurably } from "../folder/durable-writes.ts";
import { type ArchiveReader, FolderReader } from "../reader.ts";

/**
 * Folder of an archive with empty files whose names are the numbers of its newest changes. The database counts the changes,
 * too, so that a database that was restored from a backup notices that the archive is newer. Separate files need no lock
 * between processes.
 */
const CHANGES = "changes";

/** The newest files that are kept. Older ones are removed with each change whose number is a multiple of it. */
const KEPT = 100;
/** More than processes can count at the same time. */
const FAR = 1_000;
const NAME = /^\d{12}$/;

/** The path of the file of a change. */
export function changePath(number: number): string {
  return `${CHANGES}/${String(number).padStart(12, "0")}`;
}

/** The number of the newest change of an archive; 0 if it has none. */
export async function newestChange(reader: Pick<ArchiveReader, "names">): Promise<number> {
  let newest = 0;
  for await (const path of reader.names(CHANGES)) newest = Math.max(newest, numberOf(path));
  return newest;
}

/** What {@link ChangeFiles} needs of a folder or an object store. Paths are relative to the archive. */
interface Files extends Pick<ArchiveReader, "names"> {
  exists(path: string): Promise<boolean>;
  /** Creates an empty file, durably. */
  create(path: string): Promise<void>;
  remove(paths: readonly string[]): Promise<void>;
}

/** The files of the changes of an archive. */
export class ChangeFiles {
  readonly #files: Files;

  constructor(files: Files) {
    this.#files = files;
  }

  /** The number of the newest change; 0 if there is none. */
  newest(): Promise<number> {
    return newestChange(this.#files);
  }

  /**
   * Records a change, and removes the files of old ones.
   * @returns false if the archive has a change with this number, which the database therefore does not know. Then a number is
   * recorded that no database has reached, so that none is accepted before a rebuild
   */
  async record(number: number): Promise<boolean> {
    if (await this.#files.exists(changePath(number))) {
      await this.#files.create(changePath(number + FAR));
      return false;
    }
    await this.#files.create(changePath(number));
    if (number % KEPT === 0) await this.#removeOld(number);
    return true;
  }

  async #removeOld(number: number): Promise<void> {
    const paths: string[] = [];
    for await (const found of this.#files.names(CHANGES)) paths.push(found);
    await this.#files.remove(paths.filter((found) => numberOf(found) > 0 && numberOf(found) <= number - KEPT));
  }
}

function numberOf(path: string): number {
  const name = path.slice(CHANGES.length + 1);
  return NAME.test(name) ? Number(name) : 0;
}

/** The files of the changes of an archive that is stored in a folder. */
export function changeFilesIn(archive: string): ChangeFiles {
  const reader = new FolderReader(archive);
  return new ChangeFiles({
    names: (below) => reader.names(below),
    exists: (path) => exists(join(archive, path)),
    create: async (path) => {
      await makeFolder(dirname(join(archive, path)));
      await writeDurably(join(archive, path), "");
    },
    remove: async (paths) => {
      for (const path of paths) await rm(join(archive, path), { force: true });
    },
  });
}
