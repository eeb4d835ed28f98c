import type { Language } from "./site.ts";
import { de } from "./words/de.ts";
import { en, type SiteWords } from "./words/en.ts";

export type { SiteWords } from "./words/en.ts";

/** The texts of the public pages in each language. */
export const WORDS: Record<Language, SiteWords> = { en, de };
