import type * as terms from "../../../packages/rules/src/index.ts";
import type { GroupValues } from "./fields/field.ts";
import type * as schema from "./schema.ts";
import type { Licence } from "./values/licence.ts";

/** A shape of the schema in which some members have another type: a term, or a value that has been read from the text. */
type With<Sent, Changed> = Omit<Sent, keyof Changed> & Changed;

/**
 * The metadata in the form from which all exports are made. Texts are trimmed, and languages are canonical BCP 47 tags.
 * The metadata as sent is stored separately, unchanged. Archives and databases of earlier versions have only the members
 * of the first version; all later ones are optional, and lists that are present are not empty.
 */
export type NormalizedMetadata = With<
  schema.Metadata,
  {
    /** In the order sent; at least one has the role `Creator`. */
    authors: NormalizedAuthor[];
    subjects: string[];
    /** If the licence is not known, `spdx` and `url` are absent, and `name` is the text as sent. */
    license?: Licence;
    titles?: NormalizedTitle[];
    descriptions?: NormalizedDescription[];
    contact?: NormalizedContact;
    fundingReferences?: NormalizedFunding[];
    relatedIdentifiers?: NormalizedRelation[];
    dates?: NormalizedDate[];
    geoLocations?: NormalizedPlace[];
    resourceTypeGeneral?: terms.ResourceType;
    alternateIdentifiers?: NormalizedAlternateIdentifier[];
    licenses?: NormalizedPartLicense[];
    /** Values of the operator's fields by group, and the texts of the schemas that define them. */
    fields?: Record<string, GroupValues>;
    fieldSchemas?: Record<string, string>;
  }
>;

export type NormalizedTitle = With<schema.Title, { titleType: terms.TitleType }>;
export type NormalizedDescription = With<schema.Description, { descriptionType: terms.DescriptionType }>;
/** `public` states whether it may be part of public metadata. */
export type NormalizedContact = With<schema.Contact, { public: boolean }>;
export type NormalizedSubjectTerm = schema.SubjectTerm;
/** The identifier is a URL for ROR and Crossref Funder ids. */
export type NormalizedFunding = With<schema.FundingReference, { funderIdentifierType?: terms.FunderIdentifierType }>;
/** Has an identifier with its type, a citation, or both. */
export type NormalizedRelation = With<
  schema.RelatedIdentifier,
  {
    relationType: terms.RelationType;
    relatedIdentifierType?: terms.IdentifierType;
    resourceTypeGeneral?: terms.ResourceType;
  }
>;
/** The date is a date or range, see `dateOrRange`. */
export type NormalizedDate = With<schema.MetadataDate, { dateType: terms.DateType }>;
/**
 * Has a name, a point, an area, or several. Coordinates are degrees of WGS 84. `westBoundLongitude` is greater than
 * `eastBoundLongitude` if the area crosses the 180th meridian.
 */
export type NormalizedPlace = With<
  schema.GeoLocation,
  { geoLocationPoint?: Degrees<schema.GeoLocationPoint>; geoLocationBox?: Degrees<schema.GeoLocationBox> }
>;
type Degrees<Coordinates> = Record<keyof Coordinates, number>;
export type NormalizedAlternateIdentifier = Required<schema.AlternateIdentifier>;
export type NormalizedPartLicense = With<schema.PartLicense, { license: Licence }>;

/**
 * An author. The role is one of `roles`, or the text as sent if it is not known; the country an ISO 3166-1 alpha-2 code, or
 * the text as sent; the ORCID iD is `0000-0002-1825-0097`, and ROR ids are `https://ror.org/0xxxxxxxx`.
 */
export type NormalizedAuthor = With<schema.Author, { role: string; nameType?: terms.NameType }>;
/** An author without postal data. */
export type PublicAuthor = Omit<NormalizedAuthor, "address" | "zipCode" | "city" | "country">;

/**
 * The metadata without personal data that never reach package metadata or exports: postal data of authors, and a contact
 * that the submitter has not made public.
 */
export function publicMetadata(metadata: NormalizedMetadata): NormalizedMetadata {
  const { contact, ...rest } = metadata;
  return {
    ...rest,
    authors: metadata.authors.map(publicAuthor),
    ...(contact?.public === true && { contact }),
  };
}

/** The authors whom a citation names, without postal data. */
export function creatorsOf(authors: readonly NormalizedAuthor[]): PublicAuthor[] {
  return authors.filter(({ role }) => role === "Creator").map(publicAuthor);
}

/** The author without address, postal code, city and country. */
export function publicAuthor(author: NormalizedAuthor): PublicAuthor {
  const { address: _address, zipCode: _zipCode, city: _city, country: _country, ...rest } = author;
  return rest;
}
