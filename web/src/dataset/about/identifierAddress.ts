/** The resolvers of identifiers that are not web addresses themselves. */
const RESOLVERS: Readonly<Record<string, string>> = {
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
};

/** The web address of an identifier; undefined if its type has no resolver. */
export function identifierAddress(identifier: string, type: string | undefined): string | undefined {
  if (/^https?:\/\//i.test(identifier)) return identifier;
  const resolver = RESOLVERS[type ?? ""];
  if (resolver === undefined) return undefined;
  const path = encodeURI(identifier.replace(/^arXiv:/, ""))
    .replaceAll("#", "%23")
    .replaceAll("?", "%3F");
  return resolver + path;
}
