import { join } from "node:path";
import type { Findings } from "./findings.ts";
import { HashTable, SetFingerprint } from "./hash-table.ts";
import type { InventoryFacts, VersionBlock } from "./inventory-survey.ts";
import { type JsonVisitor, readJson } from "./read-json.ts";
import { walk } from "./walk.ts";

/** An inventory that was surveyed: where it lies and what it says. */
export interface Surveyed {
  folder: string;
  /** Relative to the object's folder. */
  path: string;
  facts: InventoryFacts;
}

/**
 * Compares an object's older inventories with its newest (OCFL 1.1, section 3.5 and 3.6): one id, one content folder,
 * the same description (W011) and the same state of each version (E066), the same digest of each content file (E092), and every
 * file that was there then in the manifest of then (E023). States are compared by fingerprints, through the newest
 * manifest, so a changed digest algorithm does not matter. Memory: about 100 bytes a content file.
 */
export class VersionComparison {
  readonly #root: Surveyed;
  readonly #findings: Findings;
  /** Content path → one more than the number of its digest in the newest inventory. */
  readonly #contents: HashTable;
  readonly #states: Map<string, string>;

  private constructor(root: Surveyed, findings: Findings, contents: HashTable, states: Map<string, string>) {
    this.#root = root;
    this.#findings = findings;
    this.#contents = contents;
    this.#states = states;
  }

  static async with(root: Surveyed, findings: Findings, signal?: AbortSignal): Promise<VersionComparison> {
    const identity = (digest: string) => root.facts.digests.ordinal(digest.toLowerCase());
    const contents = new HashTable(root.facts.contents.size);
    await eachContent(root, (digest, path) => contents.set(path, (identity(digest) ?? -1) + 1), signal);
    return new VersionComparison(root, findings, contents, await fingerprints(root, identity, signal));
  }

  async compare(older: Surveyed, signal?: AbortSignal): Promise<void> {
    this.#compareMembers(older);
    const identities = await this.#compareContents(older, signal);
    const identity = (digest: string) => {
      const number = identities.get(digest.toLowerCase());
      return number === undefined ? undefined : number - 1;
    };
    for (const [version, fingerprint] of await fingerprints(older, identity, signal)) {
      const wanted = this.#states.get(version);
      if (wanted === undefined || wanted === fingerprint) continue;
      this.#findings.add("E066", older.path, `The state of ${version} is not the one of the newest inventory`);
    }
    await this.#compareFiles(older);
  }

  #compareMembers({ path, facts }: Surveyed): void {
    const root = this.#root.facts;
    if (facts.id !== root.id) this.#findings.add("E037", path, "“id” is not the one of the newest inventory");
    if (facts.contentDirectory !== root.contentDirectory) {
      this.#findings.add("E019", path, "“contentDirectory” is not the one of the newest inventory");
    }
    if (facts.digestAlgorithm !== root.digestAlgorithm) {
      this.#findings.add("W004", path, "“digestAlgorithm” is not the one of the newest inventory");
    }
    for (const [name, block] of facts.versions) {
      const other = root.versions.get(name);
      const same = JSON.stringify(describe(block)) === JSON.stringify(describe(other));
      if (other === undefined) this.#findings.add("E066", path, `The newest inventory does not know ${name}`);
      else if (!same) this.#findings.add("W011", path, `${name} is described otherwise in the newest inventory`);
    }
  }

  /** Returns the older inventory's digests by the number of the newest one's, plus one. */
  async #compareContents(older: Surveyed, signal?: AbortSignal): Promise<HashTable> {
    const identities = new HashTable();
    const sameAlgorithm = older.facts.digestAlgorithm === this.#root.facts.digestAlgorithm;
    const compare = (digest: string, path: string) => {
      const number = this.#contents.get(path);
      if (number === undefined) {
        this.#findings.add("E023", path, `The file is in ${older.path} and not in the newest inventory`);
        return;
      }
      identities.set(digest.toLowerCase(), number);
      if (!sameAlgorithm) return;
      const here = this.#root.facts.digests.ordinal(digest.toLowerCase());
      if (here === undefined || here + 1 !== number) {
        this.#findings.add("E092", path, `${older.path} has another digest for this file than the newest inventory`);
      }
    };
    await eachContent(older, compare, signal);
    return identities;
  }

  async #compareFiles({ folder, path: inventory, facts }: Surveyed): Promise<void> {
    for (const version of facts.versions.keys()) {
      const content = `${version}/${facts.contentDirectory}`;
      for await (const met of walk(join(folder, content))) {
        const path = `${content}/${met.path}`;
        if (met.kind !== "file" || facts.contents.has(path)) continue;
        this.#findings.add("E023", path, `The file is not in the manifest of ${inventory}`);
      }
    }
  }
}

function describe(block: VersionBlock | undefined): unknown {
  return [block?.created, block?.message, block?.userName, block?.userAddress];
}

async function eachContent(
  { folder, path }: Surveyed,
  take: (digest: string, path: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  const visitor: JsonVisitor = {
    open() {},
    value([member, digest, ...rest], value, inArray) {
      if (member !== "manifest" || digest === undefined || rest.length > 0) return;
      if (inArray && typeof value === "string") take(digest, value);
    },
  };
  await readJson(join(folder, path), visitor, signal);
}

/** For each version the set of its (logical path, content), as a fingerprint. */
async function fingerprints(
  { folder, path }: Surveyed,
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
  await readJson(join(folder, path), visitor, signal);
  return new Map([...sets].map(([version, set]) => [version, set.toString()]));
}
