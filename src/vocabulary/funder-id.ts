const CROSSREF = /^(?:https?:\/\/(?:dx\.)?doi\.org\/|doi:)?(10\.13039\/\S+)$/i;
const ROR = /^https?:\/\/ror\.org\/0[a-z0-9]{8}$/i;
const GRID = /^(?:https?:\/\/(?:www\.)?grid\.ac\/institutes\/)?grid\.\d+\.[0-9a-f]+$/i;
const ISNI = /^(?:https?:\/\/(?:www\.)?isni\.org\/(?:isni\/)?)?\d{4} ?\d{4} ?\d{4} ?\d{3}[\dX]$/i;

/** The identifier of a funder in its usual form. Crossref publishes some with the former host of the DOI system. */
export function funderIdOf(id: string): string {
  const [, doi] = CROSSREF.exec(id) ?? [];
  return doi === undefined ? id : `https://doi.org/${doi}`;
}

/** The type of a funder’s identifier in DataCite metadata. */
export function funderSchemeOf(id: string): string {
  if (CROSSREF.test(id)) return "Crossref Funder ID";
  if (ROR.test(id)) return "ROR";
  if (GRID.test(id)) return "GRID";
  return ISNI.test(id) ? "ISNI" : "Other";
}
