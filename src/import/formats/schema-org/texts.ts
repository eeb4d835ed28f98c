import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { addFurtherDescription, isAbsentDescription } from "../descriptions.ts";
import { withoutTags } from "../plain-text.ts";

const EMBARGO = /^Under embargo until (\d{4}-\d{2}-\d{2})\b/;

/** Adds the descriptions of the entity, and what packages of this service write as descriptions. */
export function addDescriptions(root: FileValue, draft: Draft): void {
  for (const entry of [...root.entries("description"), ...root.entries("abstract")]) {
    const text = withoutTags(entry.text());
    if (text === undefined || isAbsentDescription(text)) continue;
    if (draft.has("description")) addFurtherDescription(text, undefined, entry.place, draft);
    else draft.set("description", text, entry.place);
  }
  for (const entry of root.entries("measurementTechnique")) {
    addFurtherDescription(withoutTags(entry.text()), "Methods", entry.place, draft);
  }
  const access = root.member("conditionsOfAccess");
  draft.set("embargoDate", EMBARGO.exec(access?.text() ?? "")?.[1], access?.place ?? "");
}
