import type { Draft } from "../draft.ts";
import type { FileValue } from "../reading/file-value.ts";

/**
 * Adds the keywords of a member, except those that are known. Entries of a list are keywords, also if they contain commas, as MeSH
 * headings do. One text is divided at semicolons or, without them, at commas.
 */
export function addKeywords(entity: FileValue, name: string, draft: Draft, known: readonly string[] = []): void {
  const isList = Array.isArray(entity.member(name)?.value);
  for (const keyword of entity.linked(name)) {
    const text = keyword.text() ?? "";
    const words = isList ? [text] : text.split(text.includes(";") ? ";" : ",");
    for (const word of words.map((one) => one.trim())) {
      if (word !== "" && !known.includes(word)) draft.add("subjects", keyword, word);
    }
  }
}
