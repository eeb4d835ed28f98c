import { randomId } from "../api/storage.ts";

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

/** The metadata without the authors. */
export interface Description {
  title: string;
  description: string;
  language: string;
  /** Keywords, separated by commas. */
  subjects: string;
  license: string;
  embargoDate: string;
}

/** An author, as entered. */
export interface Person {
  /** Identifies the author on this page, also after a change of the order. */
  id: string;
  role: string;
  firstName: string;
  lastName: string;
  orcid: string;
  affiliation: string;
  rorid: string;
  address: string;
  zipCode: string;
  city: string;
  country: string;
}

/** A new submission, as stored in the browser. */
export interface Draft {
  dataSource: DataSource;
  description: Description;
  authors: Person[];
  /** Sent with the submission so that it is accepted only once. Changes with every change of the draft. */
  idempotencyKey: string;
}

/** The credentials of the bucket. They are kept in memory only, until the tab is closed. */
export interface Keys {
  accessKey: string;
  secretKey: string;
  sessionToken: string;
}

export const NO_KEYS: Keys = { accessKey: "", secretKey: "", sessionToken: "" };

/** An author without entries. */
export function newPerson(known: Partial<Omit<Person, "id">> = {}): Person {
  const blank = { firstName: "", lastName: "", orcid: "", affiliation: "", rorid: "" };
  const postal = { address: "", zipCode: "", city: "", country: "" };
  return { id: randomId(), role: "Creator", ...blank, ...postal, ...known };
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
    description: { title: "", description: "", language: "", subjects: "", license: "", embargoDate: "" },
    authors: [newPerson()],
    idempotencyKey: randomId(),
  };
}

/** Whether the draft has no entries. */
export function isBlank({ dataSource, description, authors }: Draft): boolean {
  const blank = newDraft();
  const plain = (people: Person[]) => people.map(({ id: _, ...person }) => person);
  const content = JSON.stringify([dataSource, description, plain(authors)]);
  return content === JSON.stringify([blank.dataSource, blank.description, plain(blank.authors)]);
}

/** The format of stored drafts. Drafts in another format are ignored. */
const FORM = 1;

/** A draft as the browser stores it: two members keep the names that they had in earlier versions of this page. */
interface StoredDraft extends Pick<Draft, "authors" | "idempotencyKey"> {
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

function storedOf({ dataSource: where, description: what, authors, idempotencyKey }: Draft): StoredDraft {
  return { where, what, authors, idempotencyKey };
}

function draftOf(text: string | null): Draft | undefined {
  try {
    const kept = JSON.parse(text ?? "null") as { form: number; draft: StoredDraft } | null;
    if (kept?.form !== FORM) return undefined;
    const blank = newDraft();
    const { where, what, authors, idempotencyKey } = kept.draft;
    return {
      dataSource: { ...blank.dataSource, ...where },
      description: { ...blank.description, ...what },
      authors: authors.map((author) => ({ ...newPerson(), ...author })),
      idempotencyKey,
    };
  } catch {
    // The stored text was not written by this page.
    return undefined;
  }
}
