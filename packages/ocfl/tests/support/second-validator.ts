import { createHash } from "node:crypto";
import { type Json, Members, readMembers } from "./json-members.ts";

/** An object's folder: files by their paths, and folders, whose paths end with a slash, that hold nothing. */
export type Tree = Map<string, Buffer>;

/**
 * A second validator for OCFL objects, written from the text of the specification (1.0 and 1.1, section 3) and for small
 * objects in memory. It shares no code with the service. Returns the codes of all errors and warnings that it knows of.
 */
export function validate(tree: Tree): Set<string> {
  const object = new ObjectCheck(tree);
  object.check();
  return object.codes;
}

const SIDECAR_ALGORITHMS = ["sha512", "sha256"];
const DIGITS: Record<string, number> = { md5: 32, sha1: 40, sha256: 64, sha512: 128 };
const isText = (value: Json | undefined): value is string => typeof value === "string";
const sha = (algorithm: string, content: Buffer) => createHash(algorithm).update(content).digest("hex");
const numberOf = (name: string) => (/^v0*[1-9]\d*$/.test(name) ? Number(name.slice(1)) : undefined);
const isUri = (text: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text);

class ObjectCheck {
  readonly codes = new Set<string>();
  readonly #tree: Tree;
  #specification = "1.1";

  constructor(tree: Tree) {
    this.#tree = tree;
  }

  check(): void {
    this.#declaration();
    const root = this.#tree.has("inventory.json") ? this.#inventory("inventory.json") : this.#nothing("E063");
    if (root === undefined) return;
    const { versions, contentDirectory, manifest, algorithm } = root;
    this.#rootFolder(root);
    const names = [...versions.keys()].sort((a, b) => (numberOf(a) ?? 0) - (numberOf(b) ?? 0));
    for (const name of names) this.#versionFolder(name, root, name === names.at(-1));
    for (const [digest, paths] of manifest) {
      for (const path of paths) {
        const content = this.#tree.get(path);
        const wanted = SIDECAR_ALGORITHMS.includes(algorithm) ? digest.toLowerCase() : "";
        this.#if(content === undefined || (wanted !== "" && sha(algorithm, content) !== wanted), "E092");
        const [version = "", folder, ...rest] = path.split("/");
        this.#if(!versions.has(version) || folder !== contentDirectory || rest.length === 0, "E042");
      }
    }
    const named = new Set([...manifest.values()].flat());
    for (const path of this.#tree.keys()) {
      const [version = "", folder] = path.split("/");
      const isContent = versions.has(version) && folder === contentDirectory;
      if (!isContent) continue;
      if (path.endsWith("/")) this.#add(path === `${version}/${folder}/` ? "W003" : "E024");
      else this.#if(!named.has(path), "E023");
    }
  }

  #declaration(): void {
    const names = this.#here("").files.filter((name) => name.startsWith("0=") || /=ocfl/.test(name));
    const [name = ""] = names;
    const specification = /^0=ocfl_object_(1\.[01])$/.exec(name)?.[1];
    this.#if(names.length !== 1 || specification === undefined, "E003");
    this.#specification = specification ?? "1.1";
    this.#if(this.#tree.get(name)?.toString() !== `${name.slice(2)}\n`, "E007");
  }

  #rootFolder({ versions, algorithm }: Inventory): void {
    const { files, folders } = this.#here("");
    for (const name of files) {
      const isOwn = name === "inventory.json" || name === `inventory.json.${algorithm}` || /^0=|=ocfl/.test(name);
      this.#if(!isOwn, "E001");
    }
    for (const name of folders) {
      if (name === "logs" || versions.has(name)) continue;
      if (name === "extensions") this.#extensions();
      else this.#add(numberOf(name) === undefined ? "E001" : "E046");
    }
    for (const name of versions.keys()) this.#if(!folders.includes(name), "E010");
  }

  #extensions(): void {
    const { files, folders } = this.#here("extensions/");
    this.#if(files.length > 0, "E067");
    this.#if(
      folders.some((name) => !/^\d{4}-/.test(name)),
      "W013",
    );
  }

  #versionFolder(name: string, root: Inventory, isNewest: boolean): void {
    const { files, folders } = this.#here(`${name}/`);
    const path = `${name}/inventory.json`;
    const own = files.includes("inventory.json");
    const inventory = own ? this.#inventory(path, !isNewest) : undefined;
    const sidecars = inventory === undefined ? SIDECAR_ALGORITHMS : [inventory.algorithm];
    for (const file of files) {
      const isSidecar = own && sidecars.some((algorithm) => file === `inventory.json.${algorithm}`);
      this.#if(file !== "inventory.json" && !isSidecar, "E015");
    }
    this.#if(
      folders.some((folder) => folder !== root.contentDirectory),
      "W002",
    );
    const exists = files.length + folders.length > 0 || this.#tree.has(`${name}/`);
    this.#if(exists && !own, "W010");
    if (own && isNewest) {
      const same = this.#tree.get(path)?.equals(this.#tree.get("inventory.json") ?? Buffer.alloc(0));
      this.#if(same !== true, "E064");
    } else if (inventory !== undefined) this.#older(name, inventory, root);
  }

  /** What an older inventory and the newest have to agree on (sections 3.5.3 and 3.7). */
  #older(name: string, older: Inventory, root: Inventory): void {
    this.#if(older.id !== root.id, "E037");
    this.#if(older.contentDirectory !== root.contentDirectory, "E019");
    this.#if(older.head !== name, "E040");
    this.#if(older.type > root.type, "E103");
    for (const [digest, paths] of older.manifest) {
      for (const path of paths) {
        const content = this.#tree.get(path);
        const isKnown = [...root.manifest.values()].flat().includes(path);
        this.#if(!isKnown, "E023");
        if (!isKnown || content === undefined || !SIDECAR_ALGORITHMS.includes(older.algorithm)) continue;
        this.#if(sha(older.algorithm, content) !== digest.toLowerCase(), "E092");
      }
    }
    const then = new Set([...older.manifest.values()].flat());
    for (const path of [...root.manifest.values()].flat()) {
      const version = numberOf(path.split("/")[0] ?? "") ?? 0;
      this.#if(version > 0 && version <= (numberOf(name) ?? 0) && !then.has(path), "E023");
    }
    for (const [version, block] of older.versions) {
      const now = root.versions.get(version);
      if (now === undefined) this.#add("E066");
      else {
        this.#if(now.described !== block.described, "W011");
        this.#if(contentOf(block, older) !== contentOf(now, root), "E066");
      }
    }
  }

  #inventory(path: string, isOlder = false): Inventory | undefined {
    const text = this.#tree.get(path) ?? Buffer.alloc(0);
    let json: Json;
    try {
      json = readMembers(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(text));
    } catch {
      return this.#nothing("E033");
    }
    if (!(json instanceof Members)) return this.#nothing("E033");
    const inventory = new InventoryCheck(json, this.#specification, (code) => {
      if (!isOlder || code.startsWith("E") || code === "W004") this.#add(code);
    }).check();
    this.#sidecar(path, inventory.algorithm);
    for (const [algorithm, digests] of inventory.fixity) this.#fixity(algorithm, digests, inventory);
    return inventory;
  }

  #sidecar(path: string, algorithm: string): void {
    const sidecar = this.#tree.get(`${path}.${algorithm}`)?.toString();
    const [, digest] = /^([0-9a-fA-F]+)[ \t]+inventory\.json\r?\n?$/.exec(sidecar ?? "") ?? [];
    this.#if(digest === undefined, sidecar === undefined ? "E058" : "E061");
    if (digest === undefined || !SIDECAR_ALGORITHMS.includes(algorithm)) return;
    this.#if(sha(algorithm, this.#tree.get(path) ?? Buffer.alloc(0)) !== digest.toLowerCase(), "E060");
  }

  #fixity(algorithm: string, digests: Map<string, string[]>, { manifest }: Inventory): void {
    const known = new Set([...manifest.values()].flat());
    this.#if(DIGITS[algorithm] === undefined, "W000");
    for (const [digest, paths] of DIGITS[algorithm] === undefined ? [] : digests) {
      if (!isDigest(algorithm, digest)) this.#add("E057");
      else {
        for (const path of paths) {
          const content = this.#tree.get(path);
          const holds = content !== undefined && sha(algorithm, content) === digest.toLowerCase();
          this.#if(!known.has(path) || !holds, "E093");
        }
      }
    }
  }

  #here(below: string): { files: string[]; folders: string[] } {
    const names = [...this.#tree.keys()].filter((path) => path.startsWith(below) && path !== below);
    const parts = names.map((path) => path.slice(below.length).split("/"));
    const files = parts.flatMap(([name = "", ...rest]) => (rest.length === 0 ? [name] : []));
    const folders = new Set(parts.flatMap(([name = "", ...rest]) => (rest.length > 0 ? [name] : [])));
    return { files, folders: [...folders] };
  }

  #if(isWrong: boolean, code: string): void {
    if (isWrong) this.#add(code);
  }

  /** Thrown where the validation cannot continue. */
  #nothing(code: string): undefined {
    this.#add(code);
  }

  #add(code: string): void {
    this.codes.add(code);
  }
}

interface Block {
  /** The members of inventories that are compared besides the state. */
  described: string;
  state: Map<string, string[]>;
}

interface Inventory {
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
class InventoryCheck {
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

/** A state as text: the content paths of each logical path. */
function contentOf({ state }: Block, { manifest }: Inventory): string {
  return JSON.stringify(
    [...state]
      .flatMap(([digest, paths]) => paths.map((path) => [path, [...(manifest.get(digest) ?? [])].sort()[0] ?? digest]))
      .sort(),
  );
}

function isDigest(algorithm: string, digest: string): boolean {
  return digest.length === DIGITS[algorithm] && /^[0-9a-f]+$/i.test(digest);
}

function isTime(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text)) return false;
  const [year, month, day] = text.split(/[-T]/i).map(Number);
  const isDay = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
  return isDay && !Number.isNaN(Date.parse(text.toUpperCase()));
}
