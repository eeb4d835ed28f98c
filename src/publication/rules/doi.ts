import { randomInt } from "node:crypto";

/** Stands for the dataset as a whole where numbers of versions are expected. Its DOI is the concept DOI. */
export const CONCEPT = 0;

/** The form of a DOI as URL, in citations and as an identifier. */
export const DOI_URL = "https://doi.org/";

/** Whether an identifier under which a version is published is a DOI. Otherwise it is a URN. */
export function isDoi(identifier: string): boolean {
  return identifier.startsWith(DOI_URL);
}

/** Without letters and digits that are easily confused: i, l, o, 0, 1. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const LENGTH = 8;

/** A random suffix for a DOI. It is opaque, because the meaning of a speaking suffix changes sooner or later. */
export function randomSuffix(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}
