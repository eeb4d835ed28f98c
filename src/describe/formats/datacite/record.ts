import type { NormalizedPlace } from "../../metadata/normalized.ts";
import type {
  DateType,
  DescriptionType,
  FunderIdentifierType,
  IdentifierType,
  RelationType,
  ResourceType,
  TitleType,
} from "../../metadata/values/terms.ts";

/** A DataCite record in its JSON form (DataCite 4.7). */
export interface DataciteRecord {
  identifiers: { identifier: string; identifierType: "URN" | "DOI" }[];
  alternateIdentifiers: { alternateIdentifier: string; alternateIdentifierType: string }[];
  types: { resourceTypeGeneral: ResourceType; resourceType: string };
  creators: DataciteName[];
  contributors: (DataciteName & { contributorType: string })[];
  titles: DataciteTitle[];
  publisher: DatacitePublisher;
  publicationYear: string;
  subjects: DataciteSubject[];
  dates: { date: string; dateType: DateType | OwnDateType; dateInformation?: string }[];
  language?: string;
  version: string;
  relatedIdentifiers: DataciteRelation[];
  relatedItems?: DataciteItem[];
  rightsList: DataciteRights[];
  descriptions: DataciteDescription[];
  geoLocations?: NormalizedPlace[];
  fundingReferences?: DataciteFunding[];
  sizes: string[];
  formats: string[];
  schemaVersion: "http://datacite.org/schema/kernel-4";
}

/** Dates that the service states. */
type OwnDateType = "Submitted" | "Available" | "Issued" | "Withdrawn";

/** A record as DataCite registers it. That of a concept DOI states no version, sizes and formats. */
export type RegisteredRecord = Omit<DataciteRecord, OfVersion> & Partial<Pick<DataciteRecord, OfVersion>>;

type OfVersion = "version" | "sizes" | "formats";

export interface DataciteName {
  name: string;
  nameType?: "Personal" | "Organizational";
  givenName?: string;
  familyName?: string;
  nameIdentifiers: { nameIdentifier: string; nameIdentifierScheme: "ORCID" | "ROR"; schemeUri: string }[];
  affiliation: DataciteAffiliation[];
}

export interface DataciteAffiliation {
  name: string;
  affiliationIdentifier?: string;
  affiliationIdentifierScheme?: "ROR";
  schemeUri?: string;
}

export interface DatacitePublisher {
  name: string;
  publisherIdentifier?: string;
  publisherIdentifierScheme?: "ROR";
  schemeUri?: string;
}

export interface DataciteTitle {
  title: string;
  titleType?: TitleType;
  lang?: string;
}

export interface DataciteDescription {
  description: string;
  descriptionType: DescriptionType;
  lang?: string;
}

export interface DataciteSubject {
  subject: string;
  subjectScheme?: string;
  schemeUri?: string;
  valueUri?: string;
  classificationCode?: string;
  lang?: string;
}

export interface DataciteRelation {
  relatedIdentifier: string;
  relatedIdentifierType: IdentifierType;
  relationType: RelationType;
  resourceTypeGeneral?: ResourceType;
}

/** A related resource without an identifier. */
export interface DataciteItem {
  titles: { title: string }[];
  relatedItemType: ResourceType;
  relationType: RelationType;
}

export interface DataciteRights {
  rights: string;
  rightsUri?: string;
  rightsIdentifier?: string;
  rightsIdentifierScheme?: "SPDX";
  schemeUri?: string;
}

export interface DataciteFunding {
  funderName: string;
  funderIdentifier?: string;
  funderIdentifierType?: FunderIdentifierType;
  schemeUri?: string;
  awardNumber?: string;
  awardUri?: string;
  awardTitle?: string;
}
