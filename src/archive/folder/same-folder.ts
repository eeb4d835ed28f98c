import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { ROOT_DECLARATION } from "../../../packages/ocfl/src/index.ts";
import { IDENTITY, otherArchive, requireIdentity } from "../identity/identity.ts";

/** What identifies a file, and its file system while this is mounted. */
export interface FileIdentity {
  dev: bigint;
  ino: bigint;
  birthtimeNs: bigint;
}

/**
 * Proves that an archive in a folder is the one that was opened. If its file system is not mounted, the same path leads to
 * the bare mount point: what is written there is lost when the file system is mounted again.
 */
export class SameFolder {
  readonly #root: string;
  readonly #id: string;
  readonly #opened: FileIdentity;

  private constructor(root: string, id: string, opened: FileIdentity) {
    this.#root = root;
    this.#id = id;
    this.#opened = opened;
  }

  /** @param root an archive with this id */
  static async open(root: string, id: string): Promise<SameFolder> {
    return new SameFolder(root, id, await stat(join(root, IDENTITY), { bigint: true }));
  }

  /** @throws Problem `archive_unwritable` if the folder is not that archive now */
  async prove(): Promise<void> {
    const file = join(this.#root, IDENTITY);
    // One after the other: on a file system that hangs, each occupies a thread of Node.js.
    const look = async () => {
      const text = await readFile(file, "utf8");
      await stat(join(this.#root, "ocfl", ROOT_DECLARATION.name));
      return { text, now: await stat(file, { bigint: true }) };
    };
    const { text, now } = await look().catch((error: NodeJS.ErrnoException) => {
      throw otherArchive(`its file ${IDENTITY} or its OCFL declaration cannot be read (${error.code})`, error);
    });
    requireIdentity(text, this.#id);
    if (!mayBeSameFile(now, this.#opened)) {
      throw otherArchive("it is a copy, on another device. If this is intended, restart the service");
    }
  }
}

/**
 * Whether this can be the same file, whose content or inode the caller compares. Some file systems have another device number
 * after they are mounted again, and some change inode numbers, but not both: then it is a copy, such as one below a mount point.
 */
export function mayBeSameFile(now: FileIdentity, opened: FileIdentity): boolean {
  if (now.dev === opened.dev) return true;
  return now.ino === opened.ino && now.birthtimeNs === opened.birthtimeNs;
}
