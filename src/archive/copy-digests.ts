import { HashTable } from "./ocfl/hash-table.ts";
import { type JsonVisitor, readJson } from "./ocfl/read-json.ts";

const DIGEST_BYTES = 64;

/** Paths with their SHA-512, outside the JavaScript heap: about 120 bytes a file. */
export class Digests {
  readonly #table = new HashTable();
  #digests = Buffer.alloc(DIGEST_BYTES * 1024);

  /** How many paths there are. */
  get size(): number {
    return this.#table.size;
  }

  /** @param digest in hex */
  set(path: string, digest: string): void {
    this.#table.set(path, 1);
    const at = (this.#table.ordinal(path) ?? 0) * DIGEST_BYTES;
    if (at >= this.#digests.length) {
      const larger = Buffer.alloc(this.#digests.length * 2);
      this.#digests.copy(larger);
      this.#digests = larger;
    }
    this.#digests.write(digest, at, "hex");
  }

  /** In lower-case hex; undefined for a path that is not there. */
  get(path: string): string | undefined {
    const ordinal = this.#table.ordinal(path);
    if (ordinal === undefined) return undefined;
    return this.#digests.toString("hex", ordinal * DIGEST_BYTES, (ordinal + 1) * DIGEST_BYTES);
  }
}

/** The content paths of an inventory's manifest with their digests. @throws NotJson */
export async function readManifest(inventory: string, signal?: AbortSignal): Promise<Digests> {
  const digests = new Digests();
  const visitor: JsonVisitor = {
    open() {},
    value([member, digest = "", ...rest], value, inArray) {
      if (member !== "manifest" || rest.length > 0 || !inArray || typeof value !== "string") return;
      digests.set(value, digest);
    },
  };
  await readJson(inventory, visitor, signal);
  return digests;
}
