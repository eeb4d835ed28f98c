import { useForm } from "./form.ts";
import { fieldId } from "./parts.ts";

/** What ties a field to a member of the request: its id, what is said of it, and that somebody was there. */
export function useField(): (pointer: string) => { id: string; error: string | undefined; onBlur: () => void } {
  const { errorShownAt, touch } = useForm();
  return (pointer) => ({ id: fieldId(pointer), error: errorShownAt(pointer), onBlur: () => touch(pointer) });
}
