import { lstat } from "node:fs/promises";
import { findingsBeside, type UnderWay } from "./under-way.ts";
import {
  type Content,
  type ContentRead,
  checkContent,
  contentIn,
  Promises,
  type Slice,
} from "./validation/content-check.ts";
import { checkObjectDeclaration } from "./validation/declarations.ts";
import type { Finding, Findings } from "./validation/findings.ts";
import { checkFixity } from "./validation/fixity-check.ts";
import { inspectInventory, type Look, type Surveyed, typeOf } from "./validation/inventory-check.ts";
import { INVENTORY_ALGORITHMS, versionNumber } from "./validation/inventory-rules.ts";
import { checkLogs, type Signed } from "./validation/logs-check.ts";
import { PlainFiles } from "./validation/plain-files.ts";
import type { KnownReceipts } from "./validation/receipts-check.ts";
import { checkTree } from "./validation/tree-check.ts";
import { checkVersionInventories } from "./validation/version-check.ts";
import { entriesOf } from "./walk.ts";

export type { Finding } from "./validation/findings.ts";
export type { KnownReceipts } from "./validation/receipts-check.ts";

/** What a check found. `ok` means: no error; warnings may stand in `findings`. */
export interface Checked extends Signed {
  ok: boolean;
  findings: Finding[];
  /** Content files that were re-read, and their bytes. */
  files: number;
  bytes: number;
  /** Where the next slice begins, when only a part was asked for and something is left. */
  next?: number;
}

export interface CheckOptions extends Slice {
  signal?: AbortSignal | undefined;
  /** Where the content is when it is not in the object's folder; of a folder of content, an empty one stands there. */
  content?: Content;
  /** A version that is being added just now. */
  underWay?: UnderWay | undefined;
  /** What the receipts of the object are compared with, besides its inventories. */
  receipts?: KnownReceipts | undefined;
}

/** A checked object, as the check of a whole root needs it. */
export interface Inspected extends ContentRead, Signed {
  id?: string;
  /** “1.0” or “1.1”, as declared. */
  specification?: string;
}

/**
 * Checks one OCFL object of any number of versions by the rules of the version of OCFL that it declares (1.0 or 1.1,
 * section 3), re-reading every byte once: declaration, sidecars, inventories and how they agree, content files against
 * manifest both ways, digests and fixity, stray files, and the logs of objects that this archive wrote. What it finds
 * has the specification's codes (docs/validation.md). Writes nothing, follows no link, opens nothing but plain files.
 * Never throws for what it finds, nor for what cannot be read (E000); throws for an aborted signal. Of content, a slice can
 * be asked for; all the rest is looked at each time.
 *
 * Memory: about 100 to 150 bytes for each content path, digest and logical path of the newest inventory, outside the
 * JavaScript heap, whatever the lengths of the paths; objects of several versions take up to twice that, and each digest
 * of a fixity block another 100.
 */
export async function checkObject(folder: string, options: CheckOptions = {}): Promise<Checked> {
  const findings = findingsBeside(options.underWay);
  const { files, bytes, versions, receiptsVerified, next } = await inspectObject(folder, findings, options);
  return {
    ok: findings.errors === 0,
    findings: findings.list(),
    ...{ files, bytes, versions, receiptsVerified },
    ...(next !== undefined && { next }),
  };
}

/** The counts of a check before it has read anything. */
export const NOTHING_READ: Omit<Checked, "ok" | "findings"> = { files: 0, bytes: 0, versions: 0, receiptsVerified: 0 };

/** {@link checkObject} with findings that are shared by a larger check. */
export async function inspectObject(
  folder: string,
  findings: Findings,
  options: CheckOptions = {},
): Promise<Inspected> {
  try {
    return await inspect(folder, findings, options);
  } catch (error) {
    // The file system's own word, not that of an object store: that one does not answer says nothing about an object.
    const { code, errno } = error as NodeJS.ErrnoException;
    if (options.signal?.aborted || code === undefined || typeof errno !== "number") throw error;
    findings.add("E000", "", `The object cannot be read to its end (${code})`);
    return { ...NOTHING_READ };
  }
}

async function inspect(folder: string, findings: Findings, { content, ...options }: CheckOptions): Promise<Inspected> {
  const files = new PlainFiles(folder);
  const specification = await checkObjectDeclaration(folder, findings);
  const declared = specification === undefined ? {} : { specification };
  const look: Look = { specification, signal: options.signal };
  const root =
    (await inspectInventory(files, "inventory.json", findings, look)) ?? (await copyOf(files, findings, look));
  if (root === undefined) return { ...declared, ...NOTHING_READ };
  const typed = typeOf(root);
  if (specification !== undefined && typed !== undefined && typed !== specification) {
    findings.add("E038", root.path, `“type” is of OCFL ${typed}, the object is declared as ${specification}`);
  }
  const where = content ?? contentIn(files);
  const read = await checkWhole(root, where, findings, { look, options });
  return { ...declared, ...(root.facts.id && { id: root.facts.id }), ...read };
}

/** All that an inventory which can be read makes possible. */
async function checkWhole(
  root: Surveyed,
  content: Content,
  findings: Findings,
  { look, options }: { look: Look; options: Omit<CheckOptions, "content"> },
): Promise<ContentRead & Signed> {
  const { files, facts } = root;
  const promises = new Promises();
  await checkFixity(root, promises, findings, look.signal);
  const isWhole = root.path === "inventory.json";
  const { contentDirectories, algorithms } = isWhole
    ? await checkVersionInventories(root, findings, promises, look)
    : { contentDirectories: new Set([facts.contentDirectory]), algorithms: new Map<string, string>() };
  await checkTree({ files, facts, contentDirectories, algorithms, content }, findings);
  const signed = await checkLogs(files, facts, findings, { receipts: options.receipts, signal: look.signal });
  if (!INVENTORY_ALGORITHMS.includes(facts.digestAlgorithm ?? "")) return { ...NOTHING_READ, ...signed };
  return { ...signed, ...(await checkContent(root, contentDirectories, promises, content, findings, options)) };
}

/** The newest version's copy of an inventory that is lost: the content is held against it all the same. */
async function copyOf(files: PlainFiles, findings: Findings, look: Look): Promise<Surveyed | undefined> {
  let newest = "";
  for await (const { name, kind } of entriesOf(files.folder)) {
    if (kind === "folder" && (versionNumber(name) ?? 0) > (versionNumber(newest) ?? 0)) newest = name;
  }
  const path = `${newest}/inventory.json`;
  if (newest === "" || !(await files.has(path))) return undefined;
  return inspectInventory(files, path, findings, look);
}

/** {@link checkObject} that never throws: what keeps an object from being read is a finding too. */
export async function examineObject(folder: string, options: CheckOptions): Promise<Checked> {
  try {
    await lstat(folder);
    return await checkObject(folder, options);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const detail = code === "ENOENT" ? "The dataset's folder is missing" : `It cannot be read: ${code ?? message}`;
    return { ok: false, findings: [{ code: "E000", path: "", detail }], ...NOTHING_READ };
  }
}
