/** A folder of the bucket, with the totals of everything below it. */
export interface Folder {
  /** The beginning of the keys, including the last slash: `images/scans/`. */
  path: string;
  objects: number;
  bytes: number;
  /** Objects below the folder that are not selected. `objects` and `bytes` count only selected ones. */
  leftOut: { objects: number; bytes: number };
  /** Whether all direct subfolders are listed. */
  foldersComplete: boolean;
}

/** Folders in the order of their paths. The parent of every listed folder is also listed. */
export interface FolderTree {
  folders: Folder[];
  /** Whether all folders at the top of the bucket are listed. */
  foldersComplete: boolean;
}

/** Objects with the same file extension. */
export interface FileType {
  /** In lower case, without the dot; empty for keys without one. */
  extension: string;
  objects: number;
  bytes: number;
}

const LEVELS = 3;
/** Limit per level, so that a deep first folder does not hide the others. */
const FOLDERS_PER_LEVEL = 500;
const TYPES = 20;
/** Maximum number of different extensions. Objects with further extensions count only in the totals. */
const TYPES_SEEN = 1_000;
const EXTENSION = /\.([a-z0-9]{1,10})$/i;

/** The shape of a bucket: its upper folders, and its objects by type. Its size is bounded for any bucket. */
export class Shape {
  readonly #levels = Array.from({ length: LEVELS }, () => new Map<string, Folder>());
  readonly #types = new Map<string, FileType>();
  readonly #foldersPerLevel: number;
  #isTopComplete = true;

  constructor({ foldersPerLevel = FOLDERS_PER_LEVEL } = {}) {
    this.#foldersPerLevel = foldersPerLevel;
  }

  /** Counts a selected object. */
  take({ key, bytes }: { key: string; bytes: number }): void {
    this.#eachFolder(key, (folder) => count(folder, bytes));
    const extension = EXTENSION.exec(key)?.[1]?.toLowerCase() ?? "";
    const type = entryOf(this.#types, extension, TYPES_SEEN, () => ({ extension, objects: 0, bytes: 0 }));
    if (type !== undefined) count(type, bytes);
  }

  /** Counts an object that is not selected. Its folders are listed, so that the submitter can select them. */
  leaveOut({ key, bytes }: { key: string; bytes: number }): void {
    this.#eachFolder(key, ({ leftOut }) => count(leftOut, bytes));
  }

  #eachFolder(key: string, work: (folder: Folder) => void): void {
    let parent: Folder | undefined;
    let end = key.indexOf("/");
    for (const level of this.#levels) {
      if (end === -1) return;
      const path = key.slice(0, end + 1);
      const folder = entryOf(level, path, this.#foldersPerLevel, () => newFolder(path));
      if (folder === undefined) break;
      work(folder);
      parent = folder;
      end = key.indexOf("/", end + 1);
    }
    if (end === -1) return;
    if (parent === undefined) this.#isTopComplete = false;
    else parent.foldersComplete = false;
  }

  /** @param complete false if the listing stopped early: any folder may then have unseen subfolders */
  folderTree(complete: boolean): FolderTree {
    const all = this.#levels.flatMap((level) => [...level.values()]);
    const folders = all.map((folder) => ({ ...folder, foldersComplete: complete && folder.foldersComplete }));
    return {
      folders: folders.sort((one, other) => (one.path < other.path ? -1 : 1)),
      foldersComplete: complete && this.#isTopComplete,
    };
  }

  /** The types with the most bytes, the largest first. */
  types(): FileType[] {
    return [...this.#types.values()].sort((one, other) => other.bytes - one.bytes).slice(0, TYPES);
  }
}

function newFolder(path: string): Folder {
  return { path, objects: 0, bytes: 0, leftOut: { objects: 0, bytes: 0 }, foldersComplete: true };
}

/** The entry of a name, created if necessary; undefined if the maximum number of entries is reached. */
function entryOf<Entry>(
  entries: Map<string, Entry>,
  name: string,
  most: number,
  begin: () => Entry,
): Entry | undefined {
  const known = entries.get(name);
  if (known !== undefined || entries.size >= most) return known;
  const entry = begin();
  entries.set(name, entry);
  return entry;
}

function count(amount: { objects: number; bytes: number }, bytes: number): void {
  amount.objects++;
  amount.bytes += bytes;
}
