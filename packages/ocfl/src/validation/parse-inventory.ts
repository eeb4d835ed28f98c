import { createHash } from "node:crypto";
import type { OcflCode } from "../codes.ts";
import type { Findings } from "../findings.ts";
import { digitsOf } from "../io/digests.ts";
import { HashTable } from "../io/hash-table.ts";
import { type JsonVisitor, type Leaf, readJson, TooLarge } from "../io/read-json.ts";
import {
  emptyFacts,
  IN_MANIFEST,
  IN_MANIFEST_UPPER,
  IN_STATE,
  IN_STATE_UPPER,
  type InventoryFacts,
  LIKE_SHA256,
  LIKE_SHA512,
  type VersionBlock,
} from "./inventory-facts.ts";
import { CONTENT, checkPath, isBackslashed, LOGICAL, PathSet, resolved } from "./paths.ts";

const STRINGS: Record<string, OcflCode> = {
  id: "E037",
  type: "E038",
  digestAlgorithm: "E025",
  head: "E040",
  contentDirectory: "E017",
};
const VERSION_MEMBERS: Record<string, OcflCode> = { created: "E049", message: "E094", user: "E054", state: "E050" };
const OBJECTS: Record<string, OcflCode> = { manifest: "E106", versions: "E045", fixity: "E111" };
const BAD_FIXITY = "The fixity block does not consist of digests with arrays of paths";
/** Limit for the number of versions. A version takes some hundred bytes in memory. */
const MOST_VERSIONS = 100_000;
/** Longer texts are replaced by a digest, which is enough to compare them. */
const KEPT = 500;

/**
 * Reads an inventory's structure (OCFL 1.1, section 3.5) in one pass and reports faults of its form and its paths. Uses
 * about 50 bytes for each digest, content path and logical path of one version, outside the JavaScript heap. Throws
 * InvalidJson, also for an inventory of more than 100,000 versions.
 */
export async function parseInventory(
  file: string,
  where: string,
  findings: Findings,
  signal?: AbortSignal,
): Promise<InventoryFacts> {
  const parser = new InventoryParser(where, findings);
  await readJson(file, parser, signal);
  return parser.facts;
}

class InventoryParser implements JsonVisitor {
  readonly #where: string;
  readonly #findings: Findings;
  readonly #members = new HashTable();
  readonly #logical = new PathSet();
  readonly #stateDigests = new HashTable();
  #fixity = new HashTable();
  readonly facts = emptyFacts();

  constructor(where: string, findings: Findings) {
    this.#where = where;
    this.#findings = findings;
  }

  open(path: readonly string[], kind: "object" | "array", inArray: boolean): void {
    const [member, ...rest] = path;
    if (member === undefined) return;
    if (inArray) this.#nested(path);
    else if (rest.length === 0) this.#openMember(member, kind);
    else if (member === "manifest") this.#openDigest(rest, kind);
    else if (member === "versions") this.#openVersion(rest, kind);
    else if (member === "fixity") this.#openFixity(rest, kind);
  }

  value(path: readonly string[], value: Leaf, inArray: boolean): void {
    const [member, second = "", third] = path;
    if (member === undefined) return;
    if (path.length === 1) {
      if (!inArray) this.#member(member, value);
    } else if (member === "manifest") {
      if (path.length === 2 && inArray) this.#content(value);
      else this.#noPaths();
    } else if (member === "fixity") {
      if (path.length !== 3 || !inArray || typeof value !== "string") this.#report("E057", BAD_FIXITY);
    } else if (member === "versions") {
      if (third === "state" && path.length === 4 && inArray) this.#path(second, value);
      else if (!inArray) this.#versionValue(second, path.slice(2), value);
    }
  }

  /** Reports nested values in arrays of paths. Arrays in other positions were reported before. */
  #nested([member, version, third, digest]: readonly string[]): void {
    if (member === "manifest" && version !== undefined) this.#noPaths();
    else if (member === "fixity" && third !== undefined) this.#report("E057", BAD_FIXITY);
    else if (version === undefined) return;
    else if (member === "versions" && third === "state" && digest !== undefined) {
      this.#wrongInVersion(version, third, digest);
    }
  }

  #openMember(member: string, kind: "object" | "array"): void {
    this.#once(member);
    const string = lookUp(STRINGS, member);
    const object = lookUp(OBJECTS, member);
    if ((string ?? object) !== undefined) this.facts.has.add(member);
    if (string !== undefined) this.#report(string, `“${member}” is not a string`);
    else if (object === undefined) this.#report("E102", `The member “${member}” is unknown`);
    else if (kind !== "object") this.#noObject(member, object);
  }

  #noObject(member: string, code: OcflCode): void {
    if (member === "manifest" || member === "versions") this.facts.invalidBlocks.add(member);
    this.#report(code, `“${member}” is not an object`);
  }

  #noPaths(): void {
    this.facts.invalidBlocks.add("manifest");
    this.#report("E092", "A digest of the manifest has no array of paths");
  }

  #openDigest(rest: string[], kind: "object" | "array"): void {
    const [digest = ""] = rest;
    if (rest.length > 1 || kind !== "array") {
      this.#noPaths();
      return;
    }
    const lower = digest.toLowerCase();
    const form = FORMS[lower.length] ?? 0;
    const like = /^[0-9a-f]+$/.test(lower) ? form : 0;
    const before = this.facts.digests.mark(lower, like | (lower === digest ? IN_MANIFEST : IN_MANIFEST_UPPER));
    if ((before & (IN_MANIFEST | IN_MANIFEST_UPPER)) !== 0) {
      this.#report("E096", `The manifest has the digest ${digest} more than once`);
    }
  }

  #openVersion(rest: string[], kind: "object" | "array"): void {
    const [version = "", member = "", inner] = rest;
    if (rest.length === 1) {
      const block = this.#version(version);
      if (kind !== "object") this.#notAnObject(version, block);
      return;
    }
    const block = this.facts.versions.get(version);
    if (block === undefined) return;
    if (rest.length === 2) this.#onceInVersion(version, block, member);
    if (rest.length === 2 && member === "state" && kind === "object") {
      this.#logical.clear();
      this.#stateDigests.clear();
    } else if (rest.length === 3 && member === "state" && kind === "array" && inner !== undefined) {
      this.#stateDigest(version, inner);
    } else if (rest.length === 2 && member === "user" && kind === "object") {
      block.isUserObject = true;
    } else {
      this.#wrongInVersion(version, member, inner);
    }
  }

  #version(version: string): VersionBlock {
    this.#once(`versions.${version}`);
    if (this.facts.versions.size >= MOST_VERSIONS) {
      throw new TooLarge(`it has more than ${MOST_VERSIONS.toLocaleString("en")} versions`);
    }
    const block = { has: new Set<string>(), isUserObject: false, isObject: true };
    this.facts.versions.set(version, block);
    return block;
  }

  #notAnObject(version: string, block: VersionBlock): void {
    block.isObject = false;
    this.facts.invalidBlocks.add("versions");
    this.#report("E047", `The version ${version} is not an object`);
  }

  #stateDigest(version: string, digest: string): void {
    const lower = digest.toLowerCase();
    this.facts.digests.mark(lower, lower === digest ? IN_STATE : IN_STATE_UPPER);
    if (this.#stateDigests.mark(digest, 1) === 0) return;
    this.#report("E033", `The state of ${version} has the digest ${digest} more than once`);
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
    const code = lookUp(STRINGS, member);
    const object = lookUp(OBJECTS, member);
    if ((code ?? object) !== undefined) this.facts.has.add(member);
    if (code !== undefined && typeof value === "string") Object.assign(this.facts, { [member]: value });
    else if (code !== undefined) this.#report(code, `“${member}” is not a string`);
    else if (object !== undefined) this.#noObject(member, object);
    else this.#report("E102", `The member “${member}” is unknown`);
  }

  #versionValue(version: string, [member = "", inner, ...deeper]: string[], value: Leaf): void {
    const text = typeof value === "string" ? kept(value) : undefined;
    const block = this.facts.versions.get(version);
    if (block === undefined) {
      this.#notAnObject(version, this.#version(version));
      return;
    }
    if (inner === undefined) this.#onceInVersion(version, block, member);
    else if (deeper.length === 0) this.#onceInVersion(version, block, `${member}.${inner}`);
    if (text !== undefined && inner === undefined && member === "created") {
      block.created = text;
    } else if (text !== undefined && inner === undefined && member === "message") {
      block.message = text;
    } else if (text !== undefined && member === "user" && inner === "name" && deeper.length === 0) {
      block.userName = text;
    } else if (text !== undefined && member === "user" && inner === "address" && deeper.length === 0) {
      block.userAddress = text;
    } else {
      this.#wrongInVersion(version, member, inner);
    }
  }

  #wrongInVersion(version: string, member: string, inner: string | undefined): void {
    if (member === "state") this.facts.invalidBlocks.add("versions");
    if (member === "state" && inner !== undefined) {
      this.#report("E051", `The digest ${inner} in the state of ${version} has no array of paths`);
    } else {
      this.#report(lookUp(VERSION_MEMBERS, member) ?? "E102", `“${member}” of ${version} has an invalid value`);
    }
  }

  #content(path: Leaf): void {
    if (typeof path !== "string") {
      this.#noPaths();
    } else if (checkPath(path, CONTENT, this.#where, this.#findings)) {
      const conflict = this.facts.contents.add(path);
      if (conflict !== undefined) this.#report("E101", `The content path ${JSON.stringify(path)} ${conflict}`);
      if (isBackslashed(path)) this.facts.invalidPathTargets.set(path.replaceAll("\\", "/"), 1);
    } else {
      this.facts.invalidPathTargets.set(resolved(path), 1);
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

  /** Reports a repeated member, because JSON parsers differ in which of the two values they use. */
  #once(member: string): void {
    if (this.#members.mark(member, 1) !== 0) this.#report("E033", `The member “${member}” occurs more than once`);
  }

  #onceInVersion(version: string, block: VersionBlock, member: string): void {
    if (!KNOWN_IN_VERSION.has(member)) return;
    if (block.has.has(member)) this.#report("E033", `“${member}” occurs more than once in ${version}`);
    block.has.add(member);
  }

  #report(code: OcflCode, detail: string): void {
    this.#findings.add(code, this.#where, detail);
  }
}

const KNOWN_IN_VERSION = new Set([...Object.keys(VERSION_MEMBERS), "user.name", "user.address"]);
const FORMS: Readonly<Record<number, number>> = {
  [digitsOf("sha512") ?? 0]: LIKE_SHA512,
  [digitsOf("sha256") ?? 0]: LIKE_SHA256,
};

/** Names come from the inventory, so inherited properties such as `constructor` are ignored. */
function lookUp(table: Record<string, OcflCode>, name: string): OcflCode | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function kept(text: string): string {
  return text.length <= KEPT ? text : `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
