import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { addDescriptions } from "../descriptions.ts";
import { withoutTags } from "../plain-text.ts";

const EMBARGO = /^Under embargo until (\d{4}-\d{2}-\d{2})\b/;

/** Adds the descriptions of the entity, and what packages of this service write as descriptions and conditions of access. */
export function addTexts(root: FileValue, draft: Draft): void {
  const descriptions = [...root.entries("description"), ...root.entries("abstract")];
  const methods = root.entries("measurementTechnique");
  addDescriptions(
    [
      ...descriptions.map((entry) => ({ text: withoutTags(entry.text()), isMain: true, place: entry.place })),
      ...methods.map((entry) => ({
        text: withoutTags(entry.text()),
        type: "Methods",
        isMain: false,
        place: entry.place,
      })),
    ],
    draft,
  );
  const access = root.member("conditionsOfAccess");
  draft.set("embargoDate", EMBARGO.exec(access?.text() ?? "")?.[1], access?.place ?? "");
}
