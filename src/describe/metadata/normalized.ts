import type { GroupValues } from "./fields/field.ts";
import type { Licence } from "./values/licence.ts";
import type {
  DateType,
  DescriptionType,
  FunderIdentifierType,
  IdentifierType,
  NameType,
  RelationType,
  ResourceType,
  TitleType,
} from "./values/terms.ts";

/**
 * The metadata in the form from which all exports are made. Texts are trimmed. The metadata as sent is stored separately,
 * unchanged. Archives and databases of earlier versions have only the members up to `embargoDate`; all later ones are
 * optional, and lists that are present are not empty.
 */
export interface NormalizedMetadata {
  title: string;
  description?: string;
  /** In the order sent; at least one has the role `Creator`. */
  authors: NormalizedAuthor[];
  /** BCP 47, canonical. */
  language?: string;
  subjects: string[];
  /** If the licence is not known, `spdx` and `url` are absent, and `name` is the text as sent. */
  license?: Licence;
  /** A calendar date, `YYYY-MM-DD`. */
  embargoDate?: string;
  titles?: NormalizedTitle[];
  descriptions?: NormalizedDescription[];
  contact?: NormalizedContact;
  subjectTerms?: NormalizedSubjectTerm[];
  fundingReferences?: NormalizedFunding[];
  relatedIdentifiers?: NormalizedRelation[];
  dates?: NormalizedDate[];
  geoLocations?: NormalizedPlace[];
  resourceTypeGeneral?: ResourceType;
  resourceType?: string;
  alternateIdentifiers?: NormalizedAlternateIdentifier[];
  versionLabel?: string;
  licenses?: NormalizedPartLicense[];
  acknowledgements?: string;
  /** Values of the operator's fields by group, and the texts of the schemas that define them. */
  fields?: Record<string, GroupValues>;
  fieldSchemas?: Record<string, string>;
}

export interface NormalizedTitle {
  title: string;
  titleType: TitleType;
  /** BCP 47, canonical. */
  language?: string;
}

export interface NormalizedDescription {
  description: string;
  descriptionType: DescriptionType;
  /** BCP 47, canonical. */
  language?: string;
}

export interface NormalizedContact {
  name?: string;
  email: string;
  /** Whether it may be part of public metadata. */
  public: boolean;
}

export interface NormalizedSubjectTerm {
  subject: string;
  subjectScheme?: string;
  schemeUri?: string;
  valueUri?: string;
  classificationCode?: string;
  /** BCP 47, canonical. */
  language?: string;
}

export interface NormalizedFunding {
  funderName: string;
  /** A URL for ROR and Crossref Funder ids. */
  funderIdentifier?: string;
  funderIdentifierType?: FunderIdentifierType;
  awardNumber?: string;
  awardTitle?: string;
  awardUri?: string;
}

/** Has an identifier, a citation, or both. */
export interface NormalizedRelation {
  relationType: RelationType;
  relatedIdentifier?: string;
  /** Present if and only if there is an identifier. */
  relatedIdentifierType?: IdentifierType;
  resourceTypeGeneral?: ResourceType;
  citation?: string;
}

export interface NormalizedDate {
  /** A date or range, see `dateOrRange`. */
  date: string;
  dateType: DateType;
  dateInformation?: string;
}

/** Has a name, a point, an area, or several. Coordinates are degrees of WGS 84. */
export interface NormalizedPlace {
  geoLocationPlace?: string;
  geoLocationPoint?: { pointLatitude: number; pointLongitude: number };
  /** `westBoundLongitude` is greater than `eastBoundLongitude` if the area crosses the 180th meridian. */
  geoLocationBox?: {
    westBoundLongitude: number;
    eastBoundLongitude: number;
    southBoundLatitude: number;
    northBoundLatitude: number;
  };
}

export interface NormalizedAlternateIdentifier {
  alternateIdentifier: string;
  alternateIdentifierType: string;
}

export interface NormalizedPartLicense {
  license: Licence;
  appliesTo?: string;
}

export interface NormalizedAuthor extends PublicAuthor {
  address?: string;
  zipCode?: string;
  city?: string;
  /** ISO 3166-1 alpha-2, or the text as sent if the country is not known. */
  country?: string;
}

/** An author without postal data. */
export interface PublicAuthor {
  /** One of `roles`, or the text as sent if the role is not known. */
  role: string;
  nameType?: NameType;
  /** Of an organisation. */
  name?: string;
  /** `0000-0002-1825-0097`. */
  orcid?: string;
  firstName?: string;
  lastName?: string;
  affiliation?: string;
  /** `https://ror.org/0xxxxxxxx`; absent if the text as sent is not a ROR id. */
  rorid?: string;
  affiliations?: NormalizedAffiliation[];
}

/** Has a name, a ROR id as a URL, or both. */
export interface NormalizedAffiliation {
  name?: string;
  rorid?: string;
}

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
