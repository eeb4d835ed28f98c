import { type Json, Members } from "./json-members.ts";

export const SIDECAR_ALGORITHMS = ["sha512", "sha256"];
export const DIGITS: Record<string, number> = { md5: 32, sha1: 40, sha256: 64, sha512: 128 };
const isText = (value: Json | undefined): value is string => typeof value === "string";
export const numberOf = (name: string) => (/^v0*[1-9]\d*$/.test(name) ? Number(name.slice(1)) : undefined);
const isUri = (text: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text);

export interface Block {
  /** The members of inventories that are compared, besides the state. */
  described: string;
  state: Map<string, string[]>;
}

export interface Inventory {
  id: string;
  type: string;
  algorithm: string;
  head: string;
  contentDirectory: string;
  manifest: Map<string, string[]>;
  versions: Map<string, Block>;
  fixity: Map<string, Map<string, string[]>>;
}

/** A single inventory (section 3.5). */
export class InventoryCheck {
  readonly #json: Members;
  readonly #specification: string;
  readonly #add: (code: string) => void;

  constructor(json: Members, specification: string, add: (code: string) => void) {
    this.#json = json;
    this.#specification = specification;
    this.#add = add;
  }

  check(): Inventory {
    const known = ["id", "type", "digestAlgorithm", "head", "contentDirectory", "manifest", "versions", "fixity"];
    this.#members(this.#json, known);
    const type = this.#text("type", "E036");
    const specification = /^https:\/\/ocfl\.io\/(1\.[01])\/spec\/#inventory$/.exec(type)?.[1];
    this.#if(specification === undefined || specification > this.#specification, "E038");
    const algorithm = this.#text("digestAlgorithm", "E036");
    this.#if(!SIDECAR_ALGORITHMS.includes(algorithm), "E025");
    this.#if(algorithm === "sha256", "W004");
    const id = this.#text("id", "E036");
    this.#if(!isUri(id), "W005");
    const contentDirectory =
      this.#json.get("contentDirectory") === undefined ? "content" : this.#text("contentDirectory", "E017");
    this.#if(contentDirectory.includes("/"), "E017");
    this.#if([".", ".."].includes(contentDirectory), "E018");
    const manifest = this.#digests(this.#json.get("manifest"), "E041", this.#path("E099", "E101"));
    const lower = [...manifest.keys()].map((digest) => digest.toLowerCase());
    this.#if(new Set(lower).size < lower.length, "E096");
    if (SIDECAR_ALGORITHMS.includes(algorithm)) {
      for (const digest of manifest.keys()) this.#if(!isDigest(algorithm, digest), "E039");
    }
    const versions = this.#versions(manifest);
    const head = this.#text("head", "E036");
    const newest = [...versions.keys()].sort((a, b) => (numberOf(a) ?? 0) - (numberOf(b) ?? 0)).at(-1);
    this.#if(newest !== undefined && head !== newest, "E040");
    const used = new Set([...versions.values()].flatMap(({ state }) => [...state.keys()]));
    const isUnused = [...manifest.keys()].some((digest) => !used.has(digest));
    this.#if(isUnused, (specification ?? this.#specification) === "1.0" ? "W000" : "E107");
    return {
      id,
      type: specification ?? "",
      algorithm: algorithm === "" ? "sha512" : algorithm,
      head,
      contentDirectory,
      manifest,
      versions,
      fixity: this.#fixity(),
    };
  }

  #versions(manifest: Map<string, string[]>): Map<string, Block> {
    const json = this.#json.get("versions");
    if (!(json instanceof Members)) return this.#empty("E044");
    this.#if(json.hasTwice, "E033");
    const names = json.names.toSorted((a, b) => (numberOf(a) ?? 0) - (numberOf(b) ?? 0));
    this.#if(names.length === 0, "E008");
    this.#if(
      names.some((name) => numberOf(name) === undefined),
      "E046",
    );
    this.#if(
      names.some((name, index) => numberOf(name) !== index + 1),
      "E010",
    );
    const widths = new Set(names.map((name) => (name.startsWith("v0") ? name.length : 0)));
    this.#if(widths.size > 1, "E013");
    this.#if(
      names.some((name) => name.startsWith("v0")),
      "W001",
    );
    return new Map(json.list.map(([name, block]) => [name, this.#block(block, manifest)]));
  }

  #block(json: Json, manifest: Map<string, string[]>): Block {
    if (!(json instanceof Members)) return { described: "", state: this.#empty("E047") };
    this.#members(json, ["created", "state", "message", "user"]);
    const [created, message, user] = [json.get("created"), json.get("message"), json.get("user")];
    if (created === undefined) this.#add("E048");
    else this.#if(!isText(created) || !isTime(created), "E049");
    this.#if(message === undefined || user === undefined, "W007");
    this.#if(message !== undefined && !isText(message), "E094");
    if (user instanceof Members) {
      this.#members(user, ["name", "address"]);
      const [name, address] = [user.get("name"), user.get("address")];
      this.#if(!isText(name) || name === "", "E054");
      this.#if(address === undefined, "W008");
      this.#if(address !== undefined && !isText(address), "E054");
      this.#if(isText(address) && !isUri(address), "W009");
    } else if (user !== undefined) this.#add("E054");
    const state = this.#digests(json.get("state"), "E048", this.#path("E052", "E095"));
    for (const digest of state.keys()) this.#if(!manifest.has(digest), "E050");
    const person = user instanceof Members ? [user.get("name"), user.get("address")] : [];
    const described = JSON.stringify([created, message, ...person].map((value) => (isText(value) ? value : undefined)));
    return { described, state };
  }

  #fixity(): Map<string, Map<string, string[]>> {
    const json = this.#json.get("fixity");
    if (json === undefined) return new Map();
    if (!(json instanceof Members)) return this.#empty("E111");
    return new Map(
      json.list.map(([algorithm, digests]) => {
        const found = this.#digests(digests, "E057", this.#path("E099", ""));
        const lower = [...found.keys()].map((digest) => digest.toLowerCase());
        this.#if(new Set(lower).size < lower.length, "E097");
        return [algorithm, found];
      }),
    );
  }

  /** An object of digests with arrays of paths. */
  #digests(json: Json | undefined, code: string, path: (path: string) => void): Map<string, string[]> {
    if (!(json instanceof Members)) return this.#empty(code);
    this.#if(json.hasTwice, "E033");
    const found = new Map<string, string[]>();
    for (const [digest, paths] of json.list) {
      if (!Array.isArray(paths) || !paths.every(isText)) this.#add("E051");
      else {
        for (const one of paths) path(one);
        found.set(digest, paths);
      }
    }
    return found;
  }

  /** Checks paths one by one, and against each other. */
  #path(element: string, conflict: string): (path: string) => void {
    const before: string[] = [];
    return (path) => {
      this.#if(
        path.split("/").some((part) => ["", ".", ".."].includes(part)),
        element,
      );
      const isTaken = before.some((one) => one === path || one.startsWith(`${path}/`) || path.startsWith(`${one}/`));
      if (conflict !== "") this.#if(isTaken, conflict);
      before.push(path);
    };
  }

  #members(json: Members, known: readonly string[]): void {
    this.#if(json.hasTwice, "E033");
    this.#if(
      json.names.some((name) => !known.includes(name)),
      "E102",
    );
  }

  #text(member: string, code: string): string {
    const value = this.#json.get(member);
    if (isText(value) && value !== "") return value;
    this.#add(code);
    return "";
  }

  #empty<T>(code: string): Map<string, T> {
    this.#add(code);
    return new Map();
  }

  #if(isWrong: boolean, code: string): void {
    if (isWrong) this.#add(code);
  }
}

export function isDigest(algorithm: string, digest: string): boolean {
  return digest.length === DIGITS[algorithm] && /^[0-9a-f]+$/i.test(digest);
}

function isTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text)) return false;
  const [year, month, day] = text.split(/[-T]/i).map(Number);
  const isDay = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
  return isDay && !Number.isNaN(Date.parse(text.toUpperCase()));
}
