import { useMetadataForm } from "./context.ts";
import { fieldId } from "./entries/pointers.ts";

/** Connects a field with a member of the request: its id, its error message, and a handler that marks it as visited. */
export function useField(): (pointer: string) => { id: string; error: string | undefined; onBlur: () => void } {
  const { errorShownAt, touch } = useMetadataForm();
  return (pointer) => ({ id: fieldId(pointer), error: errorShownAt(pointer), onBlur: () => touch(pointer) });
}
