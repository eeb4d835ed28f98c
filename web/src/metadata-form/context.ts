import { createContext, useCallback, useContext, useMemo, useState } from "react";
import type { Contact, Description, MetadataEntries, Person } from "./entries/entries.ts";
import type { Entry, ListName } from "./entries/lists.ts";
import type { FormError } from "./errors/form-errors.ts";
import type { GroupValues } from "./own-fields/values.ts";

/** The form for metadata, for its fields: part of the form for a submission, and of that for a change of metadata. */
export interface MetadataForm {
  /** Distinguishes the forms of a visit from each other. */
  name: string;
  draft: MetadataEntries;
  setDescription: (change: Partial<Description>) => void;
  setContact: (change: Partial<Contact>) => void;
  setList: <L extends ListName>(list: L, change: (entries: Entry<L>[]) => Entry<L>[]) => void;
  setAuthors: (change: (authors: Person[]) => Person[]) => void;
  /** Replaces the values of a group of the operator's fields. A group without values is removed. */
  setOwnFields: (group: string, change: (values: GroupValues) => GroupValues) => void;

  formErrors: readonly FormError[];
  /** The error message at a field, once the user has visited the field or tried to submit. */
  errorShownAt: (pointer: string) => string | undefined;
  /** Marks a field as visited. */
  touch: (pointer: string) => void;
  /** All errors are shown. */
  isRevealed: boolean;

  /** Opens the field of a member of the request. */
  goToField: (pointer: string) => void;
  /** The ids of the authors and of the entries of other lists whose fields are expanded. */
  openEntries: ReadonlySet<string>;
  setOpen: (entry: string, isOpen: boolean) => void;
}

export const MetadataFormContext = createContext<MetadataForm | undefined>(undefined);

/** The form that contains the calling field. */
export function useMetadataForm(): MetadataForm {
  const form = useContext(MetadataFormContext);
  if (form === undefined) throw new Error("This is shown inside of a form alone");
  return form;
}

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

/** The ids of the entries of lists whose fields are expanded. @param first those that are expanded at first */
export function useOpenEntries(first: readonly { id: string }[] = []) {
  const [openEntries, setOpenEntries] = useState<ReadonlySet<string>>(() => new Set(first.map(({ id }) => id)));
  const setOpen = useCallback((entry: string, isOpen: boolean) => {
    setOpenEntries((open) => {
      const others = [...open].filter((id) => id !== entry);
      return new Set(isOpen ? [...others, entry] : others);
    });
  }, []);
  return { openEntries, setOpen };
}
