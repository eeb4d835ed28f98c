/** Files that a person chose to compare. */
export type Chosen =
  /** A folder with everything in it, by path without the name of the folder. */
  | { kind: "folder"; files: Map<string, File> }
  /** Single files, whose folders are not known. */
  | { kind: "files"; files: File[] };

/** The files of an `<input type="file">`, which chooses a folder or single files. */
export function chosenIn({ files, webkitdirectory }: HTMLInputElement): Chosen {
  const list = [...(files ?? [])];
  if (!webkitdirectory) return { kind: "files", files: list };
  return { kind: "folder", files: new Map(list.map((file) => [below(file.webkitRelativePath), file])) };
}

/** What dropped folders contain besides files that can be read, by path. */
export interface Unusable {
  emptyFolders: string[];
  unreadable: string[];
  /** Paths of several files, such as of files from different folders. The first one counts. */
  sameName: string[];
}

/**
 * The files that were dropped. A single folder is chosen without its name. Several folders, or folders and files, are
 * chosen as if they were in one folder.
 *
 * @param unusable receives what cannot be read
 * @throws without `unusable`, the browser's error for a folder or file that cannot be read
 */
export async function droppedIn({ items, files: dropped }: DataTransfer, unusable?: Unusable): Promise<Chosen> {
  // These can be read only during the event, so before the first await.
  const list = [...dropped];
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.every(isFile)) return { kind: "files", files: list };
  const files = new Map<string, File>();
  const isSingle = entries.length === 1;
  for (const entry of entries) {
    const start = isSingle ? entry.fullPath.length + 1 : 1;
    for await (const { path, file } of entriesBelow(entry)) {
      const name = path.slice(start);
      if (file instanceof File && files.has(name)) unusable?.sameName.push(name);
      else if (file instanceof File) files.set(name, file);
      else if (unusable === undefined && file !== "empty") throw file;
      else unusable?.[file === "empty" ? "emptyFolders" : "unreadable"].push(name);
    }
  }
  return { kind: "folder", files };
}

function below(path: string): string {
  return path.slice(path.indexOf("/") + 1);
}

/** A file below a dropped entry; or an empty folder; or why one of them cannot be read. */
interface Found {
  path: string;
  file: File | "empty" | Error;
}

async function* entriesBelow(entry: FileSystemEntry): AsyncGenerator<Found> {
  const path = entry.fullPath;
  if (isFile(entry)) yield { path, file: await fileOf(entry).catch((error: Error) => error) };
  if (!entry.isDirectory) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  let isEmpty = true;
  // Each call returns the next entries, and none at the end.
  for (;;) {
    const read = new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    const entries = await read.catch((error: Error) => error);
    if (entries instanceof Error) return yield { path, file: entries };
    if (entries.length === 0) break;
    isEmpty = false;
    for (const inner of entries) yield* entriesBelow(inner);
  }
  if (isEmpty) yield { path, file: "empty" };
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
