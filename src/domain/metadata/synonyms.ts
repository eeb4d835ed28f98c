import { bare, nearMiss } from "../near-miss.ts";
import { Author, Metadata } from "./schema.ts";

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
} satisfies Record<keyof typeof Metadata.properties, readonly string[]>;

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
} satisfies Record<keyof typeof Author.properties, readonly string[]>;

/** The metadata member that an unknown name probably means. */
export const suggestMetadataMember = finder(ofMetadata);

/** The member of an author that an unknown name probably means. */
export const suggestAuthorMember = finder(ofAuthors);

function finder(synonyms: Synonyms): (name: string) => string | undefined {
  const known = Object.keys(synonyms);
  const elsewhere = new Set([...Object.keys(Metadata.properties), ...Object.keys(Author.properties)]);
  const bySynonym = new Map(
    Object.entries(synonyms).flatMap(([member, names]) => names.map((name) => [bare(name), member])),
  );
  // A name that is known at another place of the metadata is misplaced, not misspelt.
  return (name) => (elsewhere.has(name) ? undefined : (bySynonym.get(bare(name)) ?? nearMiss(name, known)));
}
