import type { NormalizedAuthor } from "./normalized.ts";

/** A creator or contributor, without postal data, which is personal and never exported (docs/metadata.md). */
export interface Agent {
  kind: "person" | "organisation";
  /** For a person “Family, Given”. */
  name: string;
  family?: string;
  given?: string;
  /** As a URL. */
  orcid?: string;
  /** The ROR id of an organisation, as a URL. */
  ror?: string;
  /** Institutions to which the person or organisation belongs, each once. */
  affiliations: Institution[];
  /** False for a contributor that has neither a name nor an identifier. */
  isNamed: boolean;
}

/** An institution, with its ROR id as a URL. */
export interface Institution {
  name: string;
  ror?: string;
}

/**
 * Converts an author. Without `nameType`, a person has a first or last name or an ORCID iD; an author with none of them is
 * the organisation in `name` or `affiliation`, and the ROR id is its own.
 */
export function agentOf(author: NormalizedAuthor): Agent {
  return isOrganisation(author) ? organisation(author) : person(author);
}

function isOrganisation({ nameType, firstName, lastName, orcid }: NormalizedAuthor): boolean {
  if (nameType !== undefined) return nameType === "Organizational";
  return firstName === undefined && lastName === undefined && orcid === undefined;
}

function organisation(author: NormalizedAuthor): Agent {
  const { name, firstName, lastName, affiliation, rorid, affiliations = [] } = author;
  const stated = name ?? ([firstName, lastName].filter((part) => part !== undefined).join(" ") || undefined);
  const known = stated ?? affiliation ?? rorid;
  const others = stated === undefined || affiliation === undefined ? [] : [{ name: affiliation }];
  return {
    kind: "organisation",
    name: known ?? "Unnamed contributor",
    ...(rorid !== undefined && { ror: rorid }),
    affiliations: institutions([...others, ...affiliations]).filter(
      (one) => one.name !== known && (one.ror === undefined || one.ror !== rorid),
    ),
    isNamed: known !== undefined,
  };
}

function person({ name, firstName, lastName, orcid, affiliation, rorid, affiliations = [] }: NormalizedAuthor): Agent {
  const inverted = [lastName, firstName].filter((part) => part !== undefined).join(", ");
  const known = inverted || (name ?? orcid);
  return {
    kind: "person",
    name: known ?? "Unnamed contributor",
    ...(lastName !== undefined && { family: lastName }),
    ...(firstName !== undefined && { given: firstName }),
    ...(orcid !== undefined && { orcid: `https://orcid.org/${orcid}` }),
    affiliations: institutions([
      { ...(affiliation !== undefined && { name: affiliation }), ...(rorid !== undefined && { rorid }) },
      ...affiliations,
    ]),
    isNamed: known !== undefined,
  };
}

/** Each institution once: by its ROR id, or by its name. */
function institutions(stated: { name?: string; rorid?: string }[]): Institution[] {
  const found = new Map<string, Institution>();
  for (const { name, rorid } of stated) {
    const shown = name ?? rorid;
    if (shown === undefined) continue;
    const key = rorid ?? shown;
    if (!found.has(key)) found.set(key, { name: shown, ...(rorid !== undefined && { ror: rorid }) });
  }
  return [...found.values()];
}
