import { Problem } from "../../domain/problems.ts";

/** A DOI as DataCite reports it. */
export interface DoiAnswer {
  /** In lower case. */
  doi: string;
  state: "draft" | "registered" | "findable";
  url: string | undefined;
  /** When its handle was registered, ISO 8601; undefined until then, so that the DOI leads nowhere. */
  registered: string | undefined;
  /** Id of the repository account to which it belongs, in lower case; undefined if the answer does not state it. */
  repository: string | undefined;
  attributes: Readonly<Record<string, unknown>>;
}

const STATES = ["draft", "registered", "findable"] as const;

/** Reads an answer of DataCite (JSON:API) about a DOI. @throws Problem `datacite_unreachable` for any other document or DOI */
export function readDoi(asked: string, document: unknown): DoiAnswer {
  const attributes = memberOf(document, "data", "attributes");
  const doi = memberOf(attributes, "doi");
  const state = STATES.find((name) => name === memberOf(attributes, "state"));
  if (typeof doi !== "string" || state === undefined) throw unusable();
  if (doi.toLowerCase() !== asked.toLowerCase()) throw unusable();
  const repository = memberOf(document, "data", "relationships", "client", "data", "id");
  const url = memberOf(attributes, "url");
  const registered = memberOf(attributes, "registered");
  return {
    doi: doi.toLowerCase(),
    state,
    url: typeof url === "string" ? url : undefined,
    registered: typeof registered === "string" && registered !== "" ? registered : undefined,
    repository: typeof repository === "string" ? repository.toLowerCase() : undefined,
    attributes: attributes as Record<string, unknown>,
  };
}

/** A repository account as DataCite reports it. */
export interface Repository {
  /** Domains to which its DOIs may lead, such as `example.org` and `*.example.org`; `*` stands for all. */
  domains: string[];
  /** Prefixes of its DOIs; undefined if the answer does not list them. */
  prefixes: string[] | undefined;
}

/** Reads an account from an answer of DataCite (JSON:API). @throws Problem `datacite_unreachable` for any other document */
export function readRepository(document: unknown): Repository {
  const domains = memberOf(document, "data", "attributes", "domains");
  if (typeof domains !== "string") throw unusable();
  const listed = memberOf(document, "data", "relationships", "prefixes", "data");
  return {
    domains: domains.split(",").map((domain) => domain.trim().toLowerCase()),
    prefixes: Array.isArray(listed) ? listed.map((one: unknown) => String(memberOf(one, "id"))) : undefined,
  };
}

/**
 * The titles of errors in an answer, with the attributes that they are about. Shortened, because they are shown to people.
 * @param secrets texts that the server knows from the request, and that its errors could repeat
 */
export function errorTitles(document: unknown, secrets: readonly string[]): string {
  const errors = memberOf(document, "errors");
  if (!Array.isArray(errors)) return "";
  const titles = errors.slice(0, 5).map((error: unknown) => {
    const title = memberOf(error, "title");
    const source = memberOf(error, "source");
    return `${typeof source === "string" ? `${source}: ` : ""}${typeof title === "string" ? title : "unknown error"}`;
  });
  return secrets
    .reduce((text, secret) => text.replaceAll(secret, "…"), titles.join("; "))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, " ")
    .slice(0, 500);
}

/** The own member at a path; undefined if there is none. */
function memberOf(value: unknown, ...path: string[]): unknown {
  return path.reduce((object, name) => {
    if (typeof object !== "object" || object === null || !Object.hasOwn(object, name)) return undefined;
    return (object as Record<string, unknown>)[name];
  }, value);
}

export function unusable(): Problem {
  return new Problem("datacite_unreachable", "DataCite’s answer is not a JSON:API document about a DOI");
}
