import { randomId } from "../../api/storage.ts";
import type { GroupValues } from "../own-fields/values.ts";
import { LIST_NAMES, type Lists, newEntry, newLists } from "./lists.ts";

/** The texts of the metadata. */
export interface Description {
  title: string;
  description: string;
  language: string;
  /** Keywords, separated by commas. */
  subjects: string;
  license: string;
  embargoDate: string;
  acknowledgements: string;
  resourceTypeGeneral: string;
  resourceType: string;
  versionLabel: string;
}

/** The contact for questions about the dataset, as entered. */
export interface Contact {
  name: string;
  email: string;
  public: boolean;
}

/** An institution of an author, as entered. */
export interface Affiliation {
  name: string;
  rorid: string;
}

/** An author, as entered. */
export interface Person {
  /** Identifies the author on this page, also after a change of the order. */
  id: string;
  role: string;
  /** Empty for a person, unless it is stated. */
  nameType: string;
  /** Of an organisation. */
  name: string;
  firstName: string;
  lastName: string;
  orcid: string;
  /** The first institution of a person. */
  affiliation: string;
  /** Of the first institution, or of the organisation itself. */
  rorid: string;
  /** Further institutions of a person. */
  affiliations: readonly Affiliation[];
  address: string;
  zipCode: string;
  city: string;
  country: string;
}

/** The metadata, as entered. */
export interface MetadataEntries {
  description: Description;
  lists: Lists;
  contact: Contact;
  authors: Person[];
  /** Values of the fields that the operator has defined, by group. */
  ownFields: Readonly<Record<string, GroupValues>>;
}

/** An author without entries. */
export function newPerson(known: Partial<Omit<Person, "id">> = {}): Person {
  const blank = { nameType: "", name: "", firstName: "", lastName: "", orcid: "", affiliation: "", rorid: "" };
  const postal = { address: "", zipCode: "", city: "", country: "" };
  return { id: randomId(), role: "Creator", ...blank, affiliations: [], ...postal, ...known };
}

/** Metadata without entries. */
export function newEntries(): MetadataEntries {
  return {
    description: {
      title: "",
      description: "",
      language: "",
      subjects: "",
      license: "",
      embargoDate: "",
      acknowledgements: "",
      resourceTypeGeneral: "",
      resourceType: "",
      versionLabel: "",
    },
    lists: newLists(),
    contact: { name: "", email: "", public: false },
    authors: [newPerson()],
    ownFields: {},
  };
}

/** Stored entries with all fields that this version of the page has. Earlier versions stored fewer. */
export function completeEntries(stored: Partial<MetadataEntries>): MetadataEntries {
  const { description, lists, contact, authors, ownFields } = stored;
  const blank = newEntries();
  const entries = LIST_NAMES.map((name) => [
    name,
    (lists?.[name] ?? []).map((entry) => ({ ...newEntry(name), ...entry })),
  ]);
  return {
    description: { ...blank.description, ...description },
    lists: Object.fromEntries(entries) as Lists,
    contact: { ...blank.contact, ...contact },
    authors: (authors ?? []).map((author) => ({ ...newPerson(), ...author })),
    ownFields: ownFields ?? {},
  };
}
