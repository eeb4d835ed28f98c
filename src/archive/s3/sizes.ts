import { compareKeys } from "../../submission/key-order.ts";
import { eachAtOnce } from "../each-at-once.ts";
import type { Bucket } from "./bucket.ts";

/** Pages that are listed for one page of objects at most; those not met by then are asked for one by one. */
const MOST_PAGES = 4;
const AT_ONCE = 32;
/** With fewer, asking for each is as quick. */
const FEW = 8;

/**
 * The bytes of the objects at these paths below a folder; undefined where there is none. Paths that follow the listing of
 * the source lie side by side here too, so that a page or two of a listing has them all.
 */
export async function sizesOf(
  bucket: Bucket,
  folder: string,
  paths: readonly string[],
): Promise<(number | undefined)[]> {
  const found = new Map<string, number>();
  const sorted = paths.filter((path) => path.startsWith("data/")).sort(compareKeys);
  const [least] = sorted;
  const greatest = sorted.at(-1);
  if (least !== undefined && greatest !== undefined && sorted.length > FEW) {
    const wanted = new Set(sorted);
    let pages = 0;
    for await (const page of bucket.pages(`${folder}/data/`, { after: `${folder}/${before(least)}` })) {
      for (const { path, bytes } of page) {
        const below = path.slice(folder.length + 1);
        if (wanted.has(below)) found.set(below, bytes);
      }
      const last = page.at(-1)?.path.slice(folder.length + 1);
      if (found.size === wanted.size || last === undefined || compareKeys(last, greatest) >= 0) break;
      if (++pages === MOST_PAGES) break;
    }
  }
  await eachAtOnce(
    paths.filter((path) => !found.has(path)),
    AT_ONCE,
    async (path) => {
      const bytes = await bucket.size(`${folder}/${path}`);
      if (bytes !== undefined) found.set(path, bytes);
    },
  );
  return paths.map((path) => found.get(path));
}

/** A text right before a path: between the two stand only such as nobody has. */
function before(path: string): string {
  const last = path.charCodeAt(path.length - 1);
  const start = path.slice(0, -1);
  // The halves of a surrogate pair must not be torn; a listing from the start of it on is a little longer.
  return last > 0x21 && last < 0xd800 ? `${start}${String.fromCharCode(last - 1)}\u{10ffff}` : start;
}
