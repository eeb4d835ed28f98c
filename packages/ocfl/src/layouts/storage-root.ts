import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writeDurably } from "../io/durable-files.ts";
import type { StorageLayout } from "./storage-layouts.ts";

/** Name and content of the file that declares a folder to be an OCFL 1.1 storage root (OCFL 1.1, section 4.1). */
export const ROOT_DECLARATION = { name: "0=ocfl_1.1", content: "ocfl_1.1\n" } as const;

const LAYOUT_FILE = "ocfl_layout.json";

/** The files that describe a layout: their paths in the storage root, and their content. */
export function layoutFiles({ extension, description, parameters }: StorageLayout): [path: string, content: string][] {
  return [
    [LAYOUT_FILE, `${JSON.stringify({ extension, description }, null, 2)}\n`],
    [configFile(extension), `${JSON.stringify({ extensionName: extension, ...parameters }, null, 2)}\n`],
  ];
}

/**
 * Creates an empty OCFL 1.1 storage root of this layout in a folder (OCFL 1.1, section 4). Idempotent and durable: the
 * declaration is written last, so a folder that has it is complete, and the next call completes an interrupted one.
 *
 * @throws Error that names the folder if it is a storage root of another kind or contains other files
 */
export async function createStorageRoot(folder: string, layout: StorageLayout): Promise<void> {
  await makeFolder(folder);
  const names = new Set(await readdir(folder));
  if (names.has(ROOT_DECLARATION.name)) return checkStorageRoot(folder, layout);

  const own = new Set([LAYOUT_FILE, `${LAYOUT_FILE}.tmp`, "extensions", `${ROOT_DECLARATION.name}.tmp`]);
  const foreign = [...names].filter((name) => !own.has(name));
  const other = foreign.find((name) => name.startsWith("0=ocfl_"));
  if (other !== undefined) {
    throw new Error(`${folder} is a storage root of another kind (${other}). OCFL 1.1 is required`);
  }
  if (foreign.length > 0) {
    throw new Error(`${folder} is not an OCFL storage root and is not empty (it contains “${foreign[0]}”)`);
  }
  if (names.has(LAYOUT_FILE)) await checkLayoutName(folder, textIn(folder), layout);

  await makeFolder(join(folder, "extensions", layout.extension));
  for (const [path, content] of layoutFiles(layout).toReversed()) await writeDurably(join(folder, path), content);
  await writeDurably(join(folder, ROOT_DECLARATION.name), ROOT_DECLARATION.content);
}

/** Throws an Error if a folder is not an OCFL 1.1 storage root of exactly this layout. Reads three small files. */
export async function checkStorageRoot(folder: string, layout: StorageLayout): Promise<void> {
  await checkStorageRootFiles(folder, textIn(folder), layout);
}

/** Reads the text of a file of a storage root; undefined if it does not exist. */
export type ReadText = (path: string) => Promise<string | undefined>;

/** {@link checkStorageRoot} for a root that is not in a folder. @param root its name in errors */
export async function checkStorageRootFiles(root: string, read: ReadText, layout: StorageLayout): Promise<void> {
  const { name, content } = ROOT_DECLARATION;
  if ((await read(name)) !== content) {
    throw new Error(`${root} is not an OCFL 1.1 storage root (${name} is missing or has different content)`);
  }
  await checkLayoutName(root, read, layout);
  const config = await readJsonObject(root, configFile(layout.extension), read);
  for (const [member, wanted] of Object.entries({ extensionName: layout.extension, ...layout.parameters })) {
    if (config[member] === wanted) continue;
    throw new Error(`${root} is a storage root of another layout: ${member} is ${JSON.stringify(config[member])}`);
  }
}

async function checkLayoutName(root: string, read: ReadText, layout: StorageLayout): Promise<void> {
  const { extension } = await readJsonObject(root, LAYOUT_FILE, read);
  if (extension === layout.extension) return;
  const wanted = `${layout.extension} is required`;
  throw new Error(`${root} is a storage root of another layout (${JSON.stringify(extension)}). ${wanted}`);
}

function configFile(extension: string): string {
  return `extensions/${extension}/config.json`;
}

async function readJsonObject(root: string, path: string, read: ReadText): Promise<Record<string, unknown>> {
  const file = `${root}/${path}`;
  try {
    const value: unknown = JSON.parse((await read(path)) ?? "");
    if (typeof value === "object" && value !== null) return { ...value };
  } catch (cause) {
    throw new Error(`The storage root's ${file} cannot be read`, { cause });
  }
  throw new Error(`The storage root's ${file} does not contain a JSON object`);
}

function textIn(folder: string): ReadText {
  return (path) => readFile(join(folder, path), "utf8").catch(() => undefined);
}
