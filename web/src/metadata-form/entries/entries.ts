import type { components } from "@accession/client";
import { randomId } from "../../api/browser/storage.ts";
import { LONG_TEXTS } from "../../api/long-texts.ts";
import type { Known } from "../../api/metadata.ts";
import type { GroupValues } from "../own-fields/values.ts";
import { type Lists, listsOf, newEntry } from "./lists.ts";

type Schemas = components["schemas"];

/** The members of the metadata that are entered as one text, in the order of the form. */
export const TEXTS = [
  "title",
  "description",
  "subjects",
  "language",
  "license",
  "embargoDate",
  ...LONG_TEXTS,
  "resourceTypeGeneral",
  "resourceType",
  "versionLabel",
] as const satisfies readonly (keyof Known<Schemas["Metadata"]>)[];
export type TextMember = (typeof TEXTS)[number];

/** The texts of the metadata. `subjects` are keywords, separated by commas. */
export type Description = Record<TextMember, string>;

/** The contact for questions about the dataset, as entered. */
export type Contact = Required<Known<Schemas["Contact"]>>;

/** An institution of an author, as entered. */
export type Affiliation = Required<Known<Schemas["Affiliation"]>>;

/**
 * An author, as entered. `id` identifies the author on this page, also after a change of the order. `nameType` is empty for a
 * person, unless it is stated. `name` is that of an organisation, `affiliation` the first institution of a person, and
 * `rorid` that of the first institution, or of the organisation itself.
 */
export type Person = { id: string; affiliations: readonly Affiliation[] } & Required<
  Omit<Known<Schemas["Author"]>, "affiliations">
>;

/** The metadata, as entered. */
export interface MetadataEntries {
  description: Description;
  lists: Lists;
  contact: Contact;
  authors: Person[];
  /** Values of the fields that the operator has defined, by group. */
  ownFields: Readonly<Record<string, GroupValues>>;
}

const NOTHING = { nameType: "", name: "", firstName: "", lastName: "", orcid: "", affiliation: "", rorid: "" };
const NO_ADDRESS = { address: "", zipCode: "", city: "", country: "" };

/** An author without entries. */
export function newPerson(known: Partial<Omit<Person, "id">> = {}): Person {
  return { id: randomId(), role: "Creator", ...NOTHING, affiliations: [], ...NO_ADDRESS, ...known };
}

/** Metadata without entries. */
export function newEntries(): MetadataEntries {
  return {
    description: Object.fromEntries(TEXTS.map((name) => [name, ""])) as Description,
    lists: listsOf(() => []),
    contact: { name: "", email: "", public: false },
    authors: [newPerson()],
    ownFields: {},
  };
}

/** Stored entries with all fields that this version of the page has. Earlier versions stored fewer. */
export function completeEntries(stored: Partial<MetadataEntries>): MetadataEntries {
  const { description, lists, contact, authors, ownFields } = stored;
  const blank = newEntries();
  return {
    description: { ...blank.description, ...description },
    lists: listsOf((list) => (lists?.[list] ?? []).map((entry) => ({ ...newEntry(list), ...entry }))),
    contact: { ...blank.contact, ...contact },
    authors: (authors ?? []).map((author) => ({ ...newPerson(), ...author })),
    ownFields: ownFields ?? {},
  };
}
