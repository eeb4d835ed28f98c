import i18next from "i18next";

/** The texts of one part of the page, by language. */
type Texts = Readonly<Record<"de" | "en", object>>;

const known = new Map<string, Texts>();

/**
 * Adds the texts of a part of the page that few visitors see. The modules of this part import them, so that they are fetched
 * with it and not with the first view.
 *
 * @param namespace as `useTranslation` names it
 */
export function addWords(namespace: string, texts: Texts): void {
  known.set(namespace, texts);
  if (i18next.isInitialized) open(namespace, texts);
}

/** Gives all texts that were added to the translations, after these were opened. */
export function openLaterWords(): void {
  for (const [namespace, texts] of known) open(namespace, texts);
}

function open(namespace: string, texts: Texts): void {
  for (const [language, words] of Object.entries(texts)) i18next.addResourceBundle(language, namespace, words);
}
