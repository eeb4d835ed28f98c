import { NAMED_FILES } from "../archive/metadata/ro-crate.ts";

/** As many as a crate names, besides `data/` and `metadata/`. */
const MOST = NAMED_FILES + 2;

/**
 * The folders of a package that have an entry, because an RO-Crate of many files names folders instead of files:
 * `data/`, `metadata/` and the folders right below `data/`, at most 10,000. Deeper folders have none, so that 1,024 bytes of a
 * key never become 512 entries.
 */
export class Folders {
  readonly #known = new Set<string>();

  /** Those above a file that were not met before, as paths that end with a slash. */
  *above(path: string): Generator<string> {
    const [top = "", ...below] = path.split("/", 3);
    const folders = [...(below.length > 0 ? [`${top}/`] : []), ...(below.length > 1 ? [`${top}/${below[0]}/`] : [])];
    for (const folder of folders) {
      if (this.#known.has(folder) || this.#known.size >= MOST) continue;
      this.#known.add(folder);
      yield folder;
    }
  }
}
