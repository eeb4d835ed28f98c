/**
 * Names of files that cannot be created on every system, or that another file overwrites there. Zip programs differ: they
 * replace a file, rename it, skip it or stop.
 */

/** What happens to a file when a package is unpacked. Clients translate these values. */
export const UNPACKING_REASONS = [
  "same_name",
  "forbidden_character",
  "reserved_name",
  "trailing_character",
  "too_long",
] as const;
export type UnpackingReason = (typeof UNPACKING_REASONS)[number];

export interface DifferentName {
  path: string;
  reason: UnpackingReason;
  /** With `same_name`: the file or folder that has the same name on some systems. */
  other: string | null;
  /** A text for people: where, and what happens. */
  detail: string;
}

export interface Unpacking {
  /** Number of files whose names are unpacked differently. */
  files: number;
  /** The first of them. */
  named: DifferentName[];
  /** Number of files whose names were examined: all, or the first ones of a large dataset. */
  examined: number;
}

const MOST_NAMED = 20;
/** The names that are examined have at most this number of UTF-16 code units in total: about 140,000 usual paths. */
const MOST_UNITS = 8 << 20;
/** Longest name on common file systems, in bytes of UTF-8, and longest path of Windows without its null character. */
const NAME_BYTES = 255;
const PATH_UNITS = 259;

/** Not allowed in names (Microsoft, "Naming Files, Paths, and Namespaces"). */
const FORBIDDEN = /[<>:"|?*\\\x01-\x1f]/g;
/** Names of devices, with any extension (ibid.). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;
const TRAILING = /[. ]+$/;

const DETAILS: Record<UnpackingReason, string> = {
  same_name: "Windows and macOS do not distinguish these names: only one of the two is there after unpacking.",
  forbidden_character:
    "Windows does not allow a character of this name: the file is renamed or missing after unpacking.",
  reserved_name: "Windows reserves this name for a device: the file is renamed or missing after unpacking.",
  trailing_character: "Windows removes the dot or space at the end of this name.",
  too_long: "The name is too long for Windows, or for any common file system: the file is missing after unpacking.",
};

/** Examines the paths of a dataset. Its memory is bounded for any dataset. */
export class UnpackedNames {
  #examined = 0;
  #units = 0;
  #files = 0;
  readonly #named: DifferentName[] = [];
  /** Files and folders by the names that such a system distinguishes. */
  readonly #known = new Map<string, { name: string; isFolder: boolean }>();
  #lastFolder = "";

  /** Whether further names are ignored. */
  get isFull(): boolean {
    return this.#units > MOST_UNITS;
  }

  take(path: string): void {
    if (this.isFull) return;
    this.#examined++;
    this.#units += path.length;
    const other = this.#compare(path);
    const reason = other === undefined ? reasonOf(path) : "same_name";
    if (reason === undefined) return;
    this.#files++;
    if (this.#named.length === MOST_NAMED) return;
    this.#named.push({ path, reason, other: other ?? null, detail: DETAILS[reason] });
  }

  result(): Unpacking {
    return { files: this.#files, named: this.#named, examined: this.#examined };
  }

  /** Returns a file or folder with the same name on some systems. */
  #compare(path: string): string | undefined {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const found = folder === this.#lastFolder ? undefined : this.#addFolders(folder);
    this.#lastFolder = folder;
    const same = this.#add(fold(path), { name: path, isFolder: false });
    return same?.name ?? found;
  }

  /** Folders that differ only in case become one folder, which is harmless; a file with the name of a folder is not. */
  #addFolders(folder: string): string | undefined {
    let found: string | undefined;
    for (let end = folder.indexOf("/"); end >= 0; end = folder.indexOf("/", end + 1)) {
      const name = folder.slice(0, end);
      this.#units += name.length;
      const same = this.#add(fold(name), { name, isFolder: true });
      if (same !== undefined && !same.isFolder) found ??= same.name;
    }
    return found;
  }

  #add(folded: string, one: { name: string; isFolder: boolean }): { name: string; isFolder: boolean } | undefined {
    const known = this.#known.get(folded);
    if (known === undefined) this.#known.set(folded, one);
    return known;
  }
}

/** A name as Windows or macOS compares it: without case, composed, without what Windows removes or programs replace. */
function fold(path: string): string {
  return path
    .normalize("NFC")
    .toLowerCase()
    .split("/")
    .map((name) => name.replace(FORBIDDEN, "_").replace(TRAILING, ""))
    .join("/");
}

function reasonOf(path: string): UnpackingReason | undefined {
  const names = path.split("/");
  if (path.search(FORBIDDEN) >= 0) return "forbidden_character";
  if (names.some((name) => DEVICE.test(name))) return "reserved_name";
  if (names.some((name) => TRAILING.test(name))) return "trailing_character";
  const isLong =
    path.length > PATH_UNITS ||
    (path.length > NAME_BYTES / 3 && names.some((name) => Buffer.byteLength(name) > NAME_BYTES));
  return isLong ? "too_long" : undefined;
}
