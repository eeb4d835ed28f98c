import type { ArchiveReader } from "./reader.ts";

/**
 * Folder of an archive with empty files whose names are the numbers of its newest changes. The database counts the changes,
 * too, so that a database that was restored from a backup notices that the archive is newer. Separate files need no lock
 * between processes.
 */
export const CHANGES = "changes";

/** The newest files that are kept. Fewer than one page of a listing. */
const KEPT = 100;
const NAME = /^\d{12}$/;

/** The path of the file of a change. */
export function changePath(number: number): string {
  return `${CHANGES}/${String(number).padStart(12, "0")}`;
}

/** Whether the files of older changes should be removed after this one was recorded: not each time, because that lists them. */
export function isTimeToClear(number: number): boolean {
  return number % KEPT === 0;
}

/** Which of the files in the folder are no longer needed after this change. @param names names in the folder */
export function outdatedChanges(number: number, names: readonly string[]): string[] {
  return names.filter((name) => NAME.test(name) && Number(name) <= number - KEPT);
}

/** The number of the newest change of an archive; 0 if it has none. */
export async function newestChange(reader: ArchiveReader): Promise<number> {
  let newest = 0;
  for await (const path of reader.names(CHANGES)) {
    const name = path.slice(CHANGES.length + 1);
    if (NAME.test(name)) newest = Math.max(newest, Number(name));
  }
  return newest;
}
