import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "./folder/durable-writes.ts";

/** A small file in a folder or an object store. Writes are durable. */
export interface SmallFile {
  /** Undefined if the file does not exist. */
  read(): Promise<string | undefined>;
  write(text: string): Promise<void>;
}

/** A file in an archive that is stored in a folder. */
export function fileIn(archive: string, name: string): SmallFile {
  const file = join(archive, name);
  return {
    read: () =>
      readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      }),
    write: async (text) => {
      await writeDurably(file, text);
    },
  };
}
