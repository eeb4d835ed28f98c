import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Problem } from "../../domain/problems.ts";
import { exists, makeFolder, writeDurably } from "../folder/durable-writes.ts";
import { type ArchiveReader, FolderReader } from "../reader.ts";

/**
 * Folder of an archive with empty files whose names are the numbers of its newest changes. The database counts the changes,
 * too, so that a database that was restored from a backup notices that the archive is newer. Separate files need no lock
 * between processes.
 */
const CHANGES = "changes";

/** The newest files that are kept. Fewer than one page of a listing, and more than processes write at the same time. */
const KEPT = 100;
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

/** The files of the changes of an archive, as one process writes them. */
export class ChangeFiles {
  readonly #files: Files;
  #isListed = false;

  constructor(files: Files) {
    this.#files = files;
  }

  /**
   * Records a change. The database never gives a number twice, so a number that exists was counted by a database that was
   * newer: this one was replaced by an older one while processes were running.
   * @throws Problem `archive_unwritable` then
   */
  async record(number: number): Promise<void> {
    const path = changePath(number);
    if (await this.#files.exists(path)) throw olderDatabase();
    await this.#files.create(path);
    // Files of older changes are removed, but not each time, because that lists them.
    if (this.#isListed && number % KEPT !== 0) return;
    const paths: string[] = [];
    for await (const found of this.#files.names(CHANGES)) paths.push(found);
    if (paths.some((found) => numberOf(found) > number + KEPT)) throw olderDatabase();
    await this.#files.remove(paths.filter((found) => numberOf(found) > 0 && numberOf(found) <= number - KEPT));
    this.#isListed = true;
  }
}

function numberOf(path: string): number {
  const name = path.slice(CHANGES.length + 1);
  return NAME.test(name) ? Number(name) : 0;
}

function olderDatabase(): Problem {
  return new Problem(
    "archive_unwritable",
    "The archive has changes that the database does not know, so the database was replaced by an older one. Stop all processes and run “accession rebuild”",
  );
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
