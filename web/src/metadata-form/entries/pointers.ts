import type { MetadataEntries } from "./entries.ts";
import { isListName } from "./lists.ts";

/** The id of the field for a member of the request. */
export function fieldId(pointer: string): string {
  return `field${pointer.replaceAll("/", "-")}`;
}

/** Whether a pointer equals another one or leads to a member inside it. */
export function isWithin(pointer: string, outer: string): boolean {
  return pointer === outer || pointer.startsWith(`${outer}/`);
}

/** The author or the entry of another list that contains a member of the request, by its pointer. */
export function entryAt({ authors, lists }: MetadataEntries, pointer: string): { id: string } | undefined {
  const [, list = "", index] = /^\/metadata\/(\w+)\/(\d+)/.exec(pointer) ?? [];
  const entries = list === "authors" ? authors : isListName(list) ? lists[list] : [];
  return entries[Number(index)];
}

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
