import { memberOf, unusable } from "./doi-answer.ts";

/** A repository account as DataCite reports it. */
export interface Repository {
  /** Domains to which its DOIs may lead, such as `example.org` and `*.example.org`; `*` stands for all. */
  domains: string[];
  /** Prefixes of its DOIs; undefined if the answer does not list them. */
  prefixes: string[] | undefined;
}

/** Reads an account from an answer of DataCite (JSON:API). @throws Problem `datacite_unreachable` for any other document */
export function readRepository(document: unknown): Repository {
  const data = memberOf(document, "data");
  const domains = memberOf(memberOf(data, "attributes"), "domains");
  if (typeof domains !== "string") throw unusable();
  const listed = memberOf(memberOf(memberOf(data, "relationships"), "prefixes"), "data");
  return {
    domains: domains.split(",").map((domain) => domain.trim().toLowerCase()),
    prefixes: Array.isArray(listed) ? listed.map((one: unknown) => String(memberOf(one, "id"))) : undefined,
  };
}
