import { join } from "node:path";
import type { AdditionalCode, StorageRootChecks } from "./additional-checks.ts";
import { Findings } from "./findings.ts";
import { HashTable } from "./io/hash-table.ts";
import { RegularFiles } from "./io/regular-files.ts";
import { entriesOf } from "./io/walk.ts";
import type { ObjectFolderOf } from "./layouts/storage-layouts.ts";
import { collectObjectFindings, type ObjectReport } from "./validate-object.ts";
import { checkRootDeclaration, isObjectDeclaration } from "./validation/declarations.ts";
import { checkLayout, checkRootExtensions } from "./validation/layout-check.ts";

/** The result of the validation of a storage root, over all its objects. */
export interface StorageRootReport<Extra extends string = never> extends ObjectReport<Extra> {
  objects: number;
}

export interface StorageRootOptions<Extra extends AdditionalCode = never> {
  signal?: AbortSignal | undefined;
  /** Additional checks of the caller. */
  checks?: StorageRootChecks<Extra> | undefined;
}

/**
 * Validates an OCFL storage root (OCFL 1.0 and 1.1, section 4) and every object in it, and reads every byte once:
 * declaration, layout, extensions, only folders between the root and its objects, no empty folder, no link, no
 * duplicate id, no object of a later version of OCFL than the root, and, for the supported layouts, each object in the
 * folder that the layout assigns to its id. Throws only for an aborted signal and for a root that cannot be listed.
 *
 * Memory: that of the largest object (see `validateObject`), and 50 bytes for each object.
 */
export async function validateStorageRoot<Extra extends AdditionalCode = never>(
  folder: string,
  options: StorageRootOptions<Extra> = {},
): Promise<StorageRootReport<Extra>> {
  const findings = new Findings();
  const ofRoot = new Findings();
  const specification = await checkRootDeclaration(folder, ofRoot);
  const files = new RegularFiles(folder);
  const objectFolderOf = await checkLayout(files, ofRoot);
  await checkRootExtensions(files, ofRoot);
  await options.checks?.checkRoot?.(files, ofRoot.reporter<Extra>());
  findings.merge(ofRoot, specification === undefined ? {} : { specification });
  const hierarchy = new StorageHierarchy(folder, { objectFolderOf, specification }, findings, options);
  await hierarchy.check();
  return { ok: findings.errors === 0, findings: findings.list<Extra>(), ...hierarchy.total };
}

/** The folders between a storage root and its objects (OCFL 1.1, section 4.3). */
class StorageHierarchy<Extra extends AdditionalCode> {
  readonly total = { objects: 0, files: 0, bytes: 0, versions: 0 };
  readonly #folder: string;
  readonly #objectFolderOf: ObjectFolderOf | undefined;
  readonly #specification: string | undefined;
  readonly #findings: Findings;
  readonly #options: StorageRootOptions<Extra>;
  readonly #ids = new HashTable();
  #objectsAtTop = 0;

  constructor(
    folder: string,
    declared: { objectFolderOf: ObjectFolderOf | undefined; specification: string | undefined },
    findings: Findings,
    options: StorageRootOptions<Extra>,
  ) {
    this.#folder = folder;
    this.#objectFolderOf = declared.objectFolderOf;
    this.#specification = declared.specification;
    this.#findings = findings;
    this.#options = options;
  }

  async check(): Promise<void> {
    for await (const { name, kind } of entriesOf(this.#folder)) {
      if (kind === "folder" && name !== "extensions") await this.#visit(name);
      else if (kind === "link" || kind === "other") {
        this.#findings.add("E090", name, "Links and special files are not allowed");
      }
    }
    if (this.#objectsAtTop > 0 && this.#objectsAtTop < this.total.objects) {
      this.#findings.add("W015", "", "Some objects are directly in the storage root, others in folders");
    }
  }

  /** Visits a folder recursively, to any depth that a path of the file system can have. */
  async #visit(path: string): Promise<void> {
    const { signal } = this.#options;
    signal?.throwIfAborted();
    try {
      if (await this.#isObject(path)) await this.#inspect(path);
      else await this.#descend(path);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code;
      if (signal?.aborted || typeof reason !== "string") throw error;
      this.#findings.add("E000", path, `The folder cannot be read (${reason})`);
    }
  }

  async #isObject(path: string): Promise<boolean> {
    for await (const { name } of entriesOf(join(this.#folder, path))) {
      // An object without a declaration is recognised by its inventory.
      if (isObjectDeclaration(name) || name === "inventory.json") return true;
    }
    return false;
  }

  /** Visits a folder between the root and its objects, which may contain only folders. */
  async #descend(path: string): Promise<void> {
    let entries = 0;
    for await (const { name, kind } of entriesOf(join(this.#folder, path))) {
      entries += 1;
      const at = `${path}/${name}`;
      if (kind === "folder") await this.#visit(at);
      else if (kind === "link" || kind === "other") {
        this.#findings.add("E090", at, "Links and special files are not allowed");
      } else this.#findings.add("E072", at, "The file belongs neither to the storage root nor to an object");
    }
    if (entries === 0) this.#findings.add("E073", path, "The folder is empty");
  }

  async #inspect(path: string): Promise<void> {
    const checks = this.#options.checks?.checksOf?.(path);
    const ofObject = Findings.of(checks);
    const options = { signal: this.#options.signal, checks };
    const object = await collectObjectFindings(join(this.#folder, path), ofObject, options).finally(() => {
      this.#findings.merge(ofObject, { below: path });
    });
    if (object.id !== undefined) this.#checkId(object.id, path);
    if (this.#specification !== undefined && (object.specification ?? "") > this.#specification) {
      const detail = `The object declares OCFL ${object.specification}, the storage root OCFL ${this.#specification}`;
      this.#findings.add("E081", path, detail);
    }
    if (!path.includes("/")) this.#objectsAtTop += 1;
    this.total.objects += 1;
    this.total.files += object.files;
    this.total.bytes += object.bytes;
    this.total.versions += object.versions;
  }

  #checkId(id: string, path: string): void {
    if (this.#ids.mark(id, 1) !== 0) this.#findings.add("E037", path, `Another object has the same id: ${id}`);
    if (this.#objectFolderOf === undefined) return;
    const folder = this.#objectFolderOf(id);
    if (folder === undefined) this.#findings.add("E083", path, `The layout has no folder for the id ${id}`);
    else if (folder !== path) this.#findings.add("E083", path, `The object ${id} belongs to ${folder}`);
  }
}
