import { createHash } from "node:crypto";
import { encodePath } from "../archive/metadata/iri.ts";
import type { OpenFile } from "./contents.ts";
import type { NameOf } from "./file-names.ts";

const CRATE = "ro-crate-metadata.json";
/** As the crate is written, with an entity’s every member on a line; within a text, quotes are escaped. */
const IDENTIFIER = /"@id": "(data\/[^"]+)"/g;

/**
 * The files of a package, with a crate that names each as the package does. The crate is held in memory meanwhile; it names
 * at most 10,000 files.
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
