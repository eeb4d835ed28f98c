import inGerman from "./de/checks.json";
import type { Language } from "./words.ts";

/** A finding of the checks before publication in the language of the page. */
export interface CheckWords {
  message: string;
  nextStep: string;
}

/**
 * The texts for all findings of the checks before publication, by their codes. The service offers them in English. They are
 * loaded with the part of the page that shows them, and not with the other texts.
 */
export const checkWords: Partial<Record<Language, Readonly<Record<string, CheckWords>>>> = { de: inGerman };
