import type { OpenFile } from "./contents.ts";
import { nameInPackage } from "./file-names.ts";
import { Folders } from "./folders.ts";
import type { ZipEntry } from "./zip.ts";

/** The files of a dataset, or of a folder, under their paths; with all of a dataset's files this is an RO-Crate. */
export async function* crateEntries(files: AsyncIterable<OpenFile>): AsyncGenerator<ZipEntry> {
  const folders = new Folders();
  for await (const file of files) {
    const modified = new Date(file.modified);
    for (const folder of folders.above(file.path))
      yield { name: nameInPackage(folder), bytes: 0, modified, content: [] };
    yield { name: nameInPackage(file.path), bytes: file.bytes, modified, content: file.content };
  }
}
