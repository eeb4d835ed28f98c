import type { Draft } from "../draft.ts";

/** What this service exports where a format requires a description, and there is none. */
const ABSENT = /^Dataset .*, no description given$/s;
/** How this service exports acknowledgements in formats that have no place for them. */
const THANKS = /^Acknowledgements: (?=\S)/;

/** Whether a text only says that there is no description. */
export function isAbsentDescription(text: string): boolean {
  return ABSENT.test(text);
}

/** Adds a description that is not the main one. */
export function addFurtherDescription(
  text: string | undefined,
  descriptionType: string | undefined,
  place: string,
  draft: Draft,
  language?: string,
): void {
  if (text === undefined || isAbsentDescription(text)) return;
  if (THANKS.test(text)) draft.set("acknowledgements", text.replace(THANKS, ""), place);
  else draft.add("descriptions", { description: text, descriptionType, language }, place);
}
