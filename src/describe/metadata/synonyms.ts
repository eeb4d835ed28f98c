import { bare, nearMiss, sameName } from "../../domain/near-miss.ts";
import * as schema from "./schema.ts";

const { Author, Metadata } = schema;

type Synonyms = Readonly<Record<string, readonly string[]>>;

/** Names of metadata members in other standards, tools and languages. */
const ofMetadata = {
  title: [],
  description: ["abstract", "summary", "beschreibung"],
  authors: ["creator", "creators", "contributor", "contributors", "autoren"],
  language: ["lang", "inLanguage", "sprache"],
  subjects: ["keyword", "keywords", "tag", "tags", "schlagworte", "stichworte"],
  license: ["lizenz"],
  embargoDate: ["embargo", "embargoUntil", "embargoEnd", "embargoEndDate"],
} satisfies Partial<Record<keyof typeof Metadata.properties, readonly string[]>>;

/** The same for members of an author. */
const ofAuthors = {
  role: ["rolle"],
  orcid: ["orcidId", "orcidUrl"],
  firstName: ["givenName", "givenNames", "forename", "vorname"],
  lastName: ["familyName", "familyNames", "surname", "nachname"],
  affiliation: ["affiliationName", "institution", "institute", "organisation", "organization"],
  rorid: ["ror", "rorUrl"],
  address: ["postalAddress"],
  zipCode: ["zip", "postcode", "postalCode", "plz"],
  city: ["town"],
  country: ["countryCode"],
} satisfies Partial<Record<keyof typeof Author.properties, readonly string[]>>;

/**
 * The same for later members of the metadata. Clients of the first version may have sent these names as members of
 * their own, so they do not count as spelling mistakes.
 */
const ofLaterMembers = {
  titles: ["alternativeTitle", "alternativeTitles", "subtitle"],
  descriptions: ["abstracts", "methods", "methodology"],
  contact: ["email", "contactPoint", "contactPerson", "correspondingAuthor"],
  fundingReferences: ["funding", "fundings", "funder", "funders", "grant", "grants"],
  relatedIdentifiers: ["related", "relatedWork", "relatedWorks", "references", "relations"],
  alternateIdentifiers: ["identifier", "identifiers", "alternativeIdentifiers"],
  geoLocations: ["location", "locations", "place", "places", "spatial", "spatialCoverage", "coverage"],
  licenses: ["licences", "rights", "rightsList"],
  versionLabel: ["version", "versionNumber"],
  resourceTypeGeneral: ["type", "datasetType"],
} satisfies Partial<Record<keyof typeof Metadata.properties, readonly string[]>>;

/**
 * Later members with names that only mean what DataCite means by them. A slip in one of these is a mistake, not a client's
 * own member, and its content would be lost. Names such as `date` or `contact` are ordinary words and stay warnings.
 */
const DISTINCTIVE = [
  "subjectTerms",
  "fundingReferences",
  "relatedIdentifiers",
  "geoLocations",
  "resourceTypeGeneral",
  "alternateIdentifiers",
  "versionLabel",
  "acknowledgements",
] as const satisfies readonly (keyof typeof Metadata.properties)[];

export type SchemaName = keyof typeof schema;

/** A known member that an unknown name may mean. */
export interface Suggestion {
  name: string;
  /** Whether the name counts as a spelling mistake. Otherwise it may be a client's own member. */
  isMistake: boolean;
}

/** All names of members. A name that is known at another place of the metadata is misplaced, not misspelt. */
const everywhere = new Set(Object.values(schema).flatMap(({ properties }) => Object.keys(properties)));

const finders = new Map(
  Object.entries(schema).map(([name, { properties }]) => {
    const known = Object.keys(properties);
    if (name === "Metadata")
      return [name, finder(known, ofMetadata, { distinctive: DISTINCTIVE, synonyms: ofLaterMembers })];
    if (name === "Author") return [name, finder(known, ofAuthors)];
    return [name, finder(known, Object.fromEntries(known.map((member) => [member, []])))];
  }),
);

/**
 * The member of an object that an unknown name probably means; undefined if it resembles none.
 *
 * @param isSpellingIgnored whether only synonyms, another case and other separators count, which takes less time
 */
export function suggestMember(of: SchemaName, name: string, isSpellingIgnored = false): Suggestion | undefined {
  return finders.get(of)?.(name, isSpellingIgnored ? sameName : nearMiss);
}

/**
 * @param first the members of the first version, with their synonyms. Clients may have sent names that resemble later
 *   members, so of those only names that resemble a distinctive one count as spelling mistakes
 */
function finder(
  known: readonly string[],
  first: Synonyms,
  later: { distinctive: readonly string[]; synonyms: Synonyms } = { distinctive: [], synonyms: {} },
): (name: string, find: typeof nearMiss) => Suggestion | undefined {
  const bySynonym = memberBySynonym(first);
  const byLaterSynonym = memberBySynonym(later.synonyms);
  const old = Object.keys(first);
  return (name, find) => {
    const slip = find(name, later.distinctive);
    if (slip !== undefined && !known.includes(name)) return { name: slip, isMistake: true };
    if (everywhere.has(name)) return known.includes(`${name}s`) ? { name: `${name}s`, isMistake: false } : undefined;
    const mistaken = bySynonym.get(bare(name)) ?? find(name, old);
    if (mistaken !== undefined) return { name: mistaken, isMistake: true };
    const similar = byLaterSynonym.get(bare(name)) ?? find(name, known);
    return similar === undefined ? undefined : { name: similar, isMistake: false };
  };
}

function memberBySynonym(synonyms: Synonyms): ReadonlyMap<string, string> {
  return new Map(Object.entries(synonyms).flatMap(([member, names]) => names.map((name) => [bare(name), member])));
}
