import terms from "@accession/rules/words/de.json";
import words from "./metadata.json";

/** The texts about metadata, with the names of DataCite’s terms, which the public pages of the service show too. */
export const metadata = { ...words, ...terms };
