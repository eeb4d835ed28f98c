import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeDurably } from "../folder/durable-writes.ts";

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

const BYTES = 32;

/**
 * The key in a file of 32 bytes in base64, which encrypts bucket credentials. A missing file is made when `make`
 * allows it.
 *
 * @throws Error that names the file, never its content
 */
export async function loadSecretKey(file: string, options: { make?: boolean } = {}): Promise<Uint8Array> {
  const text = await readKeyFile(file, options.make ?? false);
  if (text === undefined) {
    const key = randomBytes(BYTES);
    await writeKeyFile(file, key.toString("base64"));
    return key;
  }
  const key = Buffer.from(text.trim(), "base64");
  if (key.length !== BYTES) throw new Error(`${file} does not hold ${BYTES} bytes in base64`);
  return key;
}
