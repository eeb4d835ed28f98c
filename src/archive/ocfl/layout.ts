import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeDurably } from "../folder/durable.ts";

const EXTENSION = "0004-hashed-n-tuple-storage-layout";
const TUPLE_SIZE = 3;
const TUPLES = 3;

/** Name and whole content of the file that makes a folder an OCFL 1.1 storage root (OCFL 1.1, section 4.1). */
export const DECLARATION = { name: "0=ocfl_1.1", content: "ocfl_1.1\n" } as const;

const LAYOUT = {
  extension: EXTENSION,
  description:
    "Hashed n-tuple storage layout: three tuples of three hex digits, then the whole SHA-512 of the object id",
};

const CONFIG = {
  extensionName: EXTENSION,
  digestAlgorithm: "sha512",
  tupleSize: TUPLE_SIZE,
  numberOfTuples: TUPLES,
  shortObjectRoot: false,
};

/** The files that describe the layout, by their paths in the storage root, with their whole content. */
export const LAYOUT_FILES = [
  ["ocfl_layout.json", `${JSON.stringify(LAYOUT, null, 2)}\n`],
  [`extensions/${EXTENSION}/config.json`, `${JSON.stringify(CONFIG, null, 2)}\n`],
] as const;

/**
 * Where an object lies, relative to the storage root and with `/` between the parts: three tuples of the id's
 * SHA-512, then the whole digest (OCFL community extension 0004). Pure and total: every id has exactly one folder.
 */
export function objectFolder(id: string): string {
  const digest = createHash("sha512").update(id, "utf8").digest("hex");
  const tuples = Array.from({ length: TUPLES }, (_, n) => digest.slice(n * TUPLE_SIZE, (n + 1) * TUPLE_SIZE));
  return [...tuples, digest].join("/");
}

/**
 * Makes a folder an empty OCFL 1.1 storage root of this layout (OCFL 1.1, section 4). Idempotent and durable: the
 * declaration is written last, so a root that says it is one is whole, and a making that was cut short is finished by
 * the next call. Throws an Error that names the folder when it is a storage root of another kind or a folder in use.
 */
export async function makeStorageRoot(folder: string): Promise<void> {
  await makeFolder(folder);
  const names = new Set(await readdir(folder));
  if (names.has(DECLARATION.name)) return checkStorageRoot(folder);

  const ours = new Set(["ocfl_layout.json", "ocfl_layout.json.tmp", "extensions", `${DECLARATION.name}.tmp`]);
  const foreign = [...names].filter((name) => !ours.has(name));
  const other = foreign.find((name) => name.startsWith("0=ocfl_"));
  if (other !== undefined) {
    throw new Error(`${folder} is a storage root of another kind (${other}); OCFL 1.1 is needed`);
  }
  if (foreign.length > 0) {
    throw new Error(`${folder} is not an OCFL storage root and is not empty (it holds “${foreign[0]}”)`);
  }
  if (names.has("ocfl_layout.json")) await checkLayout(folder, folderText(folder));

  await makeFolder(join(folder, "extensions", EXTENSION));
  for (const [path, content] of LAYOUT_FILES.toReversed()) await writeDurably(join(folder, path), content);
  await writeDurably(join(folder, DECLARATION.name), DECLARATION.content);
}

/** Throws when a folder is not an OCFL 1.1 storage root of exactly this layout. Reads three small files. */
export async function checkStorageRoot(folder: string): Promise<void> {
  await checkRootFiles(folder, folderText(folder));
}

/** The text of a file of a storage root; undefined when there is none. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** {@link checkStorageRoot} of a root that lies anywhere. @param root what it is called in errors */
export async function checkRootFiles(root: string, read: ReadText): Promise<void> {
  if ((await read(DECLARATION.name)) !== DECLARATION.content) {
    throw new Error(`${root} is not an OCFL 1.1 storage root (${DECLARATION.name} is missing or says something else)`);
  }
  await checkLayout(root, read);
  const config = await readJson(root, LAYOUT_FILES[1][0], read);
  for (const [name, wanted] of Object.entries(CONFIG)) {
    if (config[name] === wanted) continue;
    throw new Error(`${root} is a storage root of another layout: ${name} is ${JSON.stringify(config[name])}`);
  }
}

async function checkLayout(root: string, read: ReadText): Promise<void> {
  const { extension } = await readJson(root, LAYOUT_FILES[0][0], read);
  if (extension === EXTENSION) return;
  throw new Error(`${root} is a storage root of another layout (${JSON.stringify(extension)}); ${EXTENSION} is needed`);
}

async function readJson(root: string, path: string, read: ReadText): Promise<Record<string, unknown>> {
  const file = `${root}/${path}`;
  try {
    const value: unknown = JSON.parse((await read(path)) ?? "");
    if (typeof value === "object" && value !== null) return { ...value };
  } catch (cause) {
    throw new Error(`The storage root's ${file} cannot be read`, { cause });
  }
  throw new Error(`The storage root's ${file} holds no JSON object`);
}

function folderText(folder: string): ReadText {
  return (path) => readFile(join(folder, path), "utf8").catch(() => undefined);
}
