import { randomId } from "../api/storage.ts";
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

/** Whether the browser has stored the draft: yes, its storage is full, or another tab has stored a different draft. */
export type DraftSaveState = "kept" | "full" | "elsewhere";

/** Stores a draft for one tab. Never overwrites a draft that another tab has stored. */
export class DraftStore {
  readonly #place: string;
  /** The stored text that this tab last read or wrote. */
  #known: string | null = null;
  #kept: DraftSaveState = "kept";

  constructor(place: string) {
    this.#place = place;
  }

  /** The stored draft; undefined if there is none that can be read. */
  read(): Draft | undefined {
    this.#known = textAt(this.#place);
    this.#kept = "kept";
    return draftOf(this.#known);
  }

  /** Stores a draft, unless another tab has stored one meanwhile. Does not store blank drafts. */
  keep(draft: Draft): DraftSaveState {
    const text = isBlank(draft) ? null : JSON.stringify({ form: FORM, draft: storedOf(draft) });
    this.#kept = this.isNewer() ? "elsewhere" : put(this.#place, text, this.#known);
    if (this.#kept === "kept") this.#known = text;
    return this.#kept;
  }

  /** Deletes the draft that this tab stored. */
  drop(): void {
    if (!this.isNewer()) put(this.#place, null, this.#known);
  }

  /** Whether another tab has stored a draft since. */
  isNewer(): boolean {
    return textAt(this.#place) !== this.#known;
  }

  /** Whether this tab has entries that are not stored. */
  get isBehind(): boolean {
    return this.#kept !== "kept";
  }
}

/** Replaces the stored text, or removes it. */
function put(place: string, text: string | null, before: string | null): DraftSaveState {
  if (text === before) return "kept";
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
    return "kept";
  } catch {
    // The form also works in browsers that do not allow storage.
    return "full";
  }
}

function textAt(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    // Some browsers do not even allow reading.
    return null;
  }
}

function storedOf({ dataSource: where, description: what, ...others }: Draft): StoredDraft {
  return { where, what, ...others };
}

function draftOf(text: string | null): Draft | undefined {
  try {
    const kept = JSON.parse(text ?? "null") as { form: number; draft: StoredDraft } | null;
    if (kept?.form !== FORM) return undefined;
    const blank = newDraft();
    const { where, what, lists, contact, authors, idempotencyKey } = kept.draft;
    return {
      dataSource: { ...blank.dataSource, ...where },
      description: { ...blank.description, ...what },
      lists: completed(lists),
      contact: { ...blank.contact, ...contact },
      authors: authors.map((author) => ({ ...newPerson(), ...author })),
      idempotencyKey,
    };
  } catch {
    // The stored text was not written by this page.
    return undefined;
  }
}

/** The stored lists with all fields that this version of the page has. Earlier versions stored none. */
function completed(stored: Partial<Lists> | undefined): Lists {
  const lists = LIST_NAMES.map((name) => [
    name,
    (stored?.[name] ?? []).map((entry) => ({ ...newEntry(name), ...entry })),
  ]);
  return Object.fromEntries(lists) as Lists;
}
