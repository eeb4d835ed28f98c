import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeDurably } from "./durable.ts";

/**
 * The text of a key file that nobody else can read; undefined when it is missing and may be.
 *
 * @throws Error that names the file, never its content
 */
export async function readKeyFile(file: string, mayBeMissing: boolean): Promise<string | undefined> {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) throw new Error(`${file} can be read by others: chmod 600 it`);
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    if (mayBeMissing) return undefined;
    throw new Error(`The key file ${file} does not exist; “accession keys --dir DIR” makes a pair`, { cause: error });
  }
}

/** Writes a key file, durably and with mode 0600. */
export async function writeKeyFile(file: string, text: string): Promise<void> {
  await makeFolder(dirname(file));
  await writeDurably(file, `${text}\n`, { mode: 0o600 });
}
