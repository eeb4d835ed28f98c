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

/**
 * The files that were dropped. A single folder is compared without its name. Several folders, or folders and files, are
 * compared as if they were in one folder.
 *
 * @throws the browser's error for a folder that cannot be read
 */
export async function droppedIn({ items, files: dropped }: DataTransfer): Promise<Chosen> {
  // These can be read only during the event, so before the first await.
  const list = [...dropped];
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  if (entries.every(isFile)) return { kind: "files", files: list };
  const files = new Map<string, File>();
  const isSingle = entries.length === 1;
  for (const entry of entries) {
    const start = isSingle ? entry.fullPath.length + 1 : 1;
    for await (const found of filesBelow(entry)) files.set(found.fullPath.slice(start), await fileOf(found));
  }
  return { kind: "folder", files };
}

function below(path: string): string {
  return path.slice(path.indexOf("/") + 1);
}

async function* filesBelow(entry: FileSystemEntry): AsyncGenerator<FileSystemFileEntry> {
  if (isFile(entry)) yield entry;
  if (!entry.isDirectory) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // Each call returns the next entries, and none at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    for (const inner of entries) yield* filesBelow(inner);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}
