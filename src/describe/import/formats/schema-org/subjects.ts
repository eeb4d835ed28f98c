import type { Draft } from "../../draft.ts";
import type { FileValue } from "../../reading/file-value.ts";
import { wordsOf } from "../keywords.ts";
import { idOf, type Resolve } from "./entity.ts";

/**
 * Adds the keywords of an entity, except the names of terms that are already added. Entries of a list are keywords, also if they
 * contain commas, as MeSH headings do. One text is a list with semicolons or commas, as schema.org writes it.
 */
export function addKeywords(root: FileValue, terms: readonly string[], draft: Draft, resolve: Resolve): void {
  const member = root.member("keywords");
  const isList = Array.isArray(member?.value);
  for (const keyword of root.entries("keywords").map(resolve)) {
    if (keyword.isObject && keyword.member("@value") === undefined) {
      addTerm(keyword, draft, resolve);
      continue;
    }
    for (const word of wordsOf(keyword.text() ?? "", isList)) {
      if (!terms.includes(word)) draft.add("subjects", word, keyword.place);
    }
  }
}

/** Adds a term of a vocabulary, and returns its name. */
export function addTerm(term: FileValue, draft: Draft, resolve: Resolve): string | undefined {
  const subject = term.text("name");
  const [set] = term.entries("inDefinedTermSet").map(resolve);
  const scheme = set === undefined ? undefined : (idOf(set) ?? set.text("name") ?? set.text());
  const address = (text: string | undefined) => (text !== undefined && /^https?:\/\//i.test(text) ? text : undefined);
  if (subject === undefined) return undefined;
  const name = set?.text("name") ?? (address(scheme) === undefined ? scheme : undefined);
  draft.add(
    "subjectTerms",
    {
      subject,
      subjectScheme: name === address(scheme) ? undefined : name,
      schemeUri: address(scheme),
      valueUri: address(idOf(term)) ?? address(term.text("url")),
      classificationCode: term.text("termCode"),
    },
    term.place,
  );
  return subject;
}
