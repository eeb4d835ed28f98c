import type { components } from "@accession/client";
import { isBlankValue, statedValue } from "../own-fields/values.ts";
import { isOrganisation, isStated } from "./affiliations.ts";
import type { Contact, MetadataEntries, Person } from "./entries.ts";
import { languageCode } from "./languages.ts";
import { isFilled, isListName, LIST_NAMES, type ListName, type Lists } from "./lists.ts";

type Schemas = components["schemas"];

/** The metadata as the API accepts it, without empty entries. */
export function metadataOf(entries: MetadataEntries): Schemas["Metadata"] {
  const { description, lists, contact, authors, ownFields } = entries;
  const { title, subjects: written, language, ...others } = description;
  const subjects = subjectsOf(written);
  return {
    title: title.trim(),
    ...filled({ ...others, language: languageCode(language) }),
    ...(subjects.length > 0 && { subjects }),
    ...filledLists(lists),
    ...contactOf(contact),
    authors: authors.map(authorOf),
    ...fieldsOf(ownFields),
  };
}

/** The values of the operator's fields, without groups that have none. */
function fieldsOf(ownFields: MetadataEntries["ownFields"]): { fields?: Record<string, object> } {
  const filled = Object.entries(ownFields).filter(([, values]) => !isBlankValue(values));
  if (filled.length === 0) return {};
  return { fields: Object.fromEntries(filled.map(([name, values]) => [name, statedValue(values) as object])) };
}

function filledLists(lists: Lists): Partial<Schemas["Metadata"]> {
  const all = LIST_NAMES.map(
    (list) => [list, lists[list].filter(isFilled).map((entry) => entryOf(list, entry))] as const,
  );
  return Object.fromEntries(all.filter(([, entries]) => entries.length > 0));
}

function entryOf(list: ListName, { id: _, ...fields }: { id: string }): object {
  const texts = filled(fields);
  if (list === "dates") return dateOf(texts);
  if (list === "geoLocations") return placeOf(texts);
  return texts.language === undefined ? texts : { ...texts, language: languageCode(texts.language) };
}

/** A date or period. Without an end, it is a single date. */
function dateOf({ date = "", until, ...others }: Record<string, string>): object {
  return { ...others, date: until === undefined ? date : `${date}/${until}` };
}

function placeOf({ geoLocationPlace, pointLatitude, pointLongitude, ...bounds }: Record<string, string>): object {
  const point = filled({ pointLatitude: pointLatitude ?? "", pointLongitude: pointLongitude ?? "" });
  return {
    ...(geoLocationPlace !== undefined && { geoLocationPlace }),
    ...(Object.keys(point).length > 0 && { geoLocationPoint: point }),
    ...(Object.keys(bounds).length > 0 && { geoLocationBox: bounds }),
  };
}

/** The contact; nothing if it has no entry. */
function contactOf({ public: isPublic, ...texts }: Contact): { contact?: Schemas["Contact"] } {
  const stated = filled(texts);
  if (Object.keys(stated).length === 0) return {};
  // The service reports a missing mail address.
  return { contact: { ...stated, public: isPublic } as Schemas["Contact"] };
}

/** An author with the members that the form shows: those of a person or those of an organisation. */
function authorOf(person: Person): Schemas["Author"] {
  const { id: _, name, firstName, lastName, orcid, affiliation, affiliations, ...others } = person;
  if (isOrganisation(person)) return filled({ ...others, name });
  const institutions = affiliations.filter(isStated).map((one) => filled({ ...one }));
  return {
    ...filled({ ...others, firstName, lastName, orcid, affiliation }),
    ...(institutions.length > 0 && { affiliations: institutions }),
  };
}

/** The pointer to the field of a member of the request. The form also counts empty entries, which are not sent. */
export function pointerInDraft(
  pointer: string,
  { lists, authors }: Pick<MetadataEntries, "lists" | "authors">,
): string {
  const names = pointer.split("/");
  const [, metadata, list = "", index = "", member, inner] = names;
  if (metadata !== "metadata" || index === "") return pointer;
  if (isListName(list)) return names.with(3, positionOf(lists[list], isFilled, index)).join("/");
  const institutions =
    list === "authors" && member === "affiliations" ? authors[Number(index)]?.affiliations : undefined;
  if (institutions === undefined || inner === undefined) return pointer;
  return names.with(5, positionOf(institutions, isStated, inner)).join("/");
}

/** The position among all entries of the one at this position among those that are sent. */
function positionOf<E>(entries: readonly E[], isSent: (entry: E) => boolean, sent: string): string {
  const positions = entries.flatMap((entry, position) => (isSent(entry) ? [position] : []));
  return String(positions[Number(sent)] ?? sent);
}

/** The display name of an author; empty if no name was entered. */
export function nameOf({ firstName, lastName }: Pick<Person, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`.trim();
}

/** The display name of a person or organisation or, without one, of the institution; empty if neither was entered. */
export function labelOf(person: Person): string {
  const name = isOrganisation(person) ? person.name.trim() : nameOf(person);
  return name || person.affiliation.trim();
}

/** Whether the author has no name, no ORCID iD and no affiliation. */
export function isUnnamed(person: Person): boolean {
  return labelOf(person) === "" && person.orcid.trim() === "";
}

/** A keyword in quotation marks, in which `""` is a quotation mark, or one that ends at a comma. */
const SUBJECT = /\s*(?:"((?:[^"]|"")*)"\s*(?=[,;\n]|$)|([^,;\n]*))(?:[,;\n]|$)/gy;

/** The keywords in a text, which commas separate. A keyword in quotation marks can contain commas. */
export function subjectsOf(text: string): string[] {
  const all = [...text.matchAll(SUBJECT)].map(([, quoted, plain = ""]) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );
  return [...new Set(all)].filter((subject) => subject !== "");
}

/** The text from which {@link subjectsOf} reads these keywords. */
export function textOfSubjects(subjects: readonly string[]): string {
  const written = subjects.map((subject) =>
    /[,;\n]|^\s*"/.test(subject) ? `"${subject.replaceAll('"', '""')}"` : subject,
  );
  return written.join(", ");
}

/** The members that are not blank, without the spaces around them. */
export function filled(members: Record<string, string>): Record<string, string> {
  const trimmed = Object.entries(members).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ""));
}
