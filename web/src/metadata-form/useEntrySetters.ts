import { useMemo } from "react";
import type { MetadataForm } from "./context.ts";
import type { MetadataEntries } from "./entries/entries.ts";

/** The functions with which fields change the entries. @param change replaces members of the entries; always the same function */
export function useEntrySetters(
  change: (next: (entries: MetadataEntries) => Partial<MetadataEntries>) => void,
): Pick<MetadataForm, "setDescription" | "setContact" | "setList" | "setAuthors" | "setOwnFields"> {
  return useMemo(
    () => ({
      setDescription: (changed) => change(({ description }) => ({ description: { ...description, ...changed } })),
      setContact: (changed) => change(({ contact }) => ({ contact: { ...contact, ...changed } })),
      setList: (list, next) => change(({ lists }) => ({ lists: { ...lists, [list]: next(lists[list]) } })),
      setAuthors: (next) => change(({ authors }) => ({ authors: next(authors) })),
      setOwnFields: (group, next) =>
        change(({ ownFields }) => {
          const { [group]: now = {}, ...others } = ownFields;
          const values = next(now);
          return { ownFields: Object.keys(values).length === 0 ? others : { ...others, [group]: values } };
        }),
    }),
    [change],
  );
}
