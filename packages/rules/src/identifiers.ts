import type { IdentifierType } from "./terms.ts";

/** The resolvers of identifiers that are not web addresses themselves. */
const RESOLVERS: Partial<Record<IdentifierType, string>> = {
  DOI: "https://doi.org/",
  arXiv: "https://arxiv.org/abs/",
  Handle: "https://hdl.handle.net/",
  PMID: "https://pubmed.ncbi.nlm.nih.gov/",
  ARK: "https://n2t.net/",
  SWHID: "https://archive.softwareheritage.org/",
  CSTR: "https://www.cstr.cn/",
  RRID: "https://identifiers.org/",
  RAiD: "https://raid.org/",
  IGSN: "https://igsn.org/",
  w3id: "https://",
};

/**
 * The web address under which an identifier can be followed; undefined if its type has no resolver.
 *
 * @param type one of `identifierTypes`; other texts have no resolver
 */
export function addressOfIdentifier(identifier: string, type: string | undefined): string | undefined {
  if (/^https?:\/\//i.test(identifier)) return identifier;
  const resolver = RESOLVERS[type as IdentifierType];
  if (resolver === undefined) return undefined;
  const path = type === "arXiv" ? identifier.replace(/^arXiv:/i, "") : identifier;
  return resolver + encodeURI(path).replaceAll("#", "%23").replaceAll("?", "%3F");
}
