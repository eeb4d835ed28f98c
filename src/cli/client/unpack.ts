import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise } from "yauzl";
import { Failure, reasonOf } from "../terminal/failure.ts";
import { show } from "../terminal/text.ts";

/**
 * Unpacks a ZIP archive into a folder and verifies every checksum. No file is written outside of the folder or twice.
 *
 * @param below the folder of the archive to unpack, which is removed from the paths; empty for all files
 * @throws Failure 1 that names the file that cannot be written
 */
export async function unpack(file: string, folder: string, below: string): Promise<number> {
  const archive = await openPromise(file, { decodeStrings: false });
  let files = 0;
  for await (const entry of archive.eachEntry()) {
    const name = entry.fileNameRaw.toString("utf8");
    const path = name.startsWith(below) ? name.slice(below.length) : "";
    if (
      path
        .replace(/\/$/, "")
        .split("/")
        .some((part) => ["", ".", ".."].includes(part))
    ) {
      throw new Failure(1, show`The package contains an invalid file path: ${name}`);
    }
    const target = join(folder, path);
    try {
      await mkdir(path.endsWith("/") ? target : dirname(target), { recursive: true });
      if (path.endsWith("/")) continue;
      const content = await archive.openReadStreamPromise(entry);
      await pipeline(content, checked(entry), createWriteStream(target, { flags: "wx" }));
      files++;
    } catch (error) {
      const why = SPOKEN[(error as { code?: string }).code ?? ""] ?? reasonOf(error);
      throw new Failure(1, show`${path} cannot be unpacked here: ${why}. Use an --output that ends in .zip instead.`);
    }
  }
  return files;
}

const SPOKEN: Record<string, string> = {
  ENAMETOOLONG: "the name is too long for the file system",
  EEXIST: "the file system treats its name as equal to the name of another file",
};

function checked({ crc32: expected }: Entry) {
  return async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let sum = 0;
    for await (const piece of content) {
      sum = crc32(piece, sum);
      yield piece;
    }
    if (sum !== expected) throw new Error("its checksum does not match");
  };
}
