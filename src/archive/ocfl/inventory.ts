import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder, writeDurably } from "../durable.ts";
import { HashedFile, type Written } from "./hashed-file.ts";
import { Partitions } from "./partitions.ts";

/** A file of the object. `sha512` is lower-case hex; both paths are valid for OCFL (sections 3.5.3.1 and 3.5.3.2). */
export interface InventoryFile {
  /** Logical path: the name in the version, for instance `data/x`. */
  path: string;
  /** Relative to the object's folder, for instance `v1/content/data/x`. Files of equal content may share one. */
  contentPath: string;
  sha512: string;
}

/** What an inventory says besides its files. `created` is ISO 8601 with seconds and zone. */
export interface InventoryHead {
  id: string;
  /** Only 1 today: later versions also carry the earlier ones' states. */
  version?: number;
  created: string;
  message: string;
  user: { name: string; address?: string };
}

const TYPE = "https://ocfl.io/1.1/spec/#inventory";
const DIGEST_LENGTH = 128;
/** Stands between the two paths of a line; JSON strings never hold it raw. */
const SEPARATOR = "\t";

/**
 * Gathers an object's files and writes its inventory (OCFL 1.1, section 3.5), in any order, the outcome the same for the
 * same files. Memory: some 15 MB of buffers and one 256th of the lines (350 bytes a file), so a million files are flat.
 */
export class InventoryWriter {
  readonly #scratch: string;
  readonly #lines: Partitions;

  /** Use {@link openInventory}. */
  constructor(scratch: string, lines: Partitions) {
    this.#scratch = scratch;
    this.#lines = lines;
  }

  /**
   * Takes one file. Cheap and synchronous but for every fourth mebibyte or so: await the promise when one comes,
   * it is back pressure and carries a failed write. The caller answers for unique logical paths.
   */
  add(file: InventoryFile): Promise<void> | undefined {
    // A full look at every digit would cost a second for a million files; these digests are our own.
    const partition = Number.parseInt(file.sha512.slice(0, 2), 16);
    if (file.sha512.length !== DIGEST_LENGTH || Number.isNaN(partition)) {
      throw new Error(`Not a SHA-512 in hex: ${JSON.stringify(file.sha512)}`);
    }
    // The paths are kept as JSON: whatever they hold, a line stays a line, and they are written as they stand.
    const line = `${file.sha512}${JSON.stringify(file.contentPath)}${SEPARATOR}${JSON.stringify(file.path)}\n`;
    return this.#lines.add(partition, line);
  }

  /**
   * Streams the inventory to `target`, durably (temporary name, fsync, rename, fsync of the folder). Each digest
   * occurs once in the manifest and once in the state, with all its paths, in ascending order. May be called again.
   */
  async write(target: string, head: InventoryHead): Promise<Written> {
    const version = head.version ?? 1;
    if (version !== 1) throw new Error(`Inventories of version ${version} cannot be written yet`);
    // The state stands after the manifest; it waits in scratch so that partitions are loaded and sorted only once.
    const stateFile = join(this.#scratch, "state");
    const inventory = await HashedFile.create(target);
    try {
      const state = await HashedFile.create(stateFile);
      try {
        await inventory.write(`${opening(head, version)}"manifest": {`);
        await this.#writeBlocks(inventory, state);
        await state.finish();
      } finally {
        await state.close();
      }
      await inventory.write(`\n  },\n  "versions": {\n    "v${version}": {\n${versionBlock(head)}      "state": {`);
      for await (const chunk of createReadStream(stateFile, { highWaterMark: 1 << 20 })) {
        await inventory.append(chunk as Buffer);
      }
      await inventory.write("\n      }\n    }\n  }\n}\n");
      return await inventory.finish();
    } finally {
      await inventory.close();
    }
  }

  /** Removes the scratch folder. Idempotent. */
  async discard(): Promise<void> {
    await this.#lines.discard();
    await rm(this.#scratch, { recursive: true, force: true });
  }

  async #writeBlocks(manifest: HashedFile, state: HashedFile): Promise<void> {
    let comma = "";
    for await (const lines of this.#lines.sorted()) {
      for (const group of byDigest(lines)) {
        const full = manifest.write(`${comma}\n    "${group.digest}": [${group.contentPaths.join(", ")}]`);
        const stateFull = state.write(`${comma}\n        "${group.digest}": [${group.paths.join(", ")}]`);
        if (full !== undefined || stateFull !== undefined) await Promise.all([full, stateFull]);
        comma = ",";
      }
    }
  }
}

/** Opens a writer that keeps its working files in a scratch folder of its own, which it makes and removes. */
export async function openInventory(scratchFolder: string): Promise<InventoryWriter> {
  await makeFolder(scratchFolder);
  return new InventoryWriter(scratchFolder, await Partitions.create(join(scratchFolder, "lines")));
}

/** Writes an inventory's sidecar beside it, durably: digest, space, name (OCFL 1.1, section 3.7). */
export async function writeSidecar(inventoryFile: string, sha512: string): Promise<void> {
  await writeDurably(`${inventoryFile}.sha512`, `${sha512} ${basename(inventoryFile)}\n`);
}

interface Group {
  digest: string;
  contentPaths: string[];
  paths: string[];
}

/** Sorted lines to groups of one digest. Content paths stay unique and sorted because the lines are. */
function* byDigest(lines: string[]): Generator<Group> {
  let group: Group | undefined;
  for (const line of lines) {
    const digest = line.slice(0, DIGEST_LENGTH);
    const middle = line.indexOf(SEPARATOR, DIGEST_LENGTH);
    const contentPath = line.slice(DIGEST_LENGTH, middle);
    const path = line.slice(middle + 1);
    if (group?.digest !== digest) {
      if (group !== undefined) yield sortPaths(group);
      group = { digest, contentPaths: [contentPath], paths: [path] };
      continue;
    }
    if (group.contentPaths.at(-1) !== contentPath) group.contentPaths.push(contentPath);
    group.paths.push(path);
  }
  if (group !== undefined) yield sortPaths(group);
}

function sortPaths(group: Group): Group {
  if (group.paths.length > 1) group.paths.sort();
  return group;
}

function opening(head: InventoryHead, version: number): string {
  const members = {
    id: head.id,
    type: TYPE,
    digestAlgorithm: "sha512",
    head: `v${version}`,
    contentDirectory: "content",
  };
  const lines = Object.entries(members).map(([name, value]) => `  "${name}": ${JSON.stringify(value)},\n`);
  return `{\n${lines.join("")}  `;
}

function versionBlock(head: InventoryHead): string {
  const members = { created: head.created, message: head.message, user: head.user };
  const lines = Object.entries(members).map(([name, value]) => `      "${name}": ${JSON.stringify(value)},\n`);
  return lines.join("");
}
