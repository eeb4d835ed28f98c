import { bare, nearMiss } from "../near-miss.ts";
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

const SCHEMAS = {
  Metadata,
  Author,
  Affiliation: schema.Affiliation,
  Title: schema.Title,
  Description: schema.Description,
  Contact: schema.Contact,
  SubjectTerm: schema.SubjectTerm,
  FundingReference: schema.FundingReference,
  RelatedIdentifier: schema.RelatedIdentifier,
  MetadataDate: schema.MetadataDate,
  GeoLocation: schema.GeoLocation,
  GeoLocationPoint: schema.GeoLocationPoint,
  GeoLocationBox: schema.GeoLocationBox,
  AlternateIdentifier: schema.AlternateIdentifier,
  PartLicense: schema.PartLicense,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

/** A known member that an unknown name may mean. */
export interface Suggestion {
  name: string;
  /** Whether the name counts as a spelling mistake. Otherwise it may be a client's own member. */
  isMistake: boolean;
}

/** All names of members. A name that is known at another place of the metadata is misplaced, not misspelt. */
const everywhere = new Set(Object.values(SCHEMAS).flatMap(({ properties }) => Object.keys(properties)));

const finders = new Map(
  (Object.keys(SCHEMAS) as SchemaName[]).map((name) => {
    const known = Object.keys(SCHEMAS[name].properties);
    if (name === "Metadata") return [name, finder(known, ofMetadata)];
    if (name === "Author") return [name, finder(known, ofAuthors)];
    return [name, finder(known, Object.fromEntries(known.map((member) => [member, []])))];
  }),
);

/** The member of an object that an unknown name probably means; undefined if it resembles none. */
export function suggestMember(of: SchemaName, name: string): Suggestion | undefined {
  return finders.get(of)?.(name);
}

/**
 * @param first the members of the first version, with their synonyms. Clients may have sent names that resemble later
 *   members, so only these count as spelling mistakes
 */
function finder(known: readonly string[], first: Synonyms): (name: string) => Suggestion | undefined {
  const bySynonym = new Map(
    Object.entries(first).flatMap(([member, names]) => names.map((name) => [bare(name), member])),
  );
  const old = Object.keys(first);
  return (name) => {
    if (everywhere.has(name)) return undefined;
    const mistaken = bySynonym.get(bare(name)) ?? nearMiss(name, old);
    if (mistaken !== undefined) return { name: mistaken, isMistake: true };
    const similar = nearMiss(name, known);
    return similar === undefined ? undefined : { name: similar, isMistake: false };
  };
}
