import type { GroupValues } from "../own-fields/values.ts";
import { isOrganisation } from "./affiliations.ts";
import { type Contact, type Description, type MetadataEntries, newEntries, newPerson, type Person } from "./entries.ts";
import { type Entry, type ListName, listsOf, newEntry } from "./lists.ts";
import { nameOf, textOfSubjects } from "./metadata-of.ts";

/** Metadata that a client has sent, as entries of the form. Ignores values of an unexpected type. */
export function entriesOfMetadata(metadata: unknown): MetadataEntries {
  const { description, contact } = newEntries();
  const sent = members(metadata);
  const authors = entriesOf(sent.authors).map(personOf);
  return {
    description: {
      ...description,
      ...texts<Description>(sent, description),
      subjects: textOfSubjects(textsOf(sent.subjects)),
      embargoDate: dayOf(sent.embargoDate),
    },
    lists: listsOf((list) => entriesOf(sent[list]).map((entry) => entryOf(list, entry))),
    contact: {
      ...contact,
      ...texts<Contact>(members(sent.contact), contact),
      public: members(sent.contact).public === true,
    },
    authors: authors.length === 0 ? [newPerson()] : authors,
    ownFields: Object.fromEntries(
      Object.entries(members(sent.fields)).filter((group): group is [string, GroupValues] => isGroup(group[1])),
    ),
  };
}

/** Whether a value can be the values of a group of fields. */
function isGroup(value: unknown): value is GroupValues {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An author. One without the names of a person is an organisation, as for the service. */
function personOf(author: unknown): Person {
  const blank = newPerson();
  const affiliations = entriesOf(members(author).affiliations).map((one) => ({
    name: "",
    rorid: "",
    ...texts(members(one), { name: "", rorid: "" }),
  }));
  const person = { ...blank, ...texts<Person>(members(author), blank), id: blank.id, affiliations };
  const { nameType, name, orcid, affiliation } = person;
  const stated = [name, nameOf(person), affiliation].find((text) => text.trim() !== "") ?? "";
  if (isOrganisation(person)) return { ...person, name: stated };
  if (nameOf(person) !== "") return person;
  const isUnstated = nameType.trim() === "" && orcid.trim() === "" && affiliations.length === 0;
  if (isUnstated && stated !== "") return { ...person, nameType: "Organizational", name: stated, affiliation: "" };
  return { ...person, lastName: name };
}

/** An entry of a list. The two ends of a period and the members of a place have fields of their own. */
function entryOf(list: ListName, sent: unknown): Entry<ListName> {
  const { geoLocationPoint, geoLocationBox, ...others } = members(sent);
  const all: Record<string, unknown> = { ...others, ...members(geoLocationPoint), ...members(geoLocationBox) };
  const known = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, typeof value === "number" ? String(value) : value]),
  );
  const blank = newEntry(list);
  const entry = { ...blank, ...texts(known, blank), id: blank.id };
  return list === "dates" ? { ...entry, ...boundsOf((entry as Entry<"dates">).date) } : entry;
}

/** The start and the end of a period; an open one ends with two dots. */
function boundsOf(text: string): Pick<Entry<"dates">, "date" | "until"> {
  const [date = "", until, ...others] = text.split("/").map((part) => part.trim());
  if (until === undefined || others.length > 0) return { date: text, until: "" };
  return { date, until: until === "" ? ".." : until };
}

function entriesOf(values: unknown): unknown[] {
  return Array.isArray(values) ? values : [];
}

/** The day of a date, without a time: the field accepts only days. */
function dayOf(date: unknown): string {
  return typeof date === "string" ? (/^\d{4}-\d{2}-\d{2}/.exec(date)?.[0] ?? "") : "";
}

/** The texts in a list. Others are left out. */
export function textsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === "string") : [];
}

/** The members that are texts, as in the blank draft. */
function texts<Shape extends object>(sent: Record<string, unknown>, blank: Shape): Partial<Shape> {
  const names = Object.entries(blank).flatMap(([name, value]) => (typeof value === "string" ? [name] : []));
  const known = names.flatMap((name) => (typeof sent[name] === "string" ? [[name, sent[name]]] : []));
  return Object.fromEntries(known) as Partial<Shape>;
}

/** The members of an object; none of any other value. */
export function members(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
