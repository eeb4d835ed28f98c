import { useMetadataForm } from "./context.ts";
import type { TextMember } from "./entries/entries.ts";
import { type TextField, useTextField } from "./useField.ts";
import { useMemberName } from "./useMemberName.ts";

/** Connects a field with a text of the metadata. */
export function useTextMember(): (name: TextMember) => TextField {
  const { draft, setDescription } = useMetadataForm();
  const field = useTextField();
  const labelOf = useMemberName();
  return (name) =>
    field(`/metadata/${name}`, labelOf(name), draft.description[name], (text) => setDescription({ [name]: text }));
}
