import { useMetadataForm } from "./context.ts";
import type { TextMember } from "./entries/entries.ts";
import type { TextField } from "./list/useEntry.ts";
import { useField } from "./useField.ts";
import { useMemberName } from "./useMemberName.ts";

/** Connects a field with a text of the metadata. */
export function useTextMember(): (name: TextMember) => TextField {
  const { draft, setDescription } = useMetadataForm();
  const field = useField();
  const labelOf = useMemberName();
  return (name) => ({
    ...field(`/metadata/${name}`),
    label: labelOf(name),
    autoComplete: "off",
    value: draft.description[name],
    onChange: ({ currentTarget }) => setDescription({ [name]: currentTarget.value }),
  });
}
