import { useTranslation } from "react-i18next";
import { useMetadataForm } from "../context.ts";
import type { Entry, FieldOf, ListName } from "../entries/lists.ts";
import { useField } from "../useField.ts";

/** What a text field needs. */
export interface TextField {
  id: string;
  label: string;
  error: string | undefined;
  autoComplete: string;
  value: string;
  onBlur: () => void;
  onChange: (event: { currentTarget: { value: string } }) => void;
}

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
  const field = useField();
  const at = `/metadata/${list}/${index}`;
  const set = (change: Partial<Entry<L>>) =>
    setList(list, (entries) => entries.map((one) => (one.id === entry.id ? { ...one, ...change } : one)));
  const input = (name: FieldOf<L>, member: string): TextField => ({
    ...field(at + member),
    label: t(`fields.${name as FieldOf<ListName>}`),
    autoComplete: "off",
    value: entry[name],
    onChange: ({ currentTarget }) => set({ [name]: currentTarget.value } as unknown as Partial<Entry<L>>),
  });
  return { input, set };
}
