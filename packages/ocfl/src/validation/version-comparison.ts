import { join } from "node:path";
import type { Findings } from "../findings.ts";
import { readManifest } from "../inventory/read-inventory.ts";
import { HashTable, SetFingerprint } from "../io/hash-table.ts";
import { type JsonVisitor, readJson } from "../io/read-json.ts";
import type { ExpectedDigests } from "./expected-digests.ts";
import { checkFixity } from "./fixity-check.ts";
import type { LoadedInventory } from "./inventory-check.ts";
import type { VersionBlock } from "./inventory-facts.ts";
import { INVENTORY_ALGORITHMS, locationFault, versionNumber } from "./inventory-rules.ts";

/**
 * Compares an object's older inventories with its newest: the same id and content folder, the same description (W011)
 * and the same state of each version (E066), the same digest of each content file (E092), and every file of that time
 * in the manifest of that time (E023). States are compared by fingerprints; if the digest algorithm changed, they are
 * compared through the content files. Memory: about 100 bytes for each content file.
 */
export class VersionComparison {
  readonly #root: LoadedInventory;
  readonly #findings: Findings;
  readonly #expectedDigests: ExpectedDigests;
  /** Content path → ordinal of its digest in the newest inventory, plus one. */
  readonly #contents: HashTable;
  readonly #states: Map<string, string>;
  /** Version's number → number of content files of the newest manifest in its folder. */
  readonly #files = new Map<number, number>();

  private constructor(
    root: LoadedInventory,
    findings: Findings,
    expectedDigests: ExpectedDigests,
    tables: { contents: HashTable; states: Map<string, string> },
  ) {
    this.#root = root;
    this.#findings = findings;
    this.#expectedDigests = expectedDigests;
    this.#contents = tables.contents;
    this.#states = tables.states;
  }

  static async with(
    root: LoadedInventory,
    findings: Findings,
    expectedDigests: ExpectedDigests,
    signal: AbortSignal | undefined,
  ): Promise<VersionComparison> {
    const identity = (digest: string) => root.facts.digests.ordinal(digest.toLowerCase());
    const tables = {
      contents: new HashTable(root.facts.contents.files),
      states: await fingerprints(root, identity, signal),
    };
    const comparison = new VersionComparison(root, findings, expectedDigests, tables);
    const count = (path: string, digest: string) => {
      // A repeated path was reported before.
      if (tables.contents.set(path, (identity(digest) ?? -1) + 1) !== 0) return;
      const version = versionOf(path);
      comparison.#files.set(version, (comparison.#files.get(version) ?? 0) + 1);
    };
    await readManifest(fileOf(root), count, signal);
    return comparison;
  }

  async compare(older: LoadedInventory, signal?: AbortSignal): Promise<void> {
    this.#compareMembers(older);
    const isSameAlgorithm = older.facts.digestAlgorithm === this.#root.facts.digestAlgorithm;
    const numbers = await this.#compareContents(older, isSameAlgorithm, signal);
    const identity = isSameAlgorithm
      ? (digest: string) => this.#root.facts.digests.ordinal(digest.toLowerCase())
      : (digest: string) => {
          const number = numbers.get(digest.toLowerCase());
          return number === undefined ? undefined : number - 1;
        };
    for (const [version, fingerprint] of await fingerprints(older, identity, signal)) {
      const wanted = this.#states.get(version);
      if (wanted === undefined || wanted === fingerprint) continue;
      this.#findings.add("E066", older.path, `The state of ${version} differs from the one in the newest inventory`);
    }
    await checkFixity(older, this.#expectedDigests, this.#findings, signal);
  }

  #compareMembers({ path, facts }: LoadedInventory): void {
    const root = this.#root.facts;
    if (facts.id && root.id && facts.id !== root.id)
      this.#findings.add("E037", path, "“id” differs from the one in the newest inventory");
    if (facts.contentDirectory !== root.contentDirectory) {
      this.#findings.add("E019", path, "“contentDirectory” differs from the one in the newest inventory");
    }
    for (const [name, block] of facts.versions) {
      const other = root.versions.get(name);
      const same = JSON.stringify(describe(block)) === JSON.stringify(describe(other));
      if (other === undefined) this.#findings.add("E066", path, `The newest inventory does not contain ${name}`);
      else if (!same) this.#findings.add("W011", path, `${name} is described differently in the newest inventory`);
    }
  }

  /** Returns the older inventory's digests by the ordinal of the newest one's, plus one. */
  async #compareContents(older: LoadedInventory, isSameAlgorithm: boolean, signal?: AbortSignal): Promise<HashTable> {
    const numbers = new HashTable();
    const { digestAlgorithm: algorithm = "" } = older.facts;
    let common = 0;
    let isMisspelt = false;
    const compare = (path: string, digest: string) => {
      const number = this.#contents.get(path);
      if (number === undefined) {
        const fault = locationFault(path, older.facts, new Set([older.facts.contentDirectory]));
        if (fault?.code !== "E014") {
          this.#findings.add("E023", path, `The file is in ${older.path}, but not in the newest inventory`);
        } else if (!isMisspelt) {
          this.#findings.add("E014", older.path, fault.detail);
          isMisspelt = true;
        }
        return;
      }
      common += 1;
      numbers.set(digest.toLowerCase(), number);
      if (isSameAlgorithm) this.#compareDigest(older, digest, path, number);
      else if (INVENTORY_ALGORITHMS.includes(algorithm)) this.#expectedDigests.add("E092", algorithm, digest, path);
    };
    await readManifest(fileOf(older), compare, signal);
    if (!isMisspelt && common < this.#filesUpTo(older)) await this.#nameAbsent(older, signal);
    return numbers;
  }

  #compareDigest(older: LoadedInventory, digest: string, path: string, number: number): void {
    const here = this.#root.facts.digests.ordinal(digest.toLowerCase());
    if (here !== undefined && here + 1 === number) return;
    this.#findings.add("E092", path, `${older.path} states another digest for this file than the newest inventory`);
  }

  /** Number of content files in the newest inventory that existed when the older one was written. */
  #filesUpTo({ path }: LoadedInventory): number {
    let files = 0;
    for (const [version, count] of this.#files) if (version <= versionOf(path)) files += count;
    return files;
  }

  async #nameAbsent(older: LoadedInventory, signal?: AbortSignal): Promise<void> {
    const name = (path: string) => {
      if (versionOf(path) > versionOf(older.path) || older.facts.contents.has(path)) return;
      this.#findings.add("E023", path, `The file is not in the manifest of ${older.path}`);
    };
    await readManifest(fileOf(this.#root), name, signal);
  }
}

/** The number of the version whose folder contains a path; 0 if there is none. */
function versionOf(path: string): number {
  return versionNumber(path.slice(0, path.indexOf("/"))) ?? 0;
}

function describe(block: VersionBlock | undefined): unknown {
  return [block?.created, block?.message, block?.userName, block?.userAddress];
}

function fileOf({ files, path }: LoadedInventory): string {
  return join(files.folder, path);
}

/** A fingerprint of the set of (logical path, content) for each version. */
async function fingerprints(
  inventory: LoadedInventory,
  identity: (digest: string) => number | undefined,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const sets = new Map<string, SetFingerprint>();
  const visitor: JsonVisitor = {
    open([member, version, third]) {
      if (member === "versions" && version !== undefined && third === undefined)
        sets.set(version, new SetFingerprint());
    },
    value([member, version = "", third, digest, ...rest], value, inArray) {
      if (member !== "versions" || third !== "state" || digest === undefined || rest.length > 0) return;
      if (inArray && typeof value === "string") sets.get(version)?.add(`${identity(digest)}/${value}`);
    },
  };
  await readJson(fileOf(inventory), visitor, signal);
  return new Map([...sets].map(([version, set]) => [version, set.toString()]));
}
