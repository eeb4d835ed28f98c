import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Checked, inspectObject } from "./check.ts";
import { Findings } from "./findings.ts";
import { checkStorageRoot, LAYOUT_FILES, objectFolder } from "./layout.ts";
import { findingsBeside, type UnderWay } from "./under-way.ts";
import { entriesOf, kindOf } from "./walk.ts";

/** What a check of a storage root found, over all its objects. */
export interface CheckedRoot extends Checked {
  objects: number;
}

const DECLARATION = /^0=ocfl_(\d+\.\d+)$/;

/**
 * Checks an OCFL storage root (OCFL 1.1, section 4) and every object in it, re-reading every byte: declaration,
 * nothing but folders between the root and its objects, no empty folder, no link, and, in the layout that this
 * archive writes, each object at the place its id gives it. Throws only for an aborted signal and for folders that
 * cannot be listed. Of versions that are under way, what is not visible yet is passed over. Memory: that of the largest object (see `checkObject`) and the hierarchy's folders still to visit.
 */
export async function checkRoot(
  folder: string,
  { underWay = [], ...options }: { signal?: AbortSignal; underWay?: readonly UnderWay[] } = {},
): Promise<CheckedRoot> {
  const findings = new Findings();
  const total = { objects: 0, files: 0, bytes: 0 };
  const specification = await checkDeclaration(folder, findings);
  const placed = await checkLayout(folder, findings);

  const waiting: string[] = [];
  for await (const { name, ...entry } of rootEntries(folder)) {
    if (entry.kind === "folder" && name !== "extensions") waiting.push(name);
    else if (entry.kind === "folder") await checkExtensions(folder, findings);
    else if (entry.kind === "file") checkRootFile(name, placed, findings);
    else findings.add("E090", name, "Links and special files are not allowed");
  }
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    options.signal?.throwIfAborted();
    const found = await readFolder(folder, path, findings);
    if (!found.isObject) {
      waiting.push(...found.folders.reverse());
      continue;
    }
    const own = findingsBeside(underWay.find((one) => one.folder === path));
    const object = await inspectObject(join(folder, path), own, options);
    for (const finding of own.list()) findings.add(finding.code, join(path, finding.path), finding.detail);
    if (placed && object.id !== undefined && objectFolder(object.id) !== path) {
      findings.add("E083", path, `The object ${object.id} belongs to ${objectFolder(object.id)}`);
    }
    if (specification !== undefined && (object.specification ?? "") > specification) {
      findings.add("E081", path, `The object is of OCFL ${object.specification}, the storage root of ${specification}`);
    }
    total.objects += 1;
    total.files += object.files;
    total.bytes += object.bytes;
  }
  return { ok: findings.errors === 0, findings: findings.list(), ...total };
}

async function* rootEntries(folder: string): AsyncGenerator<{ name: string; kind: ReturnType<typeof kindOf> }> {
  for await (const entry of entriesOf(folder)) yield { name: entry.name, kind: kindOf(entry) };
}

async function checkDeclaration(folder: string, findings: Findings): Promise<string | undefined> {
  const names: string[] = [];
  for await (const { name } of entriesOf(folder)) if (name.startsWith("0=")) names.push(name);
  const [name = ""] = names;
  const specification = DECLARATION.exec(name)?.[1];
  if (names.length !== 1 || specification === undefined) {
    findings.add("E069", "", "The storage root has no declaration, or several (0=ocfl_1.1)");
    return undefined;
  }
  const content = await readFile(join(folder, name), "utf8");
  if (content !== `${name.slice(2)}\n`) findings.add("E080", name, "The declaration's content is not its name");
  return specification;
}

/**
 * Whether the root has the layout that this archive writes. Where it has, every byte of the files that say so is known;
 * files that are no JSON any more are damaged, and another layout is another archive's.
 */
async function checkLayout(folder: string, findings: Findings): Promise<boolean> {
  const placed = await checkStorageRoot(folder).then(
    () => true,
    () => false,
  );
  if (!placed) {
    findings.add("W000", "", "The layout is not this archive's: places of objects are not compared with ids");
  }
  const found = await Promise.all(
    LAYOUT_FILES.map(async ([path, wanted]) => {
      const text = await readFile(join(folder, path), "utf8").catch(() => undefined);
      return { path, text, same: text === wanted };
    }),
  );
  // One of the two is enough to tell that the other was ours too.
  const isOurs = placed || found.some(({ same }) => same);
  for (const { path, text, same } of found) {
    if (same || (text === undefined && !isOurs)) continue;
    if (text === undefined || !isJson(text)) findings.add("E070", path, "The file is missing or no JSON object");
    else if (isOurs) findings.add("W000", path, "The file is not as this archive writes it");
  }
  return placed;
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}

/** OCFL lets documents lie in a root; this archive puts none there. */
function checkRootFile(name: string, placed: boolean, findings: Findings): void {
  if (!placed || name.startsWith("0=") || name === LAYOUT_FILES[0][0]) return;
  findings.add("W000", name, "The file is not one that this archive writes");
}

async function checkExtensions(folder: string, findings: Findings): Promise<void> {
  for await (const entry of entriesOf(join(folder, "extensions"))) {
    const path = `extensions/${entry.name}`;
    if (kindOf(entry) !== "folder") findings.add("E112", path, "The extensions folder may hold folders only");
    else if (path === dirname(LAYOUT_FILES[1][0])) await checkOwnExtension(folder, path, findings);
  }
}

async function checkOwnExtension(folder: string, extension: string, findings: Findings): Promise<void> {
  for await (const { name } of entriesOf(join(folder, extension))) {
    if (name !== "config.json") findings.add("W000", `${extension}/${name}`, "The file is not of the extension");
  }
}

/** A folder of the hierarchy is an object, or holds folders and nothing else (OCFL 1.1, section 4.2). */
async function readFolder(
  folder: string,
  path: string,
  findings: Findings,
): Promise<{ isObject: boolean; folders: string[] }> {
  const folders: string[] = [];
  const files: string[] = [];
  for await (const entry of entriesOf(join(folder, path))) {
    const kind = kindOf(entry);
    const at = `${path}/${entry.name}`;
    if (kind === "folder") folders.push(at);
    else if (kind === "file") files.push(entry.name);
    else findings.add("E090", at, "Links and special files are not allowed");
    if (entry.name.startsWith("0=ocfl_object_")) return { isObject: true, folders: [] };
  }
  // An object that lost its declaration is told from the hierarchy by its inventory.
  if (files.includes("inventory.json")) return { isObject: true, folders: [] };
  if (folders.length + files.length === 0) findings.add("E073", path, "The folder is empty");
  for (const name of files) findings.add("E072", `${path}/${name}`, "A file between the storage root and its objects");
  return { isObject: false, folders };
}
