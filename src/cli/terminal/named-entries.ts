import { count } from "./numbers.ts";
import { type Shown, show } from "./text.ts";

/** Entries that a message names. */
const NAMED = 10;

/** A line for each of the first entries, and one for the number of the others. */
export function namedEntries(entries: readonly string[]): Shown[] {
  const hidden = entries.length - NAMED;
  const rest = hidden > 0 ? [show`  … and ${count(hidden)} more`] : [];
  return [...entries.slice(0, NAMED).map((one) => show`  ${one}`), ...rest];
}
