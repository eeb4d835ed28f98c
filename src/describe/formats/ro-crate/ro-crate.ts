import { writeDurably } from "../../../../packages/ocfl/src/index.ts";
import type { VersionFacts } from "../../version-facts.ts";
import { encodePath } from "../iri.ts";
import { type Entity, entitiesOf, rootDataset } from "./ro-crate-entities.ts";

/** A file of the source manifest. `path` is the logical path, for instance `data/a b`. */
export interface CrateFile {
  path: string;
  bytes: number;
  /** Lower-case hex. */
  sha512: string;
  contentType?: string;
  /** ISO 8601. */
  lastModified?: string;
}

/** The crate of a dataset with more files names the top folders instead of each file (docs/package-format.md). */
export const NAMED_FILES = 10_000;

const CONTEXT = "https://w3id.org/ro/crate/1.2/context";
/** The manifest of all files, which the crate describes as a separate file. */
const MANIFEST = "metadata/source-manifest.jsonl";
/** The end of the description of a folder. */
const IN_MANIFEST = `; ${MANIFEST} lists each of them`;

/** Size and digest of the source manifest. */
interface ManifestFile {
  bytes: number;
  sha512: string;
}

interface Folder {
  path: string;
  files: number;
  bytes: number;
}

/**
 * Builds an RO-Crate 1.2 (attached) in one pass over the manifest. Memory: at most 10,000 files and 10,000 folders, for
 * datasets of any size.
 */
export class Crate {
  readonly #facts: VersionFacts;
  #files: CrateFile[] = [];
  #count = 0;
  readonly #folders = new Map<string, Folder>();
  #foldersLeftOut = false;

  constructor(facts: VersionFacts) {
    this.#facts = facts;
  }

  /** Adds one stored file, in listing order. */
  add(file: CrateFile): void {
    this.#count += 1;
    if (this.#count <= NAMED_FILES) this.#files.push(file);
    else this.#files = [];
    this.#addToFolder(file);
  }

  /** The crate as JSON text, ending with a line feed. */
  toString(manifest: ManifestFile): string {
    const described = manifestEntity(manifest);
    const parts = this.#count > NAMED_FILES ? this.#folderEntities() : this.#files.map(fileEntity);
    const graph: Entity[] = [
      {
        "@id": "ro-crate-metadata.json",
        "@type": "CreativeWork",
        about: { "@id": "./" },
        conformsTo: { "@id": "https://w3id.org/ro/crate/1.2" },
      },
      rootDataset(this.#facts, [...parts, described]),
      ...entitiesOf(this.#facts),
      ...parts,
      described,
    ];
    return `${JSON.stringify({ "@context": [CONTEXT, { sha512: SHA512_TERM }], "@graph": graph }, null, 2)}\n`;
  }

  /** Writes `ro-crate-metadata.json` to `target`, durably. */
  async write(target: string, manifest: ManifestFile): Promise<{ sha512: string; bytes: number }> {
    const text = this.toString(manifest);
    return { sha512: await writeDurably(target, text), bytes: Buffer.byteLength(text) };
  }

  /** The top folder is the first part below `data/`. Files directly below `data/` have none. */
  #addToFolder({ path, bytes }: CrateFile): void {
    const [data, top, ...rest] = path.split("/", 3);
    if (top === undefined || rest.length === 0) return;
    const name = `${data}/${top}/`;
    let folder = this.#folders.get(name);
    if (folder === undefined) {
      if (this.#folders.size >= NAMED_FILES) {
        this.#foldersLeftOut = true;
        return;
      }
      folder = { path: name, files: 0, bytes: 0 };
      this.#folders.set(name, folder);
    }
    folder.files += 1;
    folder.bytes += bytes;
  }

  /** `data/` itself is named when folders alone would not cover every file. */
  #folderEntities(): Entity[] {
    const folders = [...this.#folders.values()];
    const covered = folders.reduce((sum, { files }) => sum + files, 0);
    const named = folders.map(folderEntity);
    if (covered === this.#count && !this.#foldersLeftOut) return named;
    const { objects, bytes } = this.#facts;
    return [folderEntity({ path: "data/", files: objects, bytes }), ...named];
  }
}

/**
 * The text of a crate, in the same form, without the source manifest: for packages that do not contain it.
 * @param text as {@link Crate.toString} or an earlier version wrote it
 */
export function crateWithoutManifest(text: string): string {
  const crate = JSON.parse(text) as { "@graph": Entity[] };
  const isOther = (value: unknown) => (value as Partial<Entity> | null)?.["@id"] !== MANIFEST;
  const isFolder = (entity: Entity) => entity["@id"].startsWith("data/") && entity["@type"] === "Dataset";
  const graph = crate["@graph"].filter(isOther).map((entity) => {
    const { hasPart, description } = entity;
    return {
      ...entity,
      ...(hasPart !== undefined && { hasPart: [hasPart].flat().filter(isOther) }),
      ...(isFolder(entity) && typeof description === "string" && { description: description.replace(IN_MANIFEST, "") }),
    };
  });
  return `${JSON.stringify({ ...crate, "@graph": graph }, null, 2)}\n`;
}

/** Not in the context of RO-Crate 1.2 (it has `sha256` alone), so the crate defines it. */
const SHA512_TERM = "https://w3id.org/ro/terms/workflow-run#sha512";

function fileEntity({ path, bytes, sha512, contentType, lastModified }: CrateFile): Entity {
  return {
    "@id": encodePath(path),
    "@type": "File",
    name: path,
    contentSize: String(bytes),
    ...(contentType && { encodingFormat: contentType }),
    ...(lastModified && { dateModified: lastModified }),
    sha512,
  };
}

function folderEntity({ path, files, bytes }: Folder): Entity {
  return {
    "@id": encodePath(path),
    "@type": "Dataset",
    name: path,
    description: `${files} ${files === 1 ? "file" : "files"}, ${bytes} bytes${IN_MANIFEST}`,
  };
}

function manifestEntity({ bytes, sha512 }: ManifestFile): Entity {
  return {
    "@id": MANIFEST,
    "@type": "File",
    name: "Source manifest",
    description: "One line for each object of the source: key, path, size, times, checksums and verification method",
    contentSize: String(bytes),
    encodingFormat: "application/jsonl",
    sha512,
  };
}
