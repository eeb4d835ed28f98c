import type { DatasetFile } from "../../api/datasets.ts";

/** An entry of a folder: a folder with everything below it, or a file. */
export type Entry =
  | { kind: "folder"; path: string; files: number; bytes: number }
  | { kind: "file"; file: DatasetFile };

/** The folders, then the files, each in list order. @param folder without a slash at the end; empty for all */
export function entriesOf(files: readonly DatasetFile[], folder: string): Entry[] {
  const start = folder === "" ? 0 : folder.length + 1;
  const folders = new Map<string, Entry & { kind: "folder" }>();
  const here: Entry[] = [];
  for (const file of files) {
    if (start > 0 && !(file.path.startsWith(folder) && file.path[start - 1] === "/")) continue;
    const end = file.path.indexOf("/", start);
    if (end === -1) {
      here.push({ kind: "file", file });
      continue;
    }
    const path = file.path.slice(0, end);
    const known = folders.get(path) ?? { kind: "folder", path, files: 0, bytes: 0 };
    known.files += 1;
    known.bytes += file.bytes;
    folders.set(path, known);
  }
  return [...folders.values(), ...here];
}

/** The path of the folder for objects whose keys are not valid file paths, if the dataset has one (docs/package-format.md). */
export function escapedFolder(files: readonly DatasetFile[]): string | undefined {
  const folders = new Set(files.map(({ path }) => /^data\/%keys%*(?=\/)/.exec(path)?.[0] ?? ""));
  const longest = [...folders].reduce((one, other) => (other.length > one.length ? other : one), "");
  const isEscaped = files.every(({ path }) => !path.startsWith(`${longest}/`) || path.endsWith("%"));
  return longest !== "" && isEscaped ? longest : undefined;
}

/** Files whose paths contain the words, regardless of case. */
export function matching(files: readonly DatasetFile[], words: string): Entry[] {
  const wanted = words.toLocaleLowerCase();
  return files
    .filter(({ path }) => path.toLocaleLowerCase().includes(wanted))
    .map((file): Entry => ({ kind: "file", file }));
}

/** The last part of a path. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The path of the folder that contains a path; empty for the package itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

/** The format of a file: from its name, else from the media type that the source stated. */
export function formatOf({ path, contentType }: DatasetFile): string {
  const extension = /[^.]\.([A-Za-z0-9]{1,8})$/.exec(nameOf(path))?.[1];
  if (extension !== undefined) return extension.toUpperCase();
  const type = contentType?.split(";", 1)[0]?.trim() ?? "";
  return type.endsWith("/octet-stream") ? "" : type;
}
