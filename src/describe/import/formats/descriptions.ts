import { acknowledgementsIn, statesNoDescription } from "../../version-facts.ts";
import type { Draft } from "../draft.ts";

/** A description in the order of the file. */
export interface StatedDescription {
  text: string | undefined;
  type?: string | undefined;
  language?: string | undefined;
  /** Whether it can be the main description. */
  isMain: boolean;
  place: string;
}

/** Adds the descriptions of a file. The first that can be the main one is it, unless an export says that there is none. */
export function addDescriptions(stated: readonly StatedDescription[], draft: Draft): void {
  const isAbsent = stated.some(({ text }) => text !== undefined && statesNoDescription(text));
  for (const { text, type, language, isMain, place } of stated) {
    if (text === undefined || statesNoDescription(text)) continue;
    const isFirst = isMain && !isAbsent && !draft.has("description");
    const acknowledgements = acknowledgementsIn(text);
    if (acknowledgements !== undefined) draft.set("acknowledgements", place, acknowledgements);
    else if (isFirst) draft.set("description", place, text);
    else draft.add("descriptions", place, { description: text, descriptionType: type, language });
  }
}
