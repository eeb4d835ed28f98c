import { createHash } from "node:crypto";
import { type Json, Members, readMembers } from "./json-members.ts";
import {
  type Block,
  DIGITS,
  type Inventory,
  InventoryCheck,
  isDigest,
  numberOf,
  SIDECAR_ALGORITHMS,
} from "./second-validator-inventory.ts";

/** An object's folder: files by their paths, and empty folders, whose paths end with a slash. */
export type Tree = Map<string, Buffer>;

/**
 * A second validator for OCFL objects, written from the text of the specification (1.0 and 1.1, section 3) for small
 * objects in memory. It shares no code with the package. Returns the codes of all errors and warnings that it
 * implements.
 */
export function validate(tree: Tree): Set<string> {
  const object = new ObjectCheck(tree);
  object.check();
  return object.codes;
}

const sha = (algorithm: string, content: Buffer) => createHash(algorithm).update(content).digest("hex");

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

  /** Compares an older inventory with the newest (sections 3.5.3 and 3.7). */
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

  /** Called if the validation cannot continue. */
  #nothing(code: string): undefined {
    this.#add(code);
  }

  #add(code: string): void {
    this.codes.add(code);
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
