import { randomBytes } from "node:crypto";
import { readKeyFile, writeKeyFile } from "./key-file.ts";

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
