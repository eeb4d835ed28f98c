import type { Affiliation, Author } from "../../domain/metadata/schema.ts";
import { canonicalOrcid } from "../../domain/metadata/values/orcid.ts";
import { knownRole } from "../../domain/metadata/values/roles.ts";
import { canonicalRor } from "../../domain/metadata/values/ror.ts";

/** What a file states about a person or an organisation. */
export interface StatedAgent {
  /** In any spelling. The default is `Contributor`. */
  role: string | undefined;
  /** Undefined if the file does not state it. */
  isOrganisation?: boolean | undefined;
  name?: string | undefined;
  given?: string | undefined;
  family?: string | undefined;
  /** Texts that can be an ORCID iD or, for an organisation, a ROR id. Others are ignored. */
  identifiers?: (string | undefined)[];
  /** An ORCID iD. An invalid one causes a remark. */
  orcid?: string | undefined;
  affiliations?: Affiliation[];
}

/** Maximum number of institutions of a person, the same as in the schema. */
export const MAX_AFFILIATIONS = 100;

const ORGANISATION =
  /\b(?:universit\w*|institut\w*|consortium|cent(?:re|er)|zentrum|team|group|network|foundation|department|ministry|agency|laborator\w*|society|association|museum|library|committee)\b/i;

/** The author that a file states; undefined without name and identifier. */
export function authorOf(stated: StatedAgent): Author | undefined {
  const { given, family, identifiers = [], affiliations = [] } = stated;
  // A link to a person whom the file does not describe is not a name.
  const name = /^https?:\/\//i.test(stated.name ?? "") ? undefined : stated.name;
  const role = (stated.role !== undefined && knownRole(stated.role)) || "Contributor";
  // An invalid iD is kept for the check, which causes a remark.
  const orcid = first([stated.orcid, ...identifiers], canonicalOrcid) ?? stated.orcid;
  const isPerson = given !== undefined || family !== undefined || orcid !== undefined;
  const isOrganisation = stated.isOrganisation ?? (!isPerson && name !== undefined && ORGANISATION.test(name));
  if (isOrganisation) {
    const organisation = name ?? family ?? given;
    const rorid = first(identifiers, canonicalRor);
    return organisation === undefined
      ? undefined
      : { role, nameType: "Organizational", name: organisation, ...(rorid !== undefined && { rorid }) };
  }
  const names = given === undefined && family === undefined ? namesOf(name ?? "") : { given, family };
  if (names.given === undefined && names.family === undefined) return undefined;
  const [main, ...others] = affiliations.slice(0, MAX_AFFILIATIONS);
  return {
    role,
    nameType: "Personal",
    ...(names.given !== undefined && { firstName: names.given }),
    ...(names.family !== undefined && { lastName: names.family }),
    ...(orcid !== undefined && { orcid }),
    ...(main?.name !== undefined && { affiliation: main.name }),
    ...(main?.rorid !== undefined && { rorid: main.rorid }),
    ...(others.length > 0 && { affiliations: others }),
  };
}

/** An institution, if it has a name or a ROR id. */
export function affiliationOf(name: string | undefined, ...identifiers: (string | undefined)[]): Affiliation[] {
  const rorid = first(identifiers, canonicalRor);
  if (name === undefined && rorid === undefined) return [];
  return [{ ...(name !== undefined && { name }), ...(rorid !== undefined && { rorid }) }];
}

/**
 * The given names and the family name in “Carberry, Josiah”, “Josiah Carberry”, “Josiah van der Carberry” or “Carberry J”.
 */
function namesOf(name: string): { given?: string; family?: string } {
  const [family = "", ...given] = name.split(",").map((part) => part.trim());
  if (given.length > 0 && family !== "") return { family, ...(given[0] !== "" && { given: given.join(", ") }) };
  const words = name.split(" ").filter((word) => word !== "");
  const last = words.at(-1);
  if (last === undefined) return {};
  if (words.length === 1) return { family: last };
  if (/^\p{Lu}{1,3}$/u.test(last) && words.slice(0, -1).some((word) => /\p{Ll}/u.test(word))) {
    return { family: words.slice(0, -1).join(" "), given: last };
  }
  // Particles such as “van der” are written in lower case and belong to the family name.
  let start = words.length - 1;
  while (start > 1 && /^\p{Ll}/u.test(words[start - 1] ?? "")) start -= 1;
  return { given: words.slice(0, start).join(" "), family: words.slice(start).join(" ") };
}

function first(texts: (string | undefined)[], read: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const found = text === undefined ? undefined : read(text);
    if (found !== undefined) return found;
  }
  return undefined;
}
