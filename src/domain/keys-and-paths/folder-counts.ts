/** A folder, and what is below it. */
export interface CountedFolder {
  /** The path of the folder around it, with a slash at the end; empty for the folder of all files. */
  parent: string;
  /** Empty for the folder of all files. */
  name: string;
  /** Number of files in it and in all folders below it. */
  files: number;
  /** Size of these files. */
  bytes: number;
  /** The chunks with files that are in the folder itself, in the order in which they were counted. */
  chunks: number[];
  /** The position of the file in the folder itself that describes it; null if there is none. */
  readme: number | null;
}

/** A folder of the last path, with what was counted in it since then. */
interface Open {
  path: string;
  folder: CountedFolder;
  files: number;
  bytes: number;
}

/** Names of files that describe their folder, in lower case. The first one that exists counts. */
const READMES = ["readme.md", "readme.markdown", "readme.txt", "readme"];

/** Folders, and chunks of folders. They need about 100 MB of memory. */
const MOST = 500_000;
/** Characters of the paths of all folders, which a few long keys with many levels would otherwise multiply. */
const MOST_CHARACTERS = 30_000_000;

/** Counts the files of folders. It is fastest if the files of a folder follow each other, but they can come in any order. */
export class FolderCounts {
  readonly #folders = new Map<string, CountedFolder>();
  /** From the folder of all files to that of the last path. */
  readonly #open: Open[] = [];
  /** Those of the names of the files that describe folders. */
  readonly #ranks = new Map<CountedFolder, number>();
  readonly #most: number;
  readonly #mostCharacters: number;
  #entries = 0;
  #characters = 0;

  constructor(most = MOST, mostCharacters = MOST_CHARACTERS) {
    this.#most = most;
    this.#mostCharacters = mostCharacters;
    this.#enter("", "", "");
  }

  /**
   * Counts a file.
   * @param path with folders between slashes
   * @param place the chunk that has the file, and its position in the list of all files
   * @returns false if there are too many folders, or their paths are too long together
   */
  add(path: string, bytes: number, { chunk, position }: { chunk: number; position: number }): boolean {
    while (!path.startsWith(this.#last.path)) this.#leave();
    for (let start = this.#last.path.length; ; ) {
      const slash = path.indexOf("/", start);
      if (slash === -1) break;
      this.#enter(path.slice(0, start), path.slice(start, slash), path.slice(0, slash + 1));
      start = slash + 1;
    }
    const { folder } = this.#last;
    this.#last.files += 1;
    this.#last.bytes += bytes;
    if (folder.chunks.at(-1) !== chunk) {
      folder.chunks.push(chunk);
      this.#entries += 1;
    }
    this.#takeReadme(path.slice(this.#last.path.length), position);
    return this.#entries <= this.#most && this.#characters <= this.#mostCharacters;
  }

  #takeReadme(name: string, position: number): void {
    const { folder } = this.#last;
    const rank = READMES.indexOf(name.toLowerCase());
    if (rank === -1 || rank >= (this.#ranks.get(folder) ?? READMES.length)) return;
    folder.readme = position;
    this.#ranks.set(folder, rank);
  }

  /** All folders that have files. The folder of all files is the last one. */
  result(): CountedFolder[] {
    while (this.#open.length > 1) this.#leave();
    const { folder: root, files, bytes } = this.#last;
    return [...[...this.#folders.values()].slice(1), { ...root, files, bytes }];
  }

  get #last(): Open {
    return this.#open.at(-1) as Open;
  }

  #enter(parent: string, name: string, path: string): void {
    let folder = this.#folders.get(path);
    if (folder === undefined) {
      folder = { parent, name, files: 0, bytes: 0, chunks: [], readme: null };
      this.#folders.set(path, folder);
      this.#entries += 1;
      this.#characters += parent.length + name.length;
    }
    this.#open.push({ path, folder, files: 0, bytes: 0 });
  }

  #leave(): void {
    const { folder, files, bytes } = this.#open.pop() as Open;
    folder.files += files;
    folder.bytes += bytes;
    this.#last.files += files;
    this.#last.bytes += bytes;
  }
}
