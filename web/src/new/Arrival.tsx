import { useEffect } from "react";
import { useForm } from "./form.ts";
import { fieldId } from "./parts.ts";

/** Takes whoever was led to a field there, once the part that it lies in is shown. */
export function Arrival() {
  const { target, arrive } = useForm();
  useEffect(() => {
    if (target === undefined) return;
    focusField(target);
    arrive();
  }, [target, arrive]);
  return null;
}

/** Moves to the field of a member, or of what the member lies in. */
function focusField(pointer: string): void {
  for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
    const field = document.getElementById(fieldId(at));
    if (field === null) continue;
    for (let folded = field.closest("details"); folded !== null; ) {
      folded.open = true;
      folded = folded.parentElement?.closest("details") ?? null;
    }
    field.focus();
    field.scrollIntoView({ block: "center" });
    return;
  }
}
