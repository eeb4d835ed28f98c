import { createContext, useContext } from "react";
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
