import type { AdditionalCode, ObjectChecks } from "./additional-checks.ts";
import type { OcflCode } from "./codes.ts";
import { type Finding, Findings } from "./findings.ts";
import { RegularFiles } from "./io/regular-files.ts";
import { entriesOf } from "./io/walk.ts";
import { type ContentSlice, type ContentTotals, checkContent } from "./validation/content-check.ts";
import { type ContentSource, contentInFolder } from "./validation/content-source.ts";
import { checkObjectDeclaration } from "./validation/declarations.ts";
import { ExpectedDigests } from "./validation/expected-digests.ts";
import { checkFixity } from "./validation/fixity-check.ts";
import { type InventoryContext, type LoadedInventory, loadInventory, typeOf } from "./validation/inventory-check.ts";
import { INVENTORY_ALGORITHMS, versionNumber, versionsOf } from "./validation/inventory-rules.ts";
import { checkTree } from "./validation/tree-check.ts";
import { checkVersionInventories } from "./validation/version-check.ts";

/** The result of a validation. `ok` means that there is no error; `findings` can still hold warnings. */
export interface ObjectReport<Extra extends string = never> {
  ok: boolean;
  findings: Finding<OcflCode | Extra>[];
  /** Number of content files that were read, and of their bytes. */
  files: number;
  bytes: number;
  /** Number of versions of the objects whose inventories could be read. */
  versions: number;
  /** The beginning of the next slice, if only a part was requested and files remain. */
  next?: number;
}

export interface ObjectOptions<Extra extends AdditionalCode = never> extends ContentSlice {
  signal?: AbortSignal | undefined;
  /**
   * The location of the content, if it is not in the object's folder. Each content folder is represented by an empty
   * one there.
   */
  content?: ContentSource;
  /** Additional checks of the caller. */
  checks?: ObjectChecks<Extra> | undefined;
}

/** The result of one object, as the validation of a storage root needs it. */
interface ObjectResult extends ContentTotals {
  versions: number;
  id?: string;
  /** “1.0” or “1.1”, as declared. */
  specification?: string;
}

/**
 * Validates one OCFL object by the rules of the version of OCFL that it declares (1.0 or 1.1, section 3) and reads
 * every byte of its content once: declaration, sidecars, inventories and whether they agree, content files against the
 * manifest in both directions, digests and fixity, other files and folders. Writes nothing, follows no symbolic link,
 * and opens only regular files. A slice of the content can be requested; everything else is checked each time.
 *
 * Does not throw because of findings, nor for files that cannot be read (E000). Throws for an aborted signal.
 *
 * Memory: about 100 to 150 bytes for each content path, digest and logical path of the newest inventory, outside the
 * JavaScript heap, for paths of any length. Objects with several versions take up to twice that, and each digest of a
 * fixity block another 100 bytes.
 */
export async function validateObject<Extra extends AdditionalCode = never>(
  folder: string,
  options: ObjectOptions<Extra> = {},
): Promise<ObjectReport<Extra>> {
  const findings = Findings.of(options.checks);
  const { files, bytes, versions, next } = await collectObjectFindings(folder, findings, options);
  return {
    ok: findings.errors === 0,
    findings: findings.list<Extra>(),
    ...{ files, bytes, versions },
    ...(next !== undefined && { next }),
  };
}

/** {@link validateObject} whose findings are collected by a larger validation. */
export async function collectObjectFindings<Extra extends AdditionalCode>(
  folder: string,
  findings: Findings,
  options: ObjectOptions<Extra> = {},
): Promise<ObjectResult> {
  try {
    return await inspect(folder, findings, options);
  } catch (error) {
    // Only a file system error is a finding. An object store that does not answer says nothing about the object.
    const { code, errno } = error as NodeJS.ErrnoException;
    if (options.signal?.aborted || code === undefined || typeof errno !== "number") throw error;
    findings.add("E000", "", `The object could not be read completely (${code})`);
    return { files: 0, bytes: 0, versions: 0 };
  }
}

async function inspect<Extra extends AdditionalCode>(
  folder: string,
  findings: Findings,
  options: ObjectOptions<Extra>,
): Promise<ObjectResult> {
  const files = new RegularFiles(folder);
  const specification = await checkObjectDeclaration(folder, findings);
  const declared = specification === undefined ? {} : { specification };
  const context: InventoryContext = { specification, signal: options.signal };
  const root =
    (await loadInventory(files, "inventory.json", findings, context)) ??
    (await newestVersionInventory(files, findings, context));
  if (root === undefined) return { ...declared, files: 0, bytes: 0, versions: 0 };
  const type = typeOf(root);
  if (specification !== undefined && type !== undefined && type !== specification) {
    findings.add("E038", root.path, `“type” is that of OCFL ${type}, but the object declares OCFL ${specification}`);
  }
  const totals = await checkAll(root, findings, context, options);
  const versions = versionsOf(root.facts).length;
  return { ...declared, ...(root.facts.id && { id: root.facts.id }), ...totals, versions };
}

/** All checks that need an inventory. */
async function checkAll<Extra extends AdditionalCode>(
  root: LoadedInventory,
  findings: Findings,
  context: InventoryContext,
  { content, checks, ...options }: ObjectOptions<Extra>,
): Promise<ContentTotals> {
  const { files, facts } = root;
  const source = content ?? contentInFolder(files);
  const expectedDigests = new ExpectedDigests();
  await checkFixity(root, expectedDigests, findings, context.signal);
  const isInRoot = root.path === "inventory.json";
  const { contentDirectories, algorithms } = isInRoot
    ? await checkVersionInventories(root, findings, expectedDigests, context)
    : { contentDirectories: new Set([facts.contentDirectory]), algorithms: new Map<string, string>() };
  await checkTree({ files, facts, contentDirectories, algorithms, content: source }, findings);
  const isHashable = INVENTORY_ALGORITHMS.includes(facts.digestAlgorithm ?? "");
  const totals = isHashable
    ? await checkContent(root, contentDirectories, expectedDigests, source, findings, options)
    : { files: 0, bytes: 0 };
  // Runs last, because its results must not be reported for an object that cannot be read completely.
  await checks?.check?.(parsedObject(root), findings.reporter<Extra>(), context.signal);
  return totals;
}

function parsedObject({ files, facts }: LoadedInventory) {
  return {
    files,
    id: facts.id,
    contentDirectory: facts.contentDirectory,
    versions: versionsOf(facts),
    hasVersion: (name: string) => facts.versions.has(name),
    hasContent: (contentPath: string) => facts.contents.has(contentPath),
  };
}

/** The newest version's inventory. It replaces a missing root inventory, so that the content can still be checked. */
async function newestVersionInventory(
  files: RegularFiles,
  findings: Findings,
  context: InventoryContext,
): Promise<LoadedInventory | undefined> {
  let newest = "";
  for await (const { name, kind } of entriesOf(files.folder)) {
    if (kind === "folder" && (versionNumber(name) ?? 0) > (versionNumber(newest) ?? 0)) newest = name;
  }
  const path = `${newest}/inventory.json`;
  if (newest === "" || !(await files.has(path))) return undefined;
  return loadInventory(files, path, findings, context);
}
