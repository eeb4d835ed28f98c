import { foldedWords } from "../../domain/submission/search.ts";
import type { CatalogueTerm } from "./entry.ts";

/** Maximum number of files whose names are searched. */
const MOST_FILES = 100_000;
/** Maximum length of the text. PostgreSQL allows 1 MiB in a `tsvector`, positions included. */
const LONGEST_TEXT = 200_000;
/** Formats of a dataset that are listed: those of most files. */
const MOST_FORMATS = 10;
/** The last extension of a name; compressed files keep the one before. */
const EXTENSION = /\.([a-z0-9]{1,12}(?:\.(?:gz|bz2|xz|zst))?)$/;

/** Collects the words of file names and the file formats of a version, in the order of its list of files. */
export class FileText {
  readonly #words = new Set<string>();
  readonly #formats = new Map<string, number>();
  #length = 0;
  #files = 0;

  /** @returns false if the names of further files are not searched any more */
  add(path: string): boolean {
    if (this.#files++ >= MOST_FILES) return false;
    const extension = EXTENSION.exec(path.toLowerCase())?.[1];
    if (extension !== undefined) this.#formats.set(extension, (this.#formats.get(extension) ?? 0) + 1);
    for (const word of foldedWords(path)) {
      if (this.#length >= LONGEST_TEXT || this.#words.has(word)) continue;
      this.#words.add(word);
      this.#length += word.length + 1;
    }
    return true;
  }

  /** The distinct folded words. */
  text(): string {
    return [...this.#words].join(" ");
  }

  /** The formats with most files, by file name extension. */
  formats(): CatalogueTerm[] {
    return [...this.#formats]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, MOST_FORMATS)
      .map(([value]) => ({ kind: "format" as const, value, label: value }));
  }
}
