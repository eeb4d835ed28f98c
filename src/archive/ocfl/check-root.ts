import { join } from "node:path";
import { type Checked, inspectObject, type KnownReceipts, NOTHING_READ } from "./check.ts";
import { HashTable } from "./hash-table.ts";
import { findingsBeside, type UnderWay } from "./under-way.ts";
import { checkRootDeclaration, isDeclaration, isObjectDeclaration } from "./validation/declarations.ts";
import { Findings } from "./validation/findings.ts";
import { checkLayout, checkRootExtensions, type Layout } from "./validation/layout-check.ts";
import { PlainFiles } from "./validation/plain-files.ts";
import { entriesOf } from "./walk.ts";

/** What a check of a storage root found, over all its objects. */
export interface CheckedRoot extends Checked {
  objects: number;
}

/**
 * Checks an OCFL storage root (OCFL 1.0 and 1.1, section 4) and every object in it, re-reading every byte once:
 * declaration, layout, extensions, nothing but folders between the root and its objects, no empty folder, no link, no id
 * twice, no object of a later version of OCFL than the root, and, in the layouts that are known here, each object at the
 * place its id gives it. With the archive's public keys the signatures of receipts are checked. Files of a version that is
 * being published are ignored until the version is visible. Throws only for an aborted signal and for a root that cannot be
 * listed.
 *
 * Memory: that of the largest object (see `checkObject`), and 50 bytes an object.
 */
export async function checkRoot(
  folder: string,
  {
    underWay = [],
    receipts = {},
    signal,
  }: { signal?: AbortSignal; underWay?: readonly UnderWay[]; receipts?: KnownReceipts } = {},
): Promise<CheckedRoot> {
  const findings = new Findings();
  const own = new Findings();
  const specification = await checkRootDeclaration(folder, own);
  const root = new PlainFiles(folder);
  const layout = await checkLayout(root, own);
  await checkRootExtensions(root, layout, own);
  findings.take(own, specification === undefined ? {} : { specification });
  const known = { layout, specification, underWay, receipts };
  const hierarchy = new Hierarchy(folder, known, findings, signal);
  await hierarchy.check();
  return { ok: findings.errors === 0, findings: findings.list(), ...hierarchy.total };
}

/** The folders between a storage root and its objects (OCFL 1.1, section 4.3). */
class Hierarchy {
  readonly total: Omit<CheckedRoot, "ok" | "findings"> = { objects: 0, ...NOTHING_READ };
  readonly #folder: string;
  readonly #layout: Layout;
  readonly #specification: string | undefined;
  readonly #underWay: ReadonlyMap<string, UnderWay>;
  readonly #receipts: KnownReceipts;
  readonly #findings: Findings;
  readonly #signal: AbortSignal | undefined;
  readonly #ids = new HashTable();
  #objectsAtTop = 0;

  constructor(
    folder: string,
    known: {
      layout: Layout;
      specification: string | undefined;
      underWay: readonly UnderWay[];
      receipts: KnownReceipts;
    },
    findings: Findings,
    signal: AbortSignal | undefined,
  ) {
    this.#folder = folder;
    this.#layout = known.layout;
    this.#specification = known.specification;
    this.#underWay = new Map(known.underWay.map((one) => [one.folder, one]));
    this.#receipts = known.receipts;
    this.#findings = findings;
    this.#signal = signal;
  }

  async check(): Promise<void> {
    for await (const { name, kind } of entriesOf(this.#folder)) {
      if (kind === "folder" && name !== "extensions") await this.#visit(name);
      else if (kind === "file" && this.#layout.isOurs && !isDeclaration(name) && name !== "ocfl_layout.json") {
        // OCFL lets documents lie in a root; this archive puts none there.
        this.#findings.add("W000", name, "The file is not one that this archive writes");
      } else if (kind === "link" || kind === "other") {
        this.#findings.add("E090", name, "Links and special files are not allowed");
      }
    }
    if (this.#objectsAtTop > 0 && this.#objectsAtTop < this.total.objects) {
      this.#findings.add("W015", "", "Some objects lie directly in the storage root and some in folders");
    }
  }

  /** As deep as folders go, which is as deep as a path can name. */
  async #visit(path: string): Promise<void> {
    this.#signal?.throwIfAborted();
    try {
      if (await this.#isObject(path)) await this.#inspect(path);
      else await this.#descend(path);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code;
      if (this.#signal?.aborted || typeof reason !== "string") throw error;
      this.#findings.add("E000", path, `It cannot be read (${reason})`);
    }
  }

  async #isObject(path: string): Promise<boolean> {
    for await (const { name } of entriesOf(join(this.#folder, path))) {
      // One that lost its declaration is told by its inventory.
      if (isObjectDeclaration(name) || name === "inventory.json") return true;
    }
    return false;
  }

  /** Holds folders and nothing else. */
  async #descend(path: string): Promise<void> {
    let entries = 0;
    for await (const { name, kind } of entriesOf(join(this.#folder, path))) {
      entries += 1;
      const at = `${path}/${name}`;
      if (kind === "folder") await this.#visit(at);
      else if (kind === "link" || kind === "other") {
        this.#findings.add("E090", at, "Links and special files are not allowed");
      } else this.#findings.add("E072", at, "A file between the storage root and its objects");
    }
    if (entries === 0) this.#findings.add("E073", path, "The folder is empty");
  }

  async #inspect(path: string): Promise<void> {
    const own = findingsBeside(this.#underWay.get(path));
    const options = { signal: this.#signal, receipts: this.#receipts };
    const object = await inspectObject(join(this.#folder, path), own, options).finally(() => {
      this.#findings.take(own, { below: path });
    });
    if (object.id !== undefined) this.#checkId(object.id, path);
    if (this.#specification !== undefined && (object.specification ?? "") > this.#specification) {
      const detail = `The object is of OCFL ${object.specification}, the storage root of ${this.#specification}`;
      this.#findings.add("E081", path, detail);
    }
    if (!path.includes("/")) this.#objectsAtTop += 1;
    this.total.objects += 1;
    this.total.files += object.files;
    this.total.bytes += object.bytes;
    this.total.versions += object.versions;
    this.total.receiptsVerified += object.receiptsVerified;
  }

  #checkId(id: string, path: string): void {
    if (this.#ids.mark(id, 1) !== 0) this.#findings.add("E037", path, `Another object has the same id: ${id}`);
    if (this.#layout.placing === undefined) return;
    const place = this.#layout.placing(id);
    if (place === undefined) this.#findings.add("E083", path, `The layout has no place for the id ${id}`);
    else if (place !== path) this.#findings.add("E083", path, `The object ${id} belongs to ${place}`);
  }
}
