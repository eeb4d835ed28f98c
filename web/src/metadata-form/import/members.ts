import { type MetadataEntries, TEXTS, type TextMember } from "../entries/entries.ts";
import { filledIn, isListName, LIST_NAMES, type ListName, textsOf } from "../entries/lists.ts";
import { isUnnamed, labelOf } from "../entries/metadata-of.ts";

/** A member of the metadata that files can fill. Lists are one member each. */
export type Member = Exclude<TextMember, "embargoDate"> | "contact" | "authors" | ListName;

const FILLED = TEXTS.filter((name) => name !== "embargoDate");

/** In the order of the form. */
export const MEMBERS: readonly Member[] = [
  ...FILLED.slice(0, 5),
  "authors",
  ...LIST_NAMES,
  ...FILLED.slice(5),
  "contact",
];

/** The entry of a member: a text, a list, or the contact. */
export function entryOf({ description, lists, contact, authors }: MetadataEntries, member: Member): unknown {
  if (member === "authors") return authors;
  if (member === "contact") return contact;
  return isListName(member) ? lists[member] : description[member];
}

/** The lines that show the entry of a member; none if the user has entered nothing. */
export function linesOf(entries: MetadataEntries, member: Member): string[] {
  const { description, lists, contact, authors } = entries;
  if (member === "authors") return authors.filter((author) => !isUnnamed(author)).map(labelOf);
  if (member === "contact") return filledIn([joined([contact.name, contact.email])]);
  if (!isListName(member)) return filledIn([description[member]]);
  return filledIn(lists[member].map((entry) => joined(textsOf(entry))));
}

/** The texts in one line. */
function joined(texts: readonly string[]): string {
  return filledIn(texts).join(" · ");
}

/** Whether two entries have the same content. The ids that the page gives to entries do not count. */
export function isSameEntry(one: unknown, other: unknown): boolean {
  return one === other || contentOf(one) === contentOf(other);
}

/** The content of lists that were compared before: a list never changes. */
const known = new WeakMap<object, string>();

/** The content of an entry as text. */
export function contentOf(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return JSON.stringify(entry);
  const before = known.get(entry);
  if (before !== undefined) return before;
  const content = JSON.stringify(entry, (name, value) => (name === "id" ? undefined : value));
  known.set(entry, content);
  return content;
}
