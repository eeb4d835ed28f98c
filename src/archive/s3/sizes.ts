import { HashTable } from "../../../packages/ocfl/src/index.ts";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import type { Bucket } from "./bucket.ts";

/** Maximum number of pages listed for one batch of paths. The remaining paths are requested individually. */
const MOST_PAGES = 4;
const AT_ONCE = 32;
/** For fewer paths, individual requests are as fast. */
const FEW = 8;
/** Up to this number, paths made of digests are requested individually. Above it, all of them are listed once. */
const FEW_DIGESTS = 1_000;
const HIGH = 2 ** 32;

/** Sizes of a dataset's content while no content is added. */
export class Sizes {
  readonly #bucket: Bucket;
  readonly #folder: string;
  #digestsAsked = 0;
  #digests: Promise<HashTable> | undefined;

  /** @param folder of the content, relative to the archive's prefix */
  constructor(bucket: Bucket, folder: string) {
    this.#bucket = bucket;
    this.#folder = folder;
  }

  /**
   * Sizes in bytes of the objects at these paths below the folder; undefined for missing ones. Paths in the order of
   * the source's listing are adjacent here too, so one or two pages of a listing cover them.
   */
  async of(paths: readonly string[]): Promise<(number | undefined)[]> {
    const found = await this.#listed(paths.filter((path) => path.startsWith("data/")));
    const digests = paths.filter((path) => path.startsWith("by-key/"));
    this.#digestsAsked += digests.length;
    if (this.#digestsAsked > FEW_DIGESTS) {
      this.#digests ??= this.#listDigests();
      const table = await this.#digests;
      for (const path of digests) {
        const low = table.get(path);
        if (low !== undefined) found.set(path, low + HIGH * (table.get(high(path)) ?? 0));
      }
    }
    const rest = paths.filter((path) => !found.has(path));
    await forEachConcurrently(rest, AT_ONCE, async (path) => {
      const bytes = await this.#bucket.size(`${this.#folder}/${path}`);
      if (bytes !== undefined) found.set(path, bytes);
    });
    return paths.map((path) => found.get(path));
  }

  async #listed(paths: readonly string[]): Promise<Map<string, number>> {
    const found = new Map<string, number>();
    const sorted = paths.toSorted(compareKeys);
    const [least] = sorted;
    const greatest = sorted.at(-1);
    if (least === undefined || greatest === undefined || sorted.length <= FEW) return found;
    const wanted = new Set(sorted);
    let pages = 0;
    const after = `${this.#folder}/${before(least)}`;
    for await (const page of this.#bucket.pages(`${this.#folder}/data/`, { after })) {
      for (const { path, bytes } of page) {
        const below = path.slice(this.#folder.length + 1);
        if (wanted.has(below)) found.set(below, bytes);
      }
      const last = page.at(-1)?.path.slice(this.#folder.length + 1);
      if (found.size === wanted.size || last === undefined || compareKeys(last, greatest) >= 0) break;
      if (++pages === MOST_PAGES) break;
    }
    return found;
  }

  /** Lists all paths made of digests. The table is outside the heap, because there can be as many as objects. */
  async #listDigests(): Promise<HashTable> {
    const table = new HashTable();
    for await (const page of this.#bucket.pages(`${this.#folder}/by-key/`)) {
      for (const { path, bytes } of page) {
        const below = path.slice(this.#folder.length + 1);
        table.set(below, bytes % HIGH);
        if (bytes >= HIGH) table.set(high(below), Math.floor(bytes / HIGH));
      }
    }
    return table;
  }
}

const high = (path: string): string => `${path}/high`;

/** A text that sorts directly before a path. Only unused keys are between the two. */
function before(path: string): string {
  const last = path.charCodeAt(path.length - 1);
  const start = path.slice(0, -1);
  // A surrogate pair must not be split. A listing from its start is slightly longer.
  if (last <= 0x21 || last >= 0xd800) return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
  return `${start}${String.fromCharCode(last - 1)}\u{10ffff}`;
}

const CONTENT = /^(v\d+\/content)\/(.+)$/s;

/**
 * Sizes of the files of a dataset's versions, by paths relative to its object; undefined for missing ones.
 * @param object without a slash at the end
 */
export function sizesOfVersions(
  bucket: Bucket,
  object: string,
): (paths: readonly string[]) => Promise<(number | undefined)[]> {
  const folders = new Map<string, Sizes>();
  return async (paths) => {
    const found = new Map<string, number | undefined>();
    const byFolder = Map.groupBy(paths, (path) => CONTENT.exec(path)?.[1] ?? "");
    for (const [folder, here] of byFolder) {
      const sizes = folders.get(folder) ?? new Sizes(bucket, `${object}/${folder}`);
      folders.set(folder, sizes);
      const bytes = await sizes.of(here.map((path) => path.slice(folder.length + 1)));
      for (const [index, path] of here.entries()) found.set(path, bytes[index]);
    }
    return paths.map((path) => found.get(path));
  };
}
