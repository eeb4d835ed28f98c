import { randomId } from "../api/storage.ts";
import { DraftStore } from "../metadata-form/draft-store.ts";
import { LIST_NAMES, type Lists, newEntry, newLists } from "../metadata-form/lists.ts";

/** The data source, as entered. It does not contain the credentials, so that they are never stored. */
export interface DataSource {
  endpoint: string;
  region: string;
  bucket: string;
  /** How requests address the bucket; `auto` lets the service detect it. */
  style: "auto" | "path" | "host";
  anonymous: boolean;
  prefix: string;
  /** Patterns, one per line. */
  include: string;
  exclude: string;
  /** Folder patterns to include, from check boxes. If there are any, other objects are excluded. */
  chosen: readonly string[];
  /** Folder patterns to exclude, from check boxes. */
  leftOut: readonly string[];
}

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
}

/** A new submission, as stored in the browser. */
export interface Draft extends MetadataEntries {
  dataSource: DataSource;
  /** Sent with the submission so that it is accepted only once. Changes with every change of the draft. */
  idempotencyKey: string;
}

/** The entries of a draft. */
export type DraftEntries = Omit<Draft, "idempotencyKey">;

/** The credentials of the bucket. They are kept in memory only, until the tab is closed. */
export interface Keys {
  accessKey: string;
  secretKey: string;
  sessionToken: string;
}

export const NO_KEYS: Keys = { accessKey: "", secretKey: "", sessionToken: "" };

/** An author without entries. */
export function newPerson(known: Partial<Omit<Person, "id">> = {}): Person {
  const blank = { nameType: "", name: "", firstName: "", lastName: "", orcid: "", affiliation: "", rorid: "" };
  const postal = { address: "", zipCode: "", city: "", country: "" };
  return { id: randomId(), role: "Creator", ...blank, affiliations: [], ...postal, ...known };
}

/** A draft without entries. */
export function newDraft(): Draft {
  return {
    dataSource: {
      endpoint: "",
      region: "",
      bucket: "",
      style: "auto",
      anonymous: false,
      prefix: "",
      include: "",
      exclude: "",
      chosen: [],
      leftOut: [],
    },
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
    idempotencyKey: randomId(),
  };
}

/** Whether the draft has no entries. */
export function isBlank(draft: Draft): boolean {
  return contentOf(draft) === contentOf(newDraft());
}

/** The entries as text, without the ids that the page has given them. */
function contentOf({ idempotencyKey: _, ...entries }: Draft): string {
  return JSON.stringify(entries, (name, value) => (name === "id" ? undefined : value));
}

/** The format of stored drafts. Drafts in another format are ignored. */
const FORM = 1;

/** A draft as the browser stores it: two members keep the names that they had in earlier versions of this page. */
interface StoredDraft extends Omit<Draft, "dataSource" | "description"> {
  where: DataSource;
  what: Description;
}

/** The store of the draft of a submission. Does not store blank drafts. */
export function draftStore(place: string): DraftStore<Draft> {
  return new DraftStore(place, {
    write: (draft) => (isBlank(draft) ? null : JSON.stringify({ form: FORM, draft: storedOf(draft) })),
    read: draftOf,
  });
}

function storedOf({ dataSource: where, description: what, ...others }: Draft): StoredDraft {
  return { where, what, ...others };
}

/** @throws if the text was not written by this page */
function draftOf(text: string): Draft | undefined {
  const kept = JSON.parse(text) as { form: number; draft: StoredDraft };
  if (kept.form !== FORM) return undefined;
  const { where, what, idempotencyKey, ...others } = kept.draft;
  return {
    ...completeEntries({ ...others, description: what }),
    dataSource: { ...newDraft().dataSource, ...where },
    idempotencyKey,
  };
}

/** Stored entries with all fields that this version of the page has. Earlier versions stored fewer. */
export function completeEntries({ description, lists, contact, authors }: Partial<MetadataEntries>): MetadataEntries {
  const blank = newDraft();
  const stored = LIST_NAMES.map((name) => [
    name,
    (lists?.[name] ?? []).map((entry) => ({ ...newEntry(name), ...entry })),
  ]);
  return {
    description: { ...blank.description, ...description },
    lists: Object.fromEntries(stored) as Lists,
    contact: { ...blank.contact, ...contact },
    authors: (authors ?? []).map((author) => ({ ...newPerson(), ...author })),
  };
}
