import type { MetadataSuggestions } from "../../api/intake.ts";
import type { MetadataEntries } from "../entries/entries.ts";
import { entriesOfMetadata } from "../entries/entries-of-metadata.ts";
import { entryOf, isSameEntry, linesOf, MEMBERS, type Member } from "./members.ts";

/** A value that a file suggests for a member. */
export interface Suggestion {
  member: Member;
  /** The name of the file. */
  source: string;
  /** The value, in lines. */
  lines: string[];
  /** The entry of the user; empty if there is none. */
  own: string[];
}

/** What filling the form would do. */
export interface Plan {
  /** The suggested values as entries of the form. */
  entries: MetadataEntries;
  /** Members without an entry of the user. */
  empty: Suggestion[];
  /** Members with another entry of the user, which is kept unless the user decides otherwise. */
  taken: Suggestion[];
}

/** Compares the suggested values with the entries of the user. Values that are already entered are not suggested. */
export function planOf({ values, sources }: MetadataSuggestions, current: MetadataEntries): Plan {
  const entries = entriesOfMetadata(values);
  const all = MEMBERS.flatMap((member): Suggestion[] => {
    const source = sources[member];
    const lines = linesOf(entries, member);
    const own = linesOf(current, member);
    const isEntered = own.length > 0 && isSameEntry(entryOf(entries, member), entryOf(current, member));
    return source === undefined || lines.length === 0 || isEntered ? [] : [{ member, source, lines, own }];
  });
  return {
    entries,
    empty: all.filter(({ own }) => own.length === 0),
    taken: all.filter(({ own }) => own.length > 0),
  };
}
