import type { Language } from "./language.ts";

/** Ids of collections: parts of addresses, and of the names of OAI-PMH sets. */
export const COLLECTION_ID = "^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])$";

/** Actions of the entries that state that a curator has added a dataset to a collection, or removed it. */
export const ADDED_TO_COLLECTION = "added-to-collection";
export const REMOVED_FROM_COLLECTION = "removed-from-collection";

/** A text in the languages of the public pages. English is mandatory, and is shown if a language is missing. */
export interface LocalText {
  en: string;
  de?: string;
}

/** The text in a language, with the language in which it is written. */
export function textIn({ en, de }: LocalText, language: Language): { text: string; language: Language } {
  return language === "de" && de !== undefined && de !== "" ? { text: de, language } : { text: en, language: "en" };
}

/** A person who changes the datasets of a collection. */
export interface CollectionEditor {
  /** Account name. */
  by: string;
  isAdmin: boolean;
}

/**
 * Whether a person, who is a curator or an admin, decides which datasets belong to a collection.
 * @param collection.curators account names; empty for all curators
 */
export function decidesAbout(
  { curators }: { curators: readonly string[] },
  { by, isAdmin }: CollectionEditor,
): boolean {
  return isAdmin || curators.length === 0 || curators.includes(by);
}

/** What of a collection decides which datasets it accepts. */
export interface AcceptedLicences {
  /** SPDX ids; empty for all licences. */
  licences: readonly string[];
}

/**
 * Whether a collection accepts a licence. An expression of several licences is accepted if it is named as it is.
 * @param spdx undefined for a licence that is not in the SPDX list, or none
 */
export function acceptsLicence({ licences }: AcceptedLicences, spdx: string | undefined): boolean {
  return licences.length === 0 || (spdx !== undefined && licences.includes(spdx));
}
