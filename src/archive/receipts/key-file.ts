import { randomBytes } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder, writeDurably } from "../folder/durable-writes.ts";

/**
 * Reads a key file that other users cannot read. Returns undefined if it is missing and `mayBeMissing` is true.
 *
 * @throws Error that names the file, never its content
 */
export async function readKeyFile(file: string, mayBeMissing: boolean): Promise<string | undefined> {
  try {
    const { mode } = await stat(file);
    if ((mode & 0o077) !== 0) throw new Error(`${file} can be read by other users. Run “chmod 600 ${file}”`);
    return await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    if (mayBeMissing) return undefined;
    throw new Error(`The key file ${file} does not exist. “accession keys --dir DIR” creates the keys`, {
      cause: error,
    });
  }
}

/** Writes a key file, durably and with mode 0600. */
export async function writeKeyFile(file: string, text: string): Promise<void> {
  await makeFolder(dirname(file));
  await writeDurably(file, `${text}\n`, { mode: 0o600 });
}

const BYTES = 32;

/**
 * Reads the key that encrypts bucket credentials, from a file of 32 bytes in base64. Creates a missing file if `make`
 * is set.
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
  if (key.length !== BYTES) throw new Error(`${file} must contain ${BYTES} bytes in base64`);
  return key;
}
