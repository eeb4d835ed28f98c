import { type Static, Type } from "typebox";
import {
  dateTypes,
  descriptionTypes,
  funderIdentifierTypes,
  identifierTypes,
  relationTypes,
  resourceTypes,
  titleTypes,
} from "../../../packages/rules/src/index.ts";
import { constant, list, object, text } from "../../domain/schema-parts.ts";

/** The JSON form of a DataCite 4.7 record: what exports, archives and DOIs contain, and the API describes. */

const schemeUri = text("Address of the identifier scheme.");

const DataciteNameIdentifier = object("DataciteNameIdentifier", "An identifier of a person or an organisation.", {
  nameIdentifier: text("Identifier as a URL."),
  nameIdentifierScheme: Type.Enum(["ORCID", "ROR"], {
    description: "`ORCID` for a person, `ROR` for an organisation.",
  }),
  schemeUri,
});

const DataciteAffiliation = object("DataciteAffiliation", "The affiliation of a person or an organisation.", {
  name: text("Name of the organisation."),
  affiliationIdentifier: Type.Optional(text("ROR id of the organisation as a URL.")),
  affiliationIdentifierScheme: Type.Optional(constant("ROR")),
  schemeUri: Type.Optional(schemeUri),
});

const DataciteName = object("DataciteName", "A person or an organisation in a DataCite record.", {
  name: text("Name. For a person: `Family, Given`."),
  nameType: Type.Optional(
    Type.Enum(["Personal", "Organizational"], { description: "Type of the name; absent if unknown." }),
  ),
  givenName: Type.Optional(text("Given names of a person.")),
  familyName: Type.Optional(text("Family name of a person.")),
  nameIdentifiers: list(DataciteNameIdentifier, "Identifiers of the person or organisation."),
  affiliation: list(DataciteAffiliation, "Affiliations of the person or organisation."),
  contributorType: Type.Optional(text("Role of a contributor.")),
});

const DataciteIdentifier = object("DataciteIdentifier", "The identifier of the dataset.", {
  identifier: text(
    "The DOI of the version. Without a registered DOI: `urn:uuid:` and the id of the dataset, which all versions share.",
  ),
  identifierType: Type.Enum(["DOI", "URN"], { description: "Type of the identifier." }),
});

const DataciteAlternateIdentifier = object("DataciteAlternateIdentifier", "A further identifier of the dataset.", {
  alternateIdentifier: text("Address of the version, or an identifier elsewhere."),
  alternateIdentifierType: text("Kind of identifier: `URL` for the address."),
});

const DataciteTypes = object("DataciteTypes", "The type of the resource.", {
  resourceTypeGeneral: Type.Enum(resourceTypes, {
    description: "Type as DataCite names it; `Dataset` if none is stated.",
  }),
  resourceType: text("More exact type; the general one if none is stated."),
});

const lang = Type.Optional(text("Language of the text, if it is stated."));

const DataciteTitle = object("DataciteTitle", "A title.", {
  title: text("Title as submitted."),
  titleType: Type.Optional(Type.Enum(titleTypes, { description: "Type of a further title." })),
  lang,
});

const DatacitePublisher = object("DatacitePublisher", "The publisher of the dataset.", {
  name: text("Name of the organisation."),
  publisherIdentifier: Type.Optional(text("ROR id of the organisation as a URL.")),
  publisherIdentifierScheme: Type.Optional(constant("ROR")),
  schemeUri: Type.Optional(schemeUri),
});

const DataciteSubject = object("DataciteSubject", "A keyword, or a term of a vocabulary.", {
  subject: text("Keyword or term as submitted."),
  subjectScheme: Type.Optional(text("Name of the vocabulary.")),
  schemeUri: Type.Optional(text("Address of the vocabulary.")),
  valueUri: Type.Optional(text("Address of the term.")),
  classificationCode: Type.Optional(text("Code of the term in the vocabulary.")),
  lang,
});

const DataciteDate = object("DataciteDate", "A date of the version or of the data.", {
  date: text("Date as `YYYY-MM-DD`. Dates of the data can also be years, months and ranges."),
  dateType: Type.Enum(["Submitted", "Issued", "Available", ...dateTypes], {
    description:
      "Type of the date. `Submitted` is the day of archiving, `Issued` that of publication, and `Available` the first day on which all readers can read the files, for example after an embargo.",
  }),
  dateInformation: Type.Optional(text("Explanation of the date.")),
});

const relationType = Type.Enum(relationTypes, { description: "Relation of this version to that resource." });
const resourceTypeGeneral = Type.Enum(resourceTypes, { description: "Type of the related resource." });

const DataciteRelatedIdentifier = object(
  "DataciteRelatedIdentifier",
  "The whole dataset, another version, or a related resource.",
  {
    relatedIdentifier: text("Identifier of the related resource."),
    relatedIdentifierType: Type.Enum(identifierTypes, { description: "Type of the identifier." }),
    relationType,
    resourceTypeGeneral: Type.Optional(resourceTypeGeneral),
  },
);

const DataciteRelatedItem = object("DataciteRelatedItem", "A related resource that has no identifier.", {
  titles: list(
    object("DataciteItemTitle", "The title of a related resource.", { title: text("Citation.") }),
    "One entry.",
  ),
  relatedItemType: resourceTypeGeneral,
  relationType,
});

const DataciteFundingReference = object("DataciteFundingReference", "A funder, with the grant if it is stated.", {
  funderName: text("Name of the funder."),
  funderIdentifier: Type.Optional(text("Identifier of the funder.")),
  funderIdentifierType: Type.Optional(Type.Enum(funderIdentifierTypes, { description: "Type of the identifier." })),
  schemeUri: Type.Optional(schemeUri),
  awardNumber: Type.Optional(text("Number of the grant.")),
  awardUri: Type.Optional(text("Address of the grant.")),
  awardTitle: Type.Optional(text("Title of the grant.")),
});

const degrees = (description: string) => Type.Number({ description });

const DataciteGeoLocation = object("DataciteGeoLocation", "A place that the data are about.", {
  geoLocationPlace: Type.Optional(text("Name of the place.")),
  geoLocationPoint: Type.Optional(
    object("DataciteGeoLocationPoint", "A point in degrees of WGS 84.", {
      pointLatitude: degrees("Latitude."),
      pointLongitude: degrees("Longitude."),
    }),
  ),
  geoLocationBox: Type.Optional(
    object("DataciteGeoLocationBox", "An area in degrees of WGS 84.", {
      westBoundLongitude: degrees("Western longitude."),
      eastBoundLongitude: degrees(
        "Eastern longitude; less than the western one if the area crosses the 180th meridian.",
      ),
      southBoundLatitude: degrees("Southern latitude."),
      northBoundLatitude: degrees("Northern latitude."),
    }),
  ),
});

const DataciteRights = object("DataciteRights", "The licence of the dataset or of a part.", {
  rights: text("Name of the licence; for a part with the name of the part."),
  rightsUri: Type.Optional(text("Address of the licence.")),
  rightsIdentifier: Type.Optional(text("SPDX id or SPDX expression.")),
  rightsIdentifierScheme: Type.Optional(constant("SPDX")),
  schemeUri: Type.Optional(schemeUri),
});

const DataciteDescription = object("DataciteDescription", "A description.", {
  description: text("Description as submitted."),
  descriptionType: Type.Enum(descriptionTypes, { description: "Type of the description." }),
  lang,
});

export const DataciteRecord = object("DataciteRecord", "A version of a dataset as a DataCite 4.7 record.", {
  identifiers: list(DataciteIdentifier, "Identifier of the dataset; one entry."),
  alternateIdentifiers: list(DataciteAlternateIdentifier, "Address of the version, then identifiers elsewhere."),
  types: DataciteTypes,
  creators: list(DataciteName, "Authors with the role `Creator`."),
  contributors: list(DataciteName, "All other authors, and a public contact."),
  titles: list(DataciteTitle, "Title, then further titles."),
  publisher: DatacitePublisher,
  publicationYear: text("Year of publication; before publication, the year of archiving."),
  subjects: list(DataciteSubject, "Keywords, then terms of vocabularies."),
  dates: list(DataciteDate, "Date of the submission, date of availability, and dates of the data."),
  language: Type.Optional(text("Language of the data.")),
  version: text("Number of the version, or its name as submitted."),
  relatedIdentifiers: list(
    DataciteRelatedIdentifier,
    "The whole dataset, the previous version and the next version, then related resources.",
  ),
  relatedItems: Type.Optional(list(DataciteRelatedItem, "Related resources that have no identifier.")),
  rightsList: list(DataciteRights, "Licence of the dataset, then those of parts."),
  descriptions: list(DataciteDescription, "Description, then further ones and acknowledgements."),
  geoLocations: Type.Optional(list(DataciteGeoLocation, "Places that the data are about.")),
  fundingReferences: Type.Optional(list(DataciteFundingReference, "Funders and grants.")),
  sizes: list(Type.String(), "Number of files, and total size in bytes."),
  formats: list(Type.String(), "Media types of the files; at most 50."),
  schemaVersion: constant("http://datacite.org/schema/kernel-4"),
});
export type DataciteRecord = Static<typeof DataciteRecord>;

export type DataciteName = DataciteRecord["creators"][number];
export type DataciteRelation = DataciteRecord["relatedIdentifiers"][number];
export type DataciteFunding = NonNullable<DataciteRecord["fundingReferences"]>[number];
type DataciteDate = DataciteRecord["dates"][number];

/**
 * A record as DataCite registers it. That of a concept DOI states no version, sizes and formats; that of a withdrawn
 * version states the date of its withdrawal.
 */
export type RegisteredRecord = Omit<DataciteRecord, OfVersion | "dates"> &
  Partial<Pick<DataciteRecord, OfVersion>> & {
    dates: (DataciteDate | (Omit<DataciteDate, "dateType"> & { dateType: "Withdrawn" }))[];
  };

type OfVersion = "version" | "sizes" | "formats";
