import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { makeFolder, writeDurably } from "../io/durable-files.ts";
import { HashedFile, type WrittenFile } from "../io/hashed-file.ts";
import { SortedLines } from "../io/sorted-lines.ts";

/**
 * A file of the object. `sha512` is lower-case hexadecimal. Both paths are valid in OCFL (sections 3.5.3.1 and
 * 3.5.3.2).
 */
export interface InventoryFile {
  /** Logical path: the name in the version, for instance `data/x`. */
  path: string;
  /** Relative to the object's folder, for instance `v1/content/data/x`. Files with the same content may share one. */
  contentPath: string;
  sha512: string;
}

/** The members of an inventory besides its files. `created` is ISO 8601 with seconds and time zone. */
export interface InventoryHead {
  id: string;
  /** Number of the version; 1 by default. A later version also contains the previous ones, see `addEarlierVersions`. */
  version?: number;
  created: string;
  message: string;
  user: { name: string; address?: string };
}

const TYPE = "https://ocfl.io/1.1/spec/#inventory";
const DIGEST_LENGTH = 128;
/** Indent of the members of a version. */
export const VERSION_INDENT = "      ";
/** Separates the two paths of a line. JSON strings never contain it unescaped. */
const SEPARATOR = "\t";

/**
 * Collects an object's files in any order and writes its inventory (OCFL 1.1, section 3.5). The result is the same for
 * the same files. Memory is constant: about 15 MB of buffers, and 64 KiB for every 10,000 files.
 */
export class InventoryWriter {
  readonly #scratch: string;
  readonly #lines: SortedLines;

  /** Use {@link openInventory}. */
  constructor(scratch: string, lines: SortedLines) {
    this.#scratch = scratch;
    this.#lines = lines;
  }

  /**
   * Adds one file. Synchronous except for about every fourth mebibyte: then it returns a promise to await, which is
   * back pressure and reports a failed write. The caller guarantees unique logical paths.
   */
  add(file: InventoryFile): Promise<void> | undefined {
    // Only the length is checked: a check of every digit would take a second for a million files.
    if (file.sha512.length !== DIGEST_LENGTH) {
      throw new Error(`Not a SHA-512 in hex: ${JSON.stringify(file.sha512)}`);
    }
    // Paths are stored as JSON, so line breaks are escaped, and are copied unchanged into the inventory.
    return this.#lines.add(`${file.sha512}${JSON.stringify(file.contentPath)}${SEPARATOR}${JSON.stringify(file.path)}`);
  }

  /** Adds content of an earlier version to the manifest. */
  addEarlier(sha512: string, contentPath: string): Promise<void> | undefined {
    return this.#lines.add(`${sha512}${JSON.stringify(contentPath)}${SEPARATOR}`);
  }

  /** The scratch file with the blocks of the earlier versions, which is copied unchanged into the inventory. */
  get earlierBlocks(): string {
    return join(this.#scratch, "earlier");
  }

  /**
   * Writes the inventory to `target` as a stream, durably (temporary name, fsync, rename, fsync of the folder). Each
   * digest occurs once in the manifest and once in the state, with all its paths, in the order of the content paths.
   * May be called again.
   */
  async write(target: string, head: InventoryHead): Promise<WrittenFile> {
    const version = head.version ?? 1;
    // The state comes after the manifest. It is kept in the scratch folder, so that the lines are merged only once.
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
      await inventory.write(`\n  },\n  "versions": {`);
      if (version > 1) await append(inventory, this.earlierBlocks);
      const { created, message, user } = head;
      const members = memberLines({ created, message, user }, VERSION_INDENT);
      await inventory.write(`${version > 1 ? "," : ""}\n    "v${version}": {\n${members}      "state": {`);
      await append(inventory, stateFile);
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
    const blocks = [new Block(manifest, "    "), new Block(state, "        ")] as const;
    for await (const lines of this.#lines.sorted()) {
      for (const line of lines) {
        const digest = line.slice(0, DIGEST_LENGTH);
        const middle = line.indexOf(SEPARATOR, DIGEST_LENGTH);
        const full = blocks[0].add(digest, line.slice(DIGEST_LENGTH, middle));
        // Content of an earlier version has no logical path in this one.
        const isEarlier = middle + 1 === line.length;
        const stateFull = isEarlier ? undefined : blocks[1].add(digest, line.slice(middle + 1));
        if (full !== undefined || stateFull !== undefined) await Promise.all([full, stateFull]);
      }
    }
    for (const block of blocks) await block.end();
  }
}

/** Opens a writer with a scratch folder, which it creates and removes. */
export async function openInventory(scratchFolder: string): Promise<InventoryWriter> {
  await makeFolder(scratchFolder);
  return new InventoryWriter(scratchFolder, await SortedLines.create(join(scratchFolder, "lines")));
}

/** Writes an inventory's sidecar beside it, durably: digest, space, name (OCFL 1.1, section 3.7). */
export async function writeSidecar(inventoryFile: string, sha512: string): Promise<void> {
  await writeDurably(`${inventoryFile}.sha512`, `${sha512} ${basename(inventoryFile)}\n`);
}

async function append(file: HashedFile, other: string): Promise<void> {
  for await (const chunk of createReadStream(other, { highWaterMark: 1 << 20 })) await file.append(chunk as Buffer);
}

/** Writes a block of digests with their paths. The paths arrive sorted by digest, so none is kept in memory. */
class Block {
  readonly #file: HashedFile;
  readonly #indent: string;
  #digest: string | undefined;
  #path = "";

  constructor(file: HashedFile, indent: string) {
    this.#file = file;
    this.#indent = indent;
  }

  /** Adds a path in JSON. Content paths arrive in order too, and are written once. */
  add(digest: string, path: string): Promise<void> | undefined {
    if (digest !== this.#digest) {
      const before = this.#digest === undefined ? "" : "],";
      this.#digest = digest;
      this.#path = path;
      return this.#file.write(`${before}\n${this.#indent}"${digest}": [${path}`);
    }
    if (path === this.#path) return undefined;
    this.#path = path;
    return this.#file.write(`, ${path}`);
  }

  end(): Promise<void> | undefined {
    return this.#digest === undefined ? undefined : this.#file.write("]");
  }
}

function opening(head: InventoryHead, version: number): string {
  const members = {
    id: head.id,
    type: TYPE,
    digestAlgorithm: "sha512",
    head: `v${version}`,
    contentDirectory: "content",
  };
  return `{\n${memberLines(members, "  ")}  `;
}

/** Members of an object in the inventory, each in a line with this indent. */
export function memberLines(members: object, indent: string): string {
  return Object.entries(members)
    .map(([name, value]) => `${indent}"${name}": ${JSON.stringify(value)},\n`)
    .join("");
}

/**
 * Writes `0=ocfl_object_1.1`, the file that declares a folder to be an OCFL object (OCFL 1.1, section 3.3), durably.
 * Idempotent. On stores that publish file by file it is written last, before the inventory only.
 */
export async function writeObjectDeclaration(objectFolder: string): Promise<void> {
  await writeDurably(join(objectFolder, "0=ocfl_object_1.1"), "ocfl_object_1.1\n");
}
