import { distance } from "fastest-levenshtein";
import { canonicalLanguage } from "./language.ts";
import { licences } from "./spdx.ts";

/** Maximum mistakes in a term of a list. */
const MOST_MISTAKES = 2;
/** Minimum letters of a term that is part of another one, as in `DescribedBy`. */
const LONG = 5;

/** The term of a list that a text probably means: `IsDescribedBy` for `DescribedBy`; undefined if it resembles none. */
export function similarTerm<T extends string>(terms: readonly T[], text: string): T | undefined {
  const sent = letters(text);
  if (sent.length < LONG || sent.length > 100) return undefined;
  const part = terms.find((term) => letters(term).endsWith(sent) || letters(term).startsWith(sent));
  if (part !== undefined) return part;
  const near = terms.map((term) => ({ term, mistakes: distance(letters(term), sent) }));
  return near.sort((one, other) => one.mistakes - other.mistakes).find(({ mistakes }) => mistakes <= MOST_MISTAKES)
    ?.term;
}

/**
 * The code of the language with this name in the language itself or in German, as `de` for “Deutsch”; undefined if there
 * is none.
 */
export function languageByOtherName(text: string): string | undefined {
  names ??= otherNames();
  return names.get(text.trim().toLowerCase());
}

/** The newest licence of a family that is named without a version, as CC-BY-4.0 for “CC BY”; undefined if there is none. */
export function newestLicence(text: string): string | undefined {
  const family = letters(text.replace(/\b(?:licen[cs]e|lizenz)\b/gi, ""));
  const found = [...licences.keys()].flatMap((id) => {
    const [, name = "", version = ""] = /^(.*?)-(\d+(?:\.\d+)*)(?:-only)?$/.exec(id) ?? [];
    return version !== "" && letters(name) === family ? [{ id, version }] : [];
  });
  // “GPL-3.0-only” follows “GPL-3.0”, which is retired.
  return found.sort((one, other) => one.version.localeCompare(other.version, "en", { numeric: true })).at(-1)?.id;
}

let names: ReadonlyMap<string, string> | undefined;

function otherNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const german = new Intl.DisplayNames("de", { type: "language" });
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const code = first + second;
      if (canonicalLanguage(code) !== code) continue;
      for (const own of [new Intl.DisplayNames(code, { type: "language" }), german]) {
        const name = own.of(code)?.toLowerCase();
        if (name !== undefined && name !== code && !found.has(name)) found.set(name, code);
      }
    }
  }
  return found;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

function letters(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, "");
}
