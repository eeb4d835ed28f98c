import type { components } from "@accession/client";
import { isOrganisation, isStated } from "../metadata-form/affiliations.ts";
import { languageCode } from "../metadata-form/languages.ts";
import { isFilled, isListName, LIST_NAMES, type ListName, type Lists } from "../metadata-form/lists.ts";
import type { Contact, DataSource, Draft, Keys, MetadataEntries, Person } from "./draft.ts";

type Schemas = components["schemas"];

/** The data source as the API accepts it, without empty values. */
export function accessOf(dataSource: DataSource, keys: Keys): Schemas["S3Access"] {
  const { endpoint, bucket, region, style, anonymous } = dataSource;
  return {
    endpoint: endpoint.trim(),
    bucket: bucket.trim(),
    ...filled({ region }),
    ...(style !== "auto" && { pathStyle: style === "path" }),
    ...(anonymous ? { anonymous } : filled({ ...keys })),
  };
}

/** The selection of objects; undefined for all objects. */
export function selectionOf(dataSource: DataSource): Schemas["Selection"] | undefined {
  const { prefix, chosen, leftOut } = dataSource;
  const include = [...linesOf(dataSource.include), ...chosen];
  const exclude = [...linesOf(dataSource.exclude), ...leftOut];
  const selection = {
    ...(prefix !== "" && { prefix }),
    ...(include.length > 0 && { include }),
    ...(exclude.length > 0 && { exclude }),
  };
  return Object.keys(selection).length === 0 ? undefined : selection;
}

/** The body of a check and of a preview. */
export function checkOf(dataSource: DataSource, keys: Keys): Schemas["CheckRequest"] {
  const selection = selectionOf(dataSource);
  return { ...accessOf(dataSource, keys), ...(selection !== undefined && { selection }) };
}

/** The body of a preview. @param dataset the dataset that would get a new version */
export function previewOf(check: Schemas["CheckRequest"], dataset: string | undefined): Schemas["PreviewRequest"] {
  return { ...check, ...(dataset !== undefined && { dataset: { id: dataset } }) };
}

/** The metadata as the API accepts it, without empty entries. */
export function metadataOf(entries: MetadataEntries): Schemas["Metadata"] {
  const { description, lists, contact, authors } = entries;
  const { title, subjects: written, language, ...others } = description;
  const subjects = subjectsOf(written);
  return {
    title: title.trim(),
    ...filled({ ...others, language: languageCode(language) }),
    ...(subjects.length > 0 && { subjects }),
    ...listsOf(lists),
    ...contactOf(contact),
    authors: authors.map(authorOf),
  };
}

function listsOf(lists: Lists): Partial<Schemas["Metadata"]> {
  const all = LIST_NAMES.map(
    (name) => [name, lists[name].filter(isFilled).map((entry) => entryOf(name, entry))] as const,
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
  return Object.keys(stated).length === 0 ? {} : { contact: { ...stated, public: isPublic } };
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
export function pointerInDraft(pointer: string, { lists, authors }: Pick<Draft, "lists" | "authors">): string {
  const [start, metadata, list = "", index = "", member = "", ...inner] = pointer.split("/");
  if (metadata !== "metadata" || index === "") return pointer;
  if (isListName(list)) {
    return [
      start,
      metadata,
      list,
      positionOf(lists[list], isFilled, index),
      ...(member === "" ? [] : [member]),
      ...inner,
    ].join("/");
  }
  const institutions =
    list === "authors" && member === "affiliations" ? authors[Number(index)]?.affiliations : undefined;
  const [at, ...rest] = inner;
  if (institutions === undefined || at === undefined) return pointer;
  return [start, metadata, list, index, member, positionOf(institutions, isStated, at), ...rest].join("/");
}

/** The position among all entries of the one at this position among those that are sent. */
function positionOf<E>(entries: readonly E[], isSent: (entry: E) => boolean, sent: string): string {
  const positions = entries.flatMap((entry, position) => (isSent(entry) ? [position] : []));
  return String(positions[Number(sent)] ?? sent);
}

/** The body of a submission. */
export function uploadOf(draft: Draft, keys: Keys, dataset: string | undefined): Schemas["UploadRequest"] {
  const selection = selectionOf(draft.dataSource);
  return {
    metadata: metadataOf(draft),
    s3Access: accessOf(draft.dataSource, keys),
    ...(selection !== undefined && { selection }),
    ...(dataset !== undefined && { dataset: { id: dataset } }),
  };
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

/** The keywords in a text, which commas separate. */
export function subjectsOf(text: string): string[] {
  const all = text.split(/[,;\n]/).map((subject) => subject.trim());
  return [...new Set(all)].filter((subject) => subject !== "");
}

/** The patterns in a text, one per line. */
export function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function filled(members: Record<string, string>): Record<string, string> {
  const trimmed = Object.entries(members).map(([name, value]) => [name, value.trim()] as const);
  return Object.fromEntries(trimmed.filter(([, value]) => value !== ""));
}
