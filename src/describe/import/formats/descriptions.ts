import type { Draft } from "../draft.ts";

/** The description that this service exports where a format requires one, and there is none. */
const ABSENT = /^Dataset .*, no description given$/s;
/** How this service exports acknowledgements in formats that have no place for them. */
const THANKS = /^Acknowledgements: (?=\S)/;

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
  const isAbsent = stated.some(({ text }) => text !== undefined && ABSENT.test(text));
  for (const { text, type, language, isMain, place } of stated) {
    if (text === undefined || ABSENT.test(text)) continue;
    const isFirst = isMain && !isAbsent && !draft.has("description");
    if (THANKS.test(text)) draft.set("acknowledgements", place, text.replace(THANKS, ""));
    else if (isFirst) draft.set("description", place, text);
    else draft.add("descriptions", place, { description: text, descriptionType: type, language });
  }
}
