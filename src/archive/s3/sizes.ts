import { HashTable } from "../../../packages/ocfl/src/index.ts";
import { compareKeys } from "../../domain/path.ts";
import { forEachConcurrently } from "../for-each-concurrently.ts";
import type { Bucket } from "./bucket.ts";

/** Pages that are listed for one page of objects at most; those not met by then are asked for one by one. */
const MOST_PAGES = 4;
const AT_ONCE = 32;
/** With fewer, asking for each is as quick. */
const FEW = 8;
/** So many paths made of digests are asked for one by one; with more, all of them are listed once. */
const FEW_DIGESTS = 1_000;
const HIGH = 2 ** 32;

/** The sizes of a dataset's content while nothing is added to it. */
export class Sizes {
  readonly #bucket: Bucket;
  readonly #folder: string;
  #digestsAsked = 0;
  #digests: Promise<HashTable> | undefined;

  /** @param folder of the content, below the archive's prefix */
  constructor(bucket: Bucket, folder: string) {
    this.#bucket = bucket;
    this.#folder = folder;
  }

  /**
   * The bytes of the objects at these paths below the folder; undefined where there is none. Paths that follow the
   * listing of the source lie side by side here too, so that a page or two of a listing has them all.
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

  /** In a table outside the heap: there can be as many as there are objects. */
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

/** A text right before a path: between the two stand only such as nobody has. */
function before(path: string): string {
  const last = path.charCodeAt(path.length - 1);
  const start = path.slice(0, -1);
  // The halves of a surrogate pair must not be torn; a listing from the start of it on is a little longer.
  if (last <= 0x21 || last >= 0xd800) return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
  return `${start}${String.fromCharCode(last - 1)}\u{10ffff}`;
}

const CONTENT = /^(v\d+\/content)\/(.+)$/s;

/**
 * The sizes of what a dataset's versions hold, by paths relative to its object; undefined where nothing lies.
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
