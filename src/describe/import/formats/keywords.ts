import type { FileValue } from "../reading/file-value.ts";

/**
 * Keywords of a member. Entries of a list are keywords, also if they contain commas, as MeSH headings do. One text is divided at
 * semicolons or, without them, at commas.
 */
export function keywordsIn(member: FileValue | undefined): { text: string; place: string }[] {
  const isList = Array.isArray(member?.value);
  return (member?.asList() ?? []).flatMap((keyword) =>
    wordsOf(keyword.text() ?? "", isList).map((text) => ({ text, place: keyword.place })),
  );
}

/** @param isEntry whether the text is an entry of a list */
export function wordsOf(text: string, isEntry: boolean): string[] {
  const words = isEntry ? [text] : text.split(text.includes(";") ? ";" : ",");
  return words.map((word) => word.trim()).filter((word) => word !== "");
}
