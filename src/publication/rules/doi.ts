import { randomInt } from "node:crypto";

/** Stands for the dataset as a whole where numbers of versions are expected. Its DOI is the concept DOI. */
export const CONCEPT = 0;

/** Without letters and digits that are easily confused: i, l, o, 0, 1. */
const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const LENGTH = 8;

/** A random suffix for a DOI. It is opaque, because the meaning of a speaking suffix changes sooner or later. */
export function randomSuffix(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
}
