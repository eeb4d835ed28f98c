import { randomId } from "../../api/browser/storage.ts";

/**
 * The lists of the metadata besides the authors, with the fields of their entries in rows. Fields in one row are side by
 * side; a part has a heading of its own. A new entry’s first field gets the focus.
 */
export const LIST_ROWS = {
  titles: [["title"], ["titleType", "language"]],
  descriptions: [["description"], ["descriptionType", "language"]],
  relatedIdentifiers: [
    ["relationType"],
    ["relatedIdentifier"],
    ["relatedIdentifierType", "resourceTypeGeneral"],
    ["citation"],
  ],
  fundingReferences: [
    ["funderName"],
    ["funderIdentifier", "funderIdentifierType"],
    ["awardNumber", "awardUri"],
    ["awardTitle"],
  ],
  dates: [["dateType"], ["date", "until"], ["dateInformation"]],
  geoLocations: [
    ["geoLocationPlace"],
    { part: "point", detail: "degrees", rows: [["pointLatitude", "pointLongitude"]] },
    {
      part: "box",
      rows: [["southBoundLatitude", "northBoundLatitude", "westBoundLongitude", "eastBoundLongitude"]],
    },
  ],
  subjectTerms: [["subject", "subjectScheme"], ["valueUri"], ["schemeUri"], ["classificationCode", "language"]],
  alternateIdentifiers: [["alternateIdentifier", "alternateIdentifierType"]],
  licenses: [["license", "appliesTo"]],
} as const;

/** A row of fields, or a part with rows. */
export type Row<Field> =
  | readonly Field[]
  | { part: "point" | "box"; detail?: "degrees"; rows: readonly (readonly Field[])[] };

type FieldIn<R> = R extends Row<infer Field> ? Field : never;

export type ListName = keyof typeof LIST_ROWS;
/** A field of the entries of a list. */
export type FieldOf<L extends ListName> = FieldIn<(typeof LIST_ROWS)[L][number]>;
/** An entry of a list, as entered. `id` identifies it on this page, also after a change of the order. */
export type Entry<L extends ListName> = { id: string } & Record<FieldOf<L>, string>;
export type Lists = { [L in ListName]: Entry<L>[] };

export const LIST_NAMES = Object.keys(LIST_ROWS) as ListName[];

/** The fields of the entries of a list. */
export function fieldsOf<L extends ListName>(list: L): FieldOf<L>[] {
  const rows: readonly Row<FieldOf<ListName>>[] = LIST_ROWS[list];
  return rows.flatMap((row) => ("part" in row ? row.rows.flat() : row)) as FieldOf<L>[];
}

/** The fields that choose a term, with the term of a new entry. An entry that has nothing else is not sent. */
const CHOICES: Readonly<Record<string, string>> = {
  titleType: "AlternativeTitle",
  descriptionType: "Methods",
  relationType: "IsDescribedBy",
  relatedIdentifierType: "",
  resourceTypeGeneral: "",
  funderIdentifierType: "",
  dateType: "Collected",
};

/** An entry without texts. */
export function newEntry<L extends ListName>(list: L, known: Partial<Entry<L>> = {}): Entry<L> {
  const fields = fieldsOf(list).map((field) => [field, CHOICES[field] ?? ""]);
  return { ...(Object.fromEntries(fields) as Entry<L>), ...known, id: randomId() };
}

/** Lists with entries. */
export function listsOf(entriesOf: (list: ListName) => readonly { id: string }[]): Lists {
  return Object.fromEntries(LIST_NAMES.map((name) => [name, entriesOf(name)])) as unknown as Lists;
}

/** Whether an entry has a text. Only such entries are sent. */
export function isFilled(entry: { id: string }): boolean {
  return textsOf(entry).length > 0;
}

/** The texts of an entry, without those that are chosen from a list. */
export function textsOf(entry: { id: string }): string[] {
  const texts = Object.entries(entry).filter(([field]) => field !== "id" && !Object.hasOwn(CHOICES, field));
  return filledIn(texts.map(([, value]) => String(value)));
}

/** The texts that are not blank, without the spaces around them. */
export function filledIn(texts: readonly string[]): string[] {
  return texts.map((text) => text.trim()).filter((text) => text !== "");
}

/** Whether a text is the name of a list of the metadata besides the authors. */
export function isListName(text: string): text is ListName {
  return Object.hasOwn(LIST_ROWS, text);
}
