import type { Findings } from "./findings.ts";
import { HashTable } from "./hash-table.ts";
import { CONTENT, checkPath, LOGICAL, PathSet } from "./paths.ts";
import { type JsonVisitor, type Leaf, readJson } from "./read-json.ts";

/** What a version block says besides its state; a member that is no string is absent and was reported. */
export interface VersionBlock {
  created?: string;
  message?: string;
  userName?: string;
  userAddress?: string;
  hasUser: boolean;
  hasState: boolean;
}

/** The small members of an inventory, and its large ones as tables. */
export interface InventoryFacts {
  id?: string;
  type?: string;
  digestAlgorithm?: string;
  head?: string;
  contentDirectory: string;
  hasManifest: boolean;
  versions: Map<string, VersionBlock>;
  /** Digests by their lower-case text; the bits are {@link IN_MANIFEST} and its neighbours. */
  digests: HashTable;
  contents: PathSet;
}

// A digest may be written in either case, but in the same one in manifest and states (E050).
export const IN_MANIFEST = 1;
export const IN_MANIFEST_UPPER = 2;
export const IN_STATE = 4;
export const IN_STATE_UPPER = 8;

const STRINGS: Record<string, string> = {
  id: "E037",
  type: "E038",
  digestAlgorithm: "E025",
  head: "E040",
  contentDirectory: "E017",
};
const VERSION_MEMBERS: Record<string, string> = { created: "E049", message: "E094", user: "E054", state: "E050" };
const OBJECTS: Record<string, string> = { manifest: "E041", versions: "E044", fixity: "E111" };
const NO_PATHS = "A digest of the manifest has no array of paths";
const BAD_FIXITY = "The fixity block is not of digests with arrays of paths";

/**
 * Reads an inventory's structure (OCFL 1.1, section 3.5) in one pass and reports what is wrong with its form and its
 * paths. Holds about 50 bytes for each digest, content path and logical path of one version, outside the heap.
 * Throws NotJson.
 */
export async function surveyInventory(
  file: string,
  where: string,
  findings: Findings,
  signal?: AbortSignal,
): Promise<InventoryFacts> {
  const survey = new Survey(where, findings);
  await readJson(file, survey, signal);
  return survey.facts;
}

class Survey implements JsonVisitor {
  readonly #where: string;
  readonly #findings: Findings;
  readonly #members = new Set<string>();
  readonly #logical = new PathSet();
  #fixity = new HashTable();
  readonly facts: InventoryFacts = {
    contentDirectory: "content",
    hasManifest: false,
    versions: new Map(),
    digests: new HashTable(),
    contents: new PathSet(),
  };

  constructor(where: string, findings: Findings) {
    this.#where = where;
    this.#findings = findings;
  }

  open(path: readonly string[], kind: "object" | "array"): void {
    const [member, ...rest] = path;
    if (member === undefined) return;
    if (rest.length === 0) this.#openMember(member, kind);
    else if (member === "manifest") this.#openDigest(rest, kind);
    else if (member === "versions") this.#openVersion(rest, kind);
    else if (member === "fixity") this.#openFixity(rest, kind);
    else this.#report("E033", `The member “${member}” holds what it must not`);
  }

  value(path: readonly string[], value: Leaf, inArray: boolean): void {
    const [member, second = "", third] = path;
    if (member === undefined) return;
    if (path.length === 1) {
      if (!inArray) this.#member(member, value);
    } else if (member === "manifest") {
      if (path.length === 2 && inArray) this.#content(value);
      else this.#report("E092", NO_PATHS);
    } else if (member === "fixity") {
      if (path.length !== 3 || !inArray || typeof value !== "string") this.#report("E057", BAD_FIXITY);
    } else if (member === "versions") {
      if (third === "state" && path.length === 4 && inArray) this.#path(second, value);
      else this.#versionValue(second, path.slice(2), value);
    }
  }

  #openMember(member: string, kind: "object" | "array"): void {
    this.#once(member);
    if (member === "manifest") this.facts.hasManifest = true;
    const string = STRINGS[member];
    const object = OBJECTS[member];
    if (string !== undefined) this.#report(string, `“${member}” is not a string`);
    else if (object === undefined) this.#report("E102", `The member “${member}” is not known`);
    else if (kind !== "object") this.#report(object, `“${member}” is not an object`);
  }

  #openDigest(rest: string[], kind: "object" | "array"): void {
    const [digest = ""] = rest;
    if (rest.length > 1 || kind !== "array") {
      this.#report("E092", NO_PATHS);
      return;
    }
    const lower = digest.toLowerCase();
    const before = this.facts.digests.mark(lower, lower === digest ? IN_MANIFEST : IN_MANIFEST_UPPER);
    if ((before & (IN_MANIFEST | IN_MANIFEST_UPPER)) !== 0) {
      this.#report("E096", `The manifest has the digest ${digest} more than once`);
    }
  }

  #openVersion(rest: string[], kind: "object" | "array"): void {
    const [version = "", member, digest] = rest;
    if (rest.length === 1) {
      this.#once(`versions.${version}`);
      this.facts.versions.set(version, { hasUser: false, hasState: false });
      if (kind !== "object") this.#report("E047", `The version ${version} is not an object`);
      return;
    }
    const block = this.facts.versions.get(version);
    if (block === undefined) return;
    if (rest.length === 2 && member === "state" && kind === "object") {
      block.hasState = true;
      this.#logical.clear();
    } else if (rest.length === 2 && member === "user" && kind === "object") {
      block.hasUser = true;
    } else if (rest.length === 3 && member === "state" && kind === "array" && digest !== undefined) {
      const lower = digest.toLowerCase();
      this.facts.digests.mark(lower, lower === digest ? IN_STATE : IN_STATE_UPPER);
    } else {
      this.#versionValue(version, rest.slice(1), null);
    }
  }

  #openFixity(rest: string[], kind: "object" | "array"): void {
    const [algorithm, digest] = rest;
    if (rest.length === 1 && kind === "object") {
      this.#fixity = new HashTable();
    } else if (rest.length === 2 && kind === "array" && digest !== undefined) {
      if (this.#fixity.mark(digest.toLowerCase(), 1) !== 0) {
        this.#report("E097", `The fixity block “${algorithm}” has the digest ${digest} more than once`);
      }
    } else {
      this.#report("E057", BAD_FIXITY);
    }
  }

  #member(member: string, value: Leaf): void {
    this.#once(member);
    const code = STRINGS[member];
    const object = OBJECTS[member];
    if (code !== undefined && typeof value === "string") Object.assign(this.facts, { [member]: value });
    else if (code !== undefined) this.#report(code, `“${member}” is not a string`);
    else if (object !== undefined) this.#report(object, `“${member}” is not an object`);
    else this.#report("E102", `The member “${member}” is not known`);
    // Something of the wrong kind is there all the same: it was reported, and is not missing besides.
    if (member === "manifest") this.facts.hasManifest = true;
  }

  #versionValue(version: string, [member = "", inner, ...deeper]: string[], value: Leaf): void {
    const block = this.facts.versions.get(version);
    const text = typeof value === "string" ? value : undefined;
    if (block === undefined) {
      this.facts.versions.set(version, { hasUser: false, hasState: false });
      this.#report("E047", `The version ${version} is not an object`);
    } else if (text !== undefined && inner === undefined && member === "created") {
      block.created = text;
    } else if (text !== undefined && inner === undefined && member === "message") {
      block.message = text;
    } else if (text !== undefined && member === "user" && inner === "name" && deeper.length === 0) {
      block.userName = text;
    } else if (text !== undefined && member === "user" && inner === "address" && deeper.length === 0) {
      block.userAddress = text;
    } else {
      const code = VERSION_MEMBERS[member] ?? "E102";
      this.#report(code, `“${member}” of ${version} is not what it must be`);
    }
  }

  #content(path: Leaf): void {
    if (typeof path !== "string") {
      this.#report("E092", NO_PATHS);
    } else if (checkPath(path, CONTENT, this.#where, this.#findings)) {
      const conflict = this.facts.contents.add(path);
      if (conflict !== undefined) this.#report("E101", `The content path ${JSON.stringify(path)} ${conflict}`);
    }
  }

  #path(version: string, path: Leaf): void {
    if (typeof path !== "string") {
      this.#report("E051", `${version} has a path that is not a string`);
    } else if (checkPath(path, LOGICAL, this.#where, this.#findings)) {
      const conflict = this.#logical.add(path);
      if (conflict !== undefined) this.#report("E095", `The path ${JSON.stringify(path)} of ${version} ${conflict}`);
    }
  }

  /** JSON readers differ on which of two equal members counts, so an inventory with two says two things. */
  #once(member: string): void {
    if (this.#members.has(member)) this.#report("E033", `The member “${member}” occurs more than once`);
    this.#members.add(member);
  }

  #report(code: string, detail: string): void {
    this.#findings.add(code, this.#where, detail);
  }
}
