import { fieldId } from "./entries/pointers.ts";

/** Moves the focus to the field of a member of the request, or of the nearest member that contains it. */
export function focusField(pointer: string): void {
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
