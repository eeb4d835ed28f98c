import { HashedFile } from "../io/hashed-file.ts";
import { type JsonVisitor, type Leaf, readJson } from "../io/read-json.ts";
import type { ContentByDigest } from "./content-by-digest.ts";
import { type InventoryWriter, memberLines, VERSION_INDENT } from "./inventory-writer.ts";

/**
 * Adds the inventory of the previous version to the next one with constant memory: its manifest and its versions (OCFL
 * 1.1, section 3.5: the manifest has the content of all versions). Its content is also added to a table.
 *
 * @param inventory one that {@link InventoryWriter} wrote
 * @throws InvalidJson, or Error for an inventory in which other software used a different order
 */
export async function addEarlierVersions(
  inventory: string,
  to: { writer: InventoryWriter; content: ContentByDigest },
): Promise<void> {
  const blocks = await HashedFile.create(to.writer.earlierBlocks);
  try {
    const visitor = new Versions(to, blocks);
    await readJson(inventory, visitor);
    visitor.end();
    await visitor.pause();
    await blocks.finish();
  } finally {
    await blocks.close();
  }
}

class Versions implements JsonVisitor {
  readonly #to: { writer: InventoryWriter; content: ContentByDigest };
  readonly #blocks: HashedFile;
  /** Text of version blocks, and content, since the last pause. */
  #text = "";
  #content: [digest: string, path: string][] = [];
  /** The members of the current version except its state. */
  #members: Record<string, unknown> = {};
  #user: Record<string, unknown> = {};
  #isFirst = { version: true, digest: true, path: true };
  #isOpen = false;

  constructor(to: { writer: InventoryWriter; content: ContentByDigest }, blocks: HashedFile) {
    this.#to = to;
    this.#blocks = blocks;
  }

  open([member, version, inner, digest]: readonly string[], kind: "object" | "array"): void {
    if (member !== "versions" || version === undefined) return;
    if (inner === undefined) {
      this.end();
      this.#members = {};
      this.#user = {};
    } else if (inner === "state" && digest === undefined) this.#beginState(version);
    else if (inner === "state" && kind === "array" && digest !== undefined) this.#beginDigest(digest);
  }

  value([member, second = "", third, fourth]: readonly string[], value: Leaf, inArray: boolean): void {
    if (member === "manifest" && inArray && typeof value === "string") this.#content.push([second, value]);
    if (member !== "versions") return;
    if (third === "state" && inArray) {
      this.#text += `${this.#isFirst.path ? "" : ", "}${JSON.stringify(value)}`;
      this.#isFirst.path = false;
    } else if (third === "user" && fourth !== undefined) this.#user[fourth] = value;
    else if (third !== undefined) this.#members[third] = value;
  }

  async pause(): Promise<void> {
    const content = this.#content;
    const text = this.#text;
    this.#content = [];
    this.#text = "";
    this.#to.content.add(content);
    for (const [digest, path] of content) await this.#to.writer.addEarlier(digest, path);
    await this.#blocks.write(text);
  }

  #beginState(version: string): void {
    const { created, message } = this.#members;
    if (created === undefined || message === undefined || this.#user.name === undefined) {
      throw new Error(
        `The inventory has no members of ${version} before its state. Only inventories of this package are supported`,
      );
    }
    const members = memberLines({ created, message, user: this.#user }, VERSION_INDENT);
    this.#text += `${this.#isFirst.version ? "" : ","}\n    "${version}": {\n${members}      "state": {`;
    this.#isFirst = { version: false, digest: true, path: true };
    this.#isOpen = true;
  }

  #beginDigest(digest: string): void {
    this.#text += `${this.#isFirst.digest ? "" : "],"}\n        "${digest}": [`;
    this.#isFirst.digest = false;
    this.#isFirst.path = true;
  }

  /** Completes the current state. The last one is completed at the end of the text. */
  end(): void {
    if (!this.#isOpen) return;
    this.#text += `${this.#isFirst.digest ? "" : "]"}\n      }\n    }`;
    this.#isOpen = false;
  }
}
