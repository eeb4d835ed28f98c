import { lstat, stat } from "node:fs/promises";
import { join } from "node:path";
import { type WalkEntry, walk } from "../../../packages/ocfl/src/index.ts";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { namedEntries } from "../terminal/named-entries.ts";
import { several } from "../terminal/numbers.ts";
import { show } from "../terminal/text.ts";

/** A file of the folder that is uploaded. */
export interface LocalFile {
  /** Below the folder, with `/` between its parts. It becomes the key. */
  path: string;
  bytes: number;
  /** Milliseconds since 1970. */
  modified: number;
}

export interface LocalFiles {
  files: LocalFile[];
  bytes: number;
  /** Links, devices and other entries that are not uploaded. */
  skipped: string[];
  /** Folders without any entry, which keys cannot express. */
  emptyFolders: string[];
}

const KINDS: Partial<Record<WalkEntry["kind"], string>> = {
  link: "symbolic link",
  other: "device, pipe or socket",
  undecodable: "name is not UTF-8",
};

/**
 * The files below a folder.
 *
 * @param options.skipOthers leaves out entries that are not files; otherwise they are an error, because nothing may be missing silently
 * @throws Failure 2 if the folder cannot be read, is empty, or has other entries than files
 */
export async function filesBelow(folder: string, options: { skipOthers?: boolean }): Promise<LocalFiles> {
  const found: LocalFiles = { files: [], bytes: 0, skipped: [], emptyFolders: [] };
  const others: string[] = [];
  try {
    if (!(await stat(folder)).isDirectory())
      throw new Failure(2, show`${folder} is not a folder. Put the file into a folder, and name the folder.`);
    for await (const { path, kind } of walk(folder)) {
      if (kind === "file") {
        const { size: bytes, mtimeMs: modified } = await lstat(join(folder, path));
        found.files.push({ path, bytes, modified });
        found.bytes += bytes;
      } else if (kind === "empty") found.emptyFolders.push(path);
      else if (kind !== "folder") others.push(`${path} (${KINDS[kind] ?? kind})`);
    }
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(2, show`${folder} cannot be read: ${reasonOf(error)}`, { cause: error });
  }
  if (others.length > 0 && !options.skipOthers) throw otherEntries(others);
  if (found.files.length === 0) throw new Failure(2, show`There are no files in ${folder}`);
  return { ...found, skipped: others };
}

function otherEntries(others: readonly string[]): Failure {
  return new Failure(2, [
    show`${several(others.length, "entry", "entries")} of the folder cannot be uploaded:`,
    ...namedEntries(others),
    show`Replace them by files, or leave them out with --skip-others.`,
  ]);
}
