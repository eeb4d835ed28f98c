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
  const data = memberOf(document, "data");
  const attributes = memberOf(data, "attributes");
  const doi = memberOf(attributes, "doi");
  const state = STATES.find((name) => name === memberOf(attributes, "state"));
  if (typeof doi !== "string" || state === undefined) throw unusable();
  if (doi.toLowerCase() !== asked.toLowerCase()) throw unusable();
  const repository = memberOf(memberOf(memberOf(memberOf(data, "relationships"), "client"), "data"), "id");
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

/** An own member of an object; undefined for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Record<string, unknown>)[name];
}

export function unusable(cause?: unknown): Problem {
  return new Problem("datacite_unreachable", "DataCite’s answer is not a JSON:API document about a DOI", { cause });
}
