import { useMetadataForm } from "./context.ts";
import type { TextMember } from "./entries/entries.ts";
import { fieldId } from "./entries/pointers.ts";
import { useMemberName } from "./useMemberName.ts";

/** Connects a field with a member of the request: its id, its error message, and a handler that marks it as visited. */
export function useField(): (pointer: string) => { id: string; error: string | undefined; onBlur: () => void } {
  const { errorShownAt, touch } = useMetadataForm();
  return (pointer) => ({ id: fieldId(pointer), error: errorShownAt(pointer), onBlur: () => touch(pointer) });
}

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

/** Connects a text field with a member of the request, as {@link useField} does, and with its value in the form. */
export function useTextField(): (
  pointer: string,
  label: string,
  value: string,
  set: (text: string) => void,
) => TextField {
  const field = useField();
  return (pointer, label, value, set) => ({
    ...field(pointer),
    label,
    autoComplete: "off",
    value,
    onChange: ({ currentTarget }) => set(currentTarget.value),
  });
}

/** Connects a field with a text of the metadata. */
export function useTextMember(): (name: TextMember) => TextField {
  const { draft, setDescription } = useMetadataForm();
  const field = useTextField();
  const labelOf = useMemberName();
  return (name) =>
    field(`/metadata/${name}`, labelOf(name), draft.description[name], (text) => setDescription({ [name]: text }));
}
