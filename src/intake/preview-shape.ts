/** A folder of the bucket with all that lies below it. */
export interface Folder {
  /** The keys' beginning up to and with the slash: `images/scans/`. */
  path: string;
  objects: number;
  bytes: number;
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

  take({ key, bytes }: { key: string; bytes: number }): void {
    let end = key.indexOf("/");
    for (const level of this.#levels) {
      if (end === -1) break;
      const path = key.slice(0, end + 1);
      if (!add(level, path, FOLDERS_A_LEVEL, bytes, () => ({ path, objects: 0, bytes: 0 }))) break;
      end = key.indexOf("/", end + 1);
    }
    const extension = EXTENSION.exec(key)?.[1]?.toLowerCase() ?? "";
    add(this.#types, extension, TYPES_SEEN, bytes, () => ({ extension, objects: 0, bytes: 0 }));
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

/** Counts an object in; false where there is no more room for another entry. */
function add<Entry extends { objects: number; bytes: number }>(
  entries: Map<string, Entry>,
  name: string,
  most: number,
  bytes: number,
  begin: () => Entry,
): boolean {
  let entry = entries.get(name);
  if (entry === undefined) {
    if (entries.size >= most) return false;
    entry = begin();
    entries.set(name, entry);
  }
  entry.objects++;
  entry.bytes += bytes;
  return true;
}
