/**
 * Names of files that cannot be created on every system, or that another file overwrites there. Zip programs differ: they
 * replace a file, rename it, skip it or stop.
 */

/** What happens to a file when a package is unpacked. Clients translate these values. */
export const UNPACKING_REASONS = [
  "same_name",
  "same_name_on_windows",
  "forbidden_character",
  "reserved_name",
  "trailing_character",
  "name_too_long",
  "path_too_long",
] as const;
export type UnpackingReason = (typeof UNPACKING_REASONS)[number];

export interface DifferentName {
  path: string;
  reason: UnpackingReason;
  /** With the same name: the other file or folder. */
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
/** What the names that are examined may cost together: about 100,000 usual paths, and 20 MB. */
const MOST_UNITS = 16 << 20;
/** What a name costs beside its UTF-16 code units. */
const UNITS_PER_NAME = 100;
/** Longest name on common file systems, in bytes of UTF-8, and longest path of Windows without its null character. */
const NAME_BYTES = 255;
const PATH_UNITS = 259;

/** Not allowed in names (Microsoft, "Naming Files, Paths, and Namespaces"). */
const FORBIDDEN = /[<>:"|?*\\\x01-\x1f]/g;
/** Names of devices, with any extension (ibid.). */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i;
/** Each run of dots and spaces is tried once, because there can be many. */
const TRAILING = /(?<![. ])[. ]+$/;

const DETAILS: Record<UnpackingReason, string> = {
  same_name: "Windows and macOS do not distinguish these names: only one of the two is there after unpacking.",
  same_name_on_windows: "Windows does not distinguish these names: only one of the two may be there after unpacking.",
  forbidden_character:
    "Windows does not allow a character of this name: the file is renamed or missing after unpacking.",
  reserved_name: "Windows reserves this name for a device: the file is renamed or missing after unpacking.",
  trailing_character: "Windows removes the dot or space at the end of this name.",
  name_too_long:
    "A part of the path is longer than 255 bytes: Linux, and often Windows and macOS, cannot create the file.",
  path_too_long: "The path is too long for many programs on Windows: the file is missing after unpacking.",
};

/** Examines the paths of a dataset. Its memory is bounded for any dataset. */
export class UnpackedNames {
  #examined = 0;
  #units = 0;
  #found = 0;
  readonly #named: DifferentName[] = [];
  /** Files and folders by their names as Windows compares them. */
  readonly #files = new Map<string, string>();
  readonly #folders = new Map<string, string>();
  #last = { folder: "", found: undefined as string | undefined };

  /** Whether further names are ignored. */
  get isFull(): boolean {
    return this.#units > MOST_UNITS;
  }

  take(path: string): void {
    if (this.isFull) return;
    this.#examined++;
    const other = this.#add(path) ?? this.#addFolders(path.slice(0, path.lastIndexOf("/") + 1));
    const reason = other === undefined ? reasonOf(path) : sameNameReason(path, other);
    if (reason === undefined) return;
    this.#found++;
    if (this.#named.length === MOST_NAMED) return;
    this.#named.push({ path, reason, other: other ?? null, detail: DETAILS[reason] });
  }

  /** Removes a file that has another path in the dataset. */
  forget(path: string): void {
    const folded = foldForWindows(path);
    if (this.#files.get(folded) === path) this.#files.delete(folded);
  }

  result(): Unpacking {
    return { files: this.#found, named: this.#named, examined: this.#examined };
  }

  /** Adds a file. Returns a file or folder with the same name on some systems. */
  #add(path: string): string | undefined {
    const folded = foldForWindows(path);
    this.#units += path.length + UNITS_PER_NAME;
    const known = this.#files.get(folded);
    if (known === undefined) this.#files.set(folded, path);
    return known ?? this.#folders.get(folded);
  }

  /** Folders that differ only in case become one folder, which is harmless; a file with the name of a folder is not. */
  #addFolders(folder: string): string | undefined {
    if (folder === this.#last.folder) return this.#last.found;
    let found: string | undefined;
    for (let end = folder.indexOf("/"); end >= 0; end = folder.indexOf("/", end + 1)) {
      const name = folder.slice(0, end);
      const folded = foldForWindows(name);
      found ??= this.#files.get(folded);
      if (this.#folders.has(folded)) continue;
      this.#units += name.length + UNITS_PER_NAME;
      this.#folders.set(folded, name);
    }
    this.#last = { folder, found };
    return found;
  }
}

/** Whether macOS distinguishes the names, too. With a folder, only the beginning of the path has the same name. */
function sameNameReason(path: string, other: string): UnpackingReason {
  const [one, two] = [foldCase(path), foldCase(other)];
  return one === two || one.startsWith(`${two}/`) ? "same_name" : "same_name_on_windows";
}

/** A name as Windows and macOS compare it: without case, composed. */
function foldCase(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** A name as Windows compares it, without what it removes and what programs replace. */
function foldForWindows(path: string): string {
  return foldCase(path)
    .split("/")
    .map((name) => name.replace(FORBIDDEN, "_").replace(TRAILING, ""))
    .join("/");
}

function reasonOf(path: string): UnpackingReason | undefined {
  const names = path.split("/");
  if (path.search(FORBIDDEN) >= 0) return "forbidden_character";
  if (names.some((name) => DEVICE.test(name))) return "reserved_name";
  if (names.some((name) => TRAILING.test(name))) return "trailing_character";
  if (names.some((name) => Buffer.byteLength(name) > NAME_BYTES)) return "name_too_long";
  return path.length > PATH_UNITS ? "path_too_long" : undefined;
}
