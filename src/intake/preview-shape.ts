/** A folder of the bucket with all that lies below it. */
export interface Folder {
  /** The keys' beginning up to and with the slash: `images/scans/`. */
  path: string;
  objects: number;
  bytes: number;
  /** What lies below it and is not selected; the counts beside it are of the rest. */
  leftOut: { objects: number; bytes: number };
}

/** Objects whose keys end alike. */
export interface FileType {
  /** In lower case, without the dot; empty for keys without one. */
  extension: string;
  objects: number;
  bytes: number;
}

const LEVELS = 3;
/** On each level, so that a deep first folder does not hide the others. */
const FOLDERS_A_LEVEL = 500;
const TYPES = 20;
/** Extensions that are told apart at all; what comes after them counts in the totals alone. */
const TYPES_SEEN = 1_000;
const EXTENSION = /\.([a-z0-9]{1,10})$/i;

/** What a bucket looks like: its upper folders, and its objects by type. Bounded, however large the bucket is. */
export class Shape {
  readonly #levels = Array.from({ length: LEVELS }, () => new Map<string, Folder>());
  readonly #types = new Map<string, FileType>();

  /** Counts in an object that is selected. */
  take({ key, bytes }: { key: string; bytes: number }): void {
    this.#eachFolder(key, (folder) => count(folder, bytes));
    const extension = EXTENSION.exec(key)?.[1]?.toLowerCase() ?? "";
    const type = entryOf(this.#types, extension, TYPES_SEEN, () => ({ extension, objects: 0, bytes: 0 }));
    if (type !== undefined) count(type, bytes);
  }

  /** Counts in an object that is not selected: its folders are shown, so that they can be chosen. */
  leaveOut({ key, bytes }: { key: string; bytes: number }): void {
    this.#eachFolder(key, ({ leftOut }) => count(leftOut, bytes));
  }

  #eachFolder(key: string, work: (folder: Folder) => void): void {
    let end = key.indexOf("/");
    for (const level of this.#levels) {
      if (end === -1) break;
      const path = key.slice(0, end + 1);
      const folder = entryOf(level, path, FOLDERS_A_LEVEL, () => newFolder(path));
      if (folder === undefined) break;
      work(folder);
      end = key.indexOf("/", end + 1);
    }
  }

  /** In the order of their paths; a folder's own folder is always among them. */
  folders(): Folder[] {
    const all = this.#levels.flatMap((level) => [...level.values()]);
    return all.sort((one, other) => (one.path < other.path ? -1 : 1));
  }

  /** The types that hold most bytes, first the largest. */
  types(): FileType[] {
    return [...this.#types.values()].sort((one, other) => other.bytes - one.bytes).slice(0, TYPES);
  }
}

function newFolder(path: string): Folder {
  return { path, objects: 0, bytes: 0, leftOut: { objects: 0, bytes: 0 } };
}

/** The entry of a name, a new one if need be; undefined where there is no more room for another. */
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
