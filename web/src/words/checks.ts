import inGerman from "./de/checks.json";
import type { Language } from "./words.ts";

/**
 * The texts for all findings of the checks before publication, by their codes. The service offers them in English. They are
 * loaded with the part of the page that shows them, and not with the other texts.
 */
export const checkWords: Partial<Record<Language, Readonly<Record<string, Record<"message" | "nextStep", string>>>>> = {
  de: inGerman,
};
