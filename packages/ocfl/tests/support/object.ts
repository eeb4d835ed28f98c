import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** The OCFL object to write. Members that a test does not depend on can be omitted. */
export interface Plan {
  specification?: "1.0" | "1.1";
  id?: string;
  /** The algorithm of each version's inventory; the last one applies to all later versions. */
  algorithms?: ("sha512" | "sha256")[];
  contentDirectory?: string;
  /** The number of digits to which a version's number is padded with zeros. */
  padding?: number;
  /** Logical path → text, for all files of each version. */
  versions: Record<string, string>[];
  fixity?: Record<string, Record<string, string[]>>;
}

export interface Inventory {
  id: string;
  type: string;
  digestAlgorithm: string;
  head: string;
  contentDirectory?: string;
  manifest: Record<string, string[]>;
  versions: Record<string, Version>;
  fixity?: Record<string, Record<string, string[]>>;
}

interface Version {
  created: string;
  message: string;
  user: { name: string; address: string };
  state: Record<string, string[]>;
}

export const ONE: Plan = { versions: [{ "a.txt": "alpha", "b/c.txt": "beta" }] };
export const THREE: Plan = {
  versions: [
    { "a.txt": "alpha", "b/c.txt": "beta" },
    { "a.txt": "alpha", "b/c.txt": "gamma", "d.txt": "delta" },
    { "b/c.txt": "gamma", "copy.txt": "gamma" },
  ],
};

/** Writes an OCFL object without code of the package, so that the validator is tested independently of the writer. */
export class OcflObject {
  readonly folder: string;
  readonly versions: readonly string[];

  private constructor(folder: string, versions: readonly string[]) {
    this.folder = folder;
    this.versions = versions;
  }

  static async write(folder: string, plan: Plan): Promise<OcflObject> {
    const names = plan.versions.map((_, n) => `v${String(n + 1).padStart(plan.padding ?? 0, "0")}`);
    const object = new OcflObject(folder, names);
    const specification = plan.specification ?? "1.1";
    await object.put(`0=ocfl_object_${specification}`, `ocfl_object_${specification}\n`);
    for (const [n, name] of names.entries()) {
      const inventory = await object.#version(plan, n);
      await object.putInventory(name, inventory);
      if (n === names.length - 1) await object.putInventory("", inventory);
    }
    return object;
  }

  /** The inventory of a version. Writes the version's new content. */
  async #version(plan: Plan, newest: number): Promise<Inventory> {
    const { algorithms = [], contentDirectory } = plan;
    const algorithm = algorithms[newest] ?? algorithms.at(-1) ?? "sha512";
    const content = new Map<string, string>();
    const manifest: Inventory["manifest"] = {};
    const versions: Inventory["versions"] = {};
    for (const [n, name] of this.versions.slice(0, newest + 1).entries()) {
      const state: Record<string, string[]> = {};
      for (const [path, text] of Object.entries(plan.versions[n] ?? {})) {
        const digest = digestOf(text, algorithm);
        state[digest] = [...(state[digest] ?? []), path];
        if (content.has(text)) continue;
        const place = `${name}/${contentDirectory ?? "content"}/${path}`;
        content.set(text, place);
        manifest[digest] = [place];
        if (n === newest) await this.put(place, text);
      }
      versions[name] = {
        created: `2026-01-${String(n + 1).padStart(2, "0")}T10:00:00Z`,
        message: `Version ${n + 1}`,
        user: { name: "A Person", address: "mailto:person@example.org" },
        state,
      };
    }
    return {
      id: plan.id ?? "urn:example:object",
      type: `https://ocfl.io/${plan.specification ?? "1.1"}/spec/#inventory`,
      digestAlgorithm: algorithm,
      head: this.versions[newest] ?? "",
      ...(contentDirectory !== undefined && { contentDirectory }),
      manifest,
      versions,
      ...(plan.fixity !== undefined && { fixity: plan.fixity }),
    };
  }

  async put(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(this.folder, path)), { recursive: true });
    await writeFile(join(this.folder, path), content);
  }

  /** @param place `""` for the object's root inventory, else the version's folder */
  async putInventory(place: string, inventory: Inventory | string, algorithm?: string): Promise<void> {
    const text = typeof inventory === "string" ? inventory : JSON.stringify(inventory, null, 2);
    const named = algorithm ?? (typeof inventory === "string" ? "sha512" : inventory.digestAlgorithm);
    const known = ["sha512", "sha256", "md5"].includes(named) ? named : "sha512";
    await this.put(join(place, "inventory.json"), text);
    await this.put(join(place, `inventory.json.${named}`), `${digestOf(text, known)} inventory.json\n`);
  }

  /** Changes the text of a sidecar. */
  async sidecar(place: string, change: (text: string) => string): Promise<void> {
    const path = join(place, "inventory.json.sha512");
    await this.put(path, change(await readFile(join(this.folder, path), "utf8")));
  }

  async inventory(place: string): Promise<Inventory> {
    return JSON.parse(await readFile(join(this.folder, place, "inventory.json"), "utf8"));
  }

  /** Changes the object's inventory and the newest version's copy of it, so that only the change is wrong. */
  async change(change: (inventory: Inventory) => unknown): Promise<void> {
    await this.changeOf(["", this.versions.at(-1) ?? ""], change);
  }

  /** Changes the inventories in several folders, each with its sidecar. */
  async changeOf(places: readonly string[], change: (inventory: Inventory) => unknown): Promise<void> {
    for (const place of places) {
      const inventory = await this.inventory(place);
      change(inventory);
      await this.putInventory(place, inventory);
    }
  }

  /** {@link change} of the text, for texts that no JSON writer produces. */
  async rewrite(change: (text: string) => string): Promise<void> {
    const text = change(await readFile(join(this.folder, "inventory.json"), "utf8"));
    for (const place of ["", this.versions.at(-1) ?? ""]) await this.putInventory(place, text);
  }
}

export function digestOf(text: string, algorithm: string): string {
  return createHash(algorithm).update(text).digest("hex");
}
