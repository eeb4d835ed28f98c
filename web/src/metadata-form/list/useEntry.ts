import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import type { Entry, FieldOf, ListName } from "../entries/lists.ts";
import { useTextField } from "../useField.ts";

/** What the fields of an entry of a list need. */
export interface EntryProps<L extends ListName> {
  entry: Entry<L>;
  index: number;
}

/**
 * The fields of an entry, and a function that changes it.
 *
 * @returns `input(name, member)` connects a field; `member` is the end of the pointer to the member of the request
 */
export function useEntry<L extends ListName>(list: L, { entry, index }: EntryProps<L>) {
  const { t } = useTranslation("metadata");
  const { setList } = useMetadataForm();
  const field = useTextField();
  const at = `/metadata/${list}/${index}`;
  const set = (change: Partial<Entry<L>>) =>
    setList(list, (entries) => entries.map((one) => (one.id === entry.id ? { ...one, ...change } : one)));
  const input = (name: FieldOf<L>, member: string) =>
    field(at + member, t(`fields.${name as FieldOf<ListName>}`), entry[name], (text) =>
      set({ [name]: text } as unknown as Partial<Entry<L>>),
    );
  return { input, set };
}
