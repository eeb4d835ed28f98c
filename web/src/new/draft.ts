import { randomId } from "../api/random-id.ts";

/** Where the bucket lies, as it is typed in; keys are not part of it, so that they are never written down. */
export interface Where {
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
export interface What {
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
  where: Where;
  what: What;
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
    where: {
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
    what: { title: "", description: "", language: "", subjects: "", license: "", embargoDate: "" },
    authors: [newPerson()],
    idempotencyKey: randomId(),
  };
}

/** Whether nothing has been written. */
export function isBlank({ where, what, authors }: Draft): boolean {
  const blank = newDraft();
  const plain = (people: Person[]) => people.map(({ id: _, ...person }) => person);
  const content = JSON.stringify([where, what, plain(authors)]);
  return content === JSON.stringify([blank.where, blank.what, plain(blank.authors)]);
}
