import { createHash } from "node:crypto";
import type { NameOf } from "../../packages/rules/src/index.ts";
import { nameInPackage } from "../../packages/rules/src/index.ts";
import { encodePath } from "../describe/formats/iri.ts";
import { NAMED_FILES } from "../describe/formats/ro-crate/ro-crate.ts";
import type { OpenFile } from "./contents.ts";
import type { ZipEntry } from "./zip/zip.ts";

/** Maximum number of folders in a crate, including `data/` and `metadata/`. */
const MOST = NAMED_FILES + 2;

/**
 * The folders of a package that have an entry, because an RO-Crate of many files names folders instead of files:
 * `data/`, `metadata/` and the folders directly below `data/`, at most 10,000. Deeper folders have no entry, so that a
 * key of 1,024 bytes cannot become 512 entries.
 */
export class Folders {
  readonly #known = new Set<string>();

  /** The folders above a file that were not returned before, as paths that end with a slash. */
  *above(path: string): Generator<string> {
    const [top = "", ...below] = path.split("/", 3);
    const folders = [...(below.length > 0 ? [`${top}/`] : []), ...(below.length > 1 ? [`${top}/${below[0]}/`] : [])];
    for (const folder of folders) {
      if (this.#known.has(folder) || this.#known.size >= MOST) continue;
      this.#known.add(folder);
      yield folder;
    }
  }
}

const CRATE = "ro-crate-metadata.json";
/**
 * Matches identifiers in a crate as the service writes it: each member of an entity is on a line, and quotes in texts
 * are escaped.
 */
const IDENTIFIER = /"@id": "(data\/[^"]+)"/g;

/**
 * The files of a package with a crate that uses the package's names. The crate is kept in memory; it names at most
 * 10,000 files.
 */
export async function* withNamesInCrate(files: AsyncIterable<OpenFile>, nameOf: NameOf): AsyncGenerator<OpenFile> {
  for await (const file of files) yield file.path === CRATE ? await renamedIn(file, nameOf) : file;
}

async function renamedIn(file: OpenFile, nameOf: NameOf): Promise<OpenFile> {
  const archived = Buffer.concat(await Array.fromAsync(file.content));
  const text = archived.toString("utf8").replace(IDENTIFIER, (_, id: string) => `"@id": "${renamed(id, nameOf)}"`);
  const content = Buffer.from(text);
  const sha512 = createHash("sha512").update(content).digest("hex");
  return { ...file, bytes: content.length, sha512, content: [content] };
}

function renamed(id: string, nameOf: NameOf): string {
  const path = decodeURIComponent(id);
  const name = nameOf(path);
  return name === path ? id : encodePath(name);
}

/**
 * The entries of a dataset's files, or of a folder, under their paths. With all files of a dataset the result is an
 * RO-Crate.
 */
export async function* crateEntries(files: AsyncIterable<OpenFile>): AsyncGenerator<ZipEntry> {
  const folders = new Folders();
  for await (const file of files) {
    const modified = new Date(file.modified);
    for (const folder of folders.above(file.path))
      yield { name: nameInPackage(folder), bytes: 0, modified, content: [] };
    yield { name: nameInPackage(file.path), bytes: file.bytes, modified, content: file.content };
  }
}
