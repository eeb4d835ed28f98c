import type { ArchiveReader } from "./reader.ts";

/** A small file of an archive as text; undefined if it does not exist. */
export async function readTextIfExists(archive: ArchiveReader, path: string): Promise<string | undefined> {
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of await archive.read(path)) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString("utf8");
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
}
