import { randomId } from "../api/storage.ts";

/** The data source, as entered. It does not contain the credentials, so that they are never stored. */
export interface DataSource {
  endpoint: string;
  region: string;
  bucket: string;
  /** How the bucket is addressed; `auto` leaves it to the service. */
  style: "auto" | "path" | "host";
  anonymous: boolean;
  prefix: string;
  /** Patterns, one a line. */
  include: string;
  exclude: string;
  /** Folder patterns to include, from check boxes. If there are any, objects that match no include pattern are left out. */
  chosen: readonly string[];
  /** Folder patterns to exclude, from check boxes. */
  leftOut: readonly string[];
}

/** What the dataset is. */
export interface Description {
  title: string;
  description: string;
  language: string;
  /** Keywords, with commas between them. */
  subjects: string;
  license: string;
  embargoDate: string;
}

/** An author, as typed in. */
export interface Person {
  /** For the page alone: who it is while others are moved. */
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

/** A submission that is being written: all that survives a reload. */
export interface Draft {
  dataSource: DataSource;
  description: Description;
  authors: Person[];
  /** Sent along, so that this content is submitted once; every change begins a new one. */
  idempotencyKey: string;
}

/** What opens the bucket. It lives in memory, and goes with the tab. */
export interface Keys {
  accessKey: string;
  secretKey: string;
  sessionToken: string;
}

export const NO_KEYS: Keys = { accessKey: "", secretKey: "", sessionToken: "" };

/** An author of whom nothing is known yet. */
export function newPerson(known: Partial<Omit<Person, "id">> = {}): Person {
  const blank = { firstName: "", lastName: "", orcid: "", affiliation: "", rorid: "" };
  const postal = { address: "", zipCode: "", city: "", country: "" };
  return { id: randomId(), role: "Creator", ...blank, ...postal, ...known };
}

/** A draft in which nothing is written yet. */
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

/** Whether nothing has been written. */
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

/** Whether what is written is kept: it is, the browser takes no more, or another tab has written something else. */
export type Kept = "kept" | "full" | "elsewhere";

/** Keeps a draft at its place for one tab, and touches there only what this tab has read or written itself. */
export class DraftStore {
  readonly #place: string;
  /** What lies there as far as this tab knows. */
  #known: string | null = null;
  #kept: Kept = "kept";

  constructor(place: string) {
    this.#place = place;
  }

  /** The draft that lies there; undefined when there is none that can be read. */
  read(): Draft | undefined {
    this.#known = textAt(this.#place);
    this.#kept = "kept";
    return draftOf(this.#known);
  }

  /** Keeps a draft over the one that this tab knows; a blank one is not worth keeping. */
  keep(draft: Draft): Kept {
    const text = isBlank(draft) ? null : JSON.stringify({ form: FORM, draft: storedOf(draft) });
    this.#kept = this.isNewer() ? "elsewhere" : put(this.#place, text, this.#known);
    if (this.#kept === "kept") this.#known = text;
    return this.#kept;
  }

  /** Lets go of the draft that this tab knows. */
  drop(): void {
    if (!this.isNewer()) put(this.#place, null, this.#known);
  }

  /** Whether another tab has written something since. */
  isNewer(): boolean {
    return textAt(this.#place) !== this.#known;
  }

  /** Whether this tab has something that is kept nowhere. */
  get isBehind(): boolean {
    return this.#kept !== "kept";
  }
}

/** Puts a text, or nothing, in the place of another. */
function put(place: string, text: string | null, before: string | null): Kept {
  if (text === before) return "kept";
  try {
    if (text === null) localStorage.removeItem(place);
    else localStorage.setItem(place, text);
    return "kept";
  } catch {
    // A browser that keeps nothing lets one write all the same.
    return "full";
  }
}

function textAt(place: string): string | null {
  try {
    return localStorage.getItem(place);
  } catch {
    // Some browsers forbid to look, even.
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
    // Whatever lies there was not written by this page.
    return undefined;
  }
}
