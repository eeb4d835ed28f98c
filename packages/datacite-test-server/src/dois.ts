import { type Account, allowsUrl } from "./accounts.ts";

/** The state of a DOI. A DOI that was registered once never becomes a draft again. */
export type State = "draft" | "registered" | "findable";

/** Attributes of a DOI as a client sends them. */
export type Attributes = Record<string, unknown>;

/** A DOI. */
export interface DoiRecord {
  /** In lower case. */
  doi: string;
  /** Id of the account, in lower case. */
  repository: string;
  state: State;
  /** As they were sent, without `event`. */
  attributes: Attributes;
  /** The URL to which the handle leads; undefined until its registration worked. */
  handle: string | undefined;
  /** ISO 8601; when the handle was registered first. */
  registered: string | undefined;
  created: string;
  updated: string;
}

/** An error in the form of the API. */
export interface ApiError {
  source?: string;
  title: string;
  uid?: string;
}

/** Attributes that a registered or findable DOI needs. */
const MANDATORY = ["url", "creators", "titles", "publisher", "publicationYear", "types"] as const;

const BLANK = "can't be blank";

/** Events, with the states from which they lead to another one. Other events are ignored without an error. */
const EVENTS: Readonly<Record<string, { from: readonly State[]; to: State }>> = {
  register: { from: ["draft"], to: "registered" },
  publish: { from: ["draft", "registered"], to: "findable" },
  hide: { from: ["findable"], to: "registered" },
};

/** The record after a change; attributes that were not sent stay as they are. */
export function changed(record: DoiRecord, { event, ...sent }: Attributes, isEventIgnored: boolean): DoiRecord {
  const { doi: _doi, state: _state, registered: _registered, ...attributes } = sent;
  const transition = typeof event === "string" && !isEventIgnored ? EVENTS[event] : undefined;
  return {
    ...record,
    attributes: { ...record.attributes, ...attributes },
    state: transition?.from.includes(record.state) === true ? transition.to : record.state,
    updated: new Date().toISOString(),
  };
}

/** What is wrong with a record. Drafts may lack everything; the domain of the URL is checked only when the state changes. */
export function faultsOf(record: DoiRecord, before: State | undefined, account: Account): ApiError[] {
  const { attributes, state, doi: uid } = record;
  if (state === "draft") return [];
  const missing = MANDATORY.filter((name) => isMissing(attributes, name)).map((source) => ({
    source,
    title: BLANK,
    uid,
  }));
  if (missing.length > 0 || state === before) return missing;
  if (allowsUrl(account, String(attributes.url))) return [];
  return [{ source: "url", title: "URL is not allowed by repository domain settings.", uid }];
}

function isMissing(attributes: Attributes, name: (typeof MANDATORY)[number]): boolean {
  const value = attributes[name];
  if (name === "types") return !(value as { resourceTypeGeneral?: unknown } | undefined)?.resourceTypeGeneral;
  return value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

/** How much of publisher and affiliations a response contains. */
export interface Detail {
  publisher: boolean;
  affiliation: boolean;
}

/** A DOI as JSON:API. Without `detail`, publisher and affiliations are only their names. */
export function rendered(record: DoiRecord, detail: Detail): object {
  const { doi, state, attributes, registered, created, updated, repository } = record;
  const [prefix = "", ...suffix] = doi.split("/");
  const { publisher, creators = [], contributors = [] } = attributes;
  return {
    id: doi,
    type: "dois",
    attributes: {
      ...attributes,
      doi,
      prefix,
      suffix: suffix.join("/"),
      state,
      isActive: state === "findable",
      publisher: detail.publisher ? publisherOf(publisher) : nameOf(publisher),
      creators: people(creators, detail),
      contributors: people(contributors, detail),
      created,
      updated,
      registered: registered ?? null,
    },
    relationships: { client: { data: { id: repository, type: "clients" } } },
  };
}

function publisherOf(publisher: unknown): unknown {
  return typeof publisher === "string" ? { name: publisher } : publisher;
}

function nameOf(named: unknown): unknown {
  return typeof named === "object" && named !== null ? (named as { name?: unknown }).name : named;
}

function people(sent: unknown, { affiliation }: Detail): unknown {
  if (!Array.isArray(sent)) return [];
  return sent.map((person: { affiliation?: unknown }) => {
    const all = Array.isArray(person.affiliation) ? person.affiliation : [];
    const named = all.map((one) => (typeof one === "string" ? { name: one } : one));
    return { ...person, affiliation: affiliation ? named : named.map(nameOf) };
  });
}
