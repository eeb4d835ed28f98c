import { canonicalOrcid, canonicalRor, knownRole } from "../../../../packages/rules/src/index.ts";
import type { Affiliation, Author } from "../../metadata/schema.ts";
import type { Draft } from "../draft.ts";
import { withoutMarks } from "../names/beside-name.ts";
import { namedAgents } from "../names/named-agents.ts";
import { namesOrganisation } from "../names/organisation-words.ts";

/** What a file states about a person or an organisation. */
export interface StatedAgent {
  /** In any spelling. The default is `Contributor`. */
  role: string | undefined;
  /** Undefined if the file does not state it. */
  isOrganisation?: boolean | undefined;
  name?: string | undefined;
  /** Set if the format writes names of persons as “Family, Given”. */
  isInverted?: boolean | undefined;
  given?: string | undefined;
  family?: string | undefined;
  /** Texts that can be an ORCID iD or, for an organisation, a ROR id. Those of other schemes must not be included. */
  identifiers?: (string | undefined)[];
  /** An ORCID iD. An invalid one causes a remark. */
  orcid?: string | undefined;
  affiliations?: Affiliation[];
}

/** Maximum number of institutions of a person, the same as in the schema. */
export const MAX_AFFILIATIONS = 100;

/** The check refuses a name with more than 1,000 characters. A file can state a longer one for very many people. */
const LONGEST_INSTITUTION = 2_000;
const ORGANISATION_REMARK = "The name of a person is read as that of an organisation. Check it.";
const SHARED_REMARK = "The identifier and institutions that are stated for several people together are not used.";

/** The authors whom a file states in one place, and what the submitter should check. */
export interface StatedAuthors {
  authors: Author[];
  remarks: string[];
}

/**
 * The authors that a file states: one, or several if it names several in one text. None without name.
 * A name that cannot be divided safely is kept whole, with a remark.
 */
export function authorsOf(stated: StatedAgent): StatedAuthors {
  const { given, family, identifiers = [] } = stated;
  // A link to a person whom the file does not describe is not a name.
  const name = /^https?:\/\//i.test(stated.name ?? "") ? undefined : stated.name;
  // An invalid iD is kept for the check, which causes a remark.
  const orcid = first([stated.orcid, ...identifiers], canonicalOrcid) ?? stated.orcid;
  const parts = joined(given, family);
  if (stated.isOrganisation === true) {
    const organisation = name ?? parts;
    return { authors: organisation === undefined ? [] : [organisationOf(organisation, stated)], remarks: [] };
  }
  if (parts === undefined) return namedAuthors(name ?? "", stated, orcid);
  if (stated.isOrganisation === undefined && orcid === undefined && namesOrganisation(parts)) {
    return { authors: [organisationOf(parts, stated)], remarks: [ORGANISATION_REMARK] };
  }
  const clean = (part: string | undefined) => part && (withoutMarks(part) || part);
  return { authors: [personOf({ given: clean(given), family: clean(family), orcid }, stated)], remarks: [] };
}

/** Parts of a name as one text; undefined without any. */
export function joined(...parts: (string | undefined)[]): string | undefined {
  return parts.filter((part) => part !== undefined).join(" ") || undefined;
}

/** Adds the authors that a file states, with remarks, and returns them. */
export function addAuthors(stated: StatedAgent, place: string, draft: Draft): Author[] {
  const { authors, remarks } = authorsOf(stated);
  if (authors.length === 0 && remarks.length === 0) {
    draft.remark(place, "The person or organisation has no name and is not used.");
  }
  for (const remark of remarks) draft.remark(place, remark);
  for (const author of authors) draft.add("authors", place, author);
  return authors;
}

function namedAuthors(name: string, stated: StatedAgent, orcid: string | undefined): StatedAuthors {
  const isPersonal = stated.isOrganisation === false || orcid !== undefined;
  const { agents, remarks } = namedAgents(name, { isPersonal, isInverted: stated.isInverted === true });
  const isShared = agents.length > 1;
  // What a file states about several people together cannot be assigned to one of them.
  const of = isShared ? { role: stated.role } : stated;
  const hasMore = isShared && (orcid !== undefined || (stated.affiliations ?? []).length > 0);
  const authors = agents.map((agent) => {
    if (!("organisation" in agent))
      return personOf({ ...agent, orcid: isShared ? agent.orcid : (orcid ?? agent.orcid) }, of);
    return isPersonal ? personOf({ family: agent.organisation, orcid }, of) : organisationOf(agent.organisation, of);
  });
  return { authors, remarks: hasMore ? [...remarks, SHARED_REMARK] : remarks };
}

function organisationOf(name: string, { role, identifiers = [], affiliations = [] }: StatedAgent): Author {
  const rorid = rorOf(identifiers);
  return {
    role: roleOf(role),
    nameType: "Organizational",
    name,
    ...(rorid !== undefined && { rorid }),
    ...(affiliations.length > 0 && { affiliations: affiliations.slice(0, MAX_AFFILIATIONS) }),
  };
}

function personOf(
  { given, family, orcid }: { given?: string | undefined; family?: string | undefined; orcid?: string | undefined },
  { role, affiliations = [] }: StatedAgent,
): Author {
  const [main, ...others] = affiliations.slice(0, MAX_AFFILIATIONS);
  return {
    role: roleOf(role),
    nameType: "Personal",
    ...(given !== undefined && { firstName: given }),
    ...(family !== undefined && { lastName: family }),
    ...(orcid !== undefined && { orcid }),
    ...(main?.name !== undefined && { affiliation: main.name }),
    ...(main?.rorid !== undefined && { rorid: main.rorid }),
    ...(others.length > 0 && { affiliations: others }),
  };
}

function roleOf(role: string | undefined): string {
  return (role !== undefined && knownRole(role)) || "Contributor";
}

/**
 * The first valid ROR id; otherwise the first text that claims to be one, which the check of the values refuses with a
 * remark. Identifiers of other registries are no ROR ids.
 */
function rorOf(identifiers: (string | undefined)[]): string | undefined {
  const isClaimed = (text: string | undefined) => text !== undefined && /(?:^|[/.])ror\.org\//i.test(text);
  return first(identifiers, canonicalRor) ?? identifiers.find(isClaimed);
}

/** An institution, if it has a name or a ROR id. */
export function affiliationOf(name: string | undefined, ...identifiers: (string | undefined)[]): Affiliation[] {
  const rorid = rorOf(identifiers);
  if (name === undefined && rorid === undefined) return [];
  return [
    { ...(name !== undefined && { name: name.slice(0, LONGEST_INSTITUTION) }), ...(rorid !== undefined && { rorid }) },
  ];
}

function first(texts: (string | undefined)[], read: (text: string) => string | undefined): string | undefined {
  for (const text of texts) {
    const found = text === undefined ? undefined : read(text);
    if (found !== undefined) return found;
  }
  return undefined;
}
