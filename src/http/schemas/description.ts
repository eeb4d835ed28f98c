import { type TProperties, type TSchema, Type } from "typebox";
import {
  dateTypes,
  descriptionTypes,
  funderIdentifierTypes,
  identifierTypes,
  relationTypes,
  resourceTypes,
  titleTypes,
} from "../../describe/metadata/values/terms.ts";

/** Metadata formats that are JSON. Their members are defined by the standards. */

const text = (description: string) => Type.String({ description });
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
const one = (value: string, description = "Constant.") => Type.Literal(value, { description });
/** An object of a standard. */
const part = <Members extends TProperties>(title: string, description: string, members: Members) =>
  Type.Object(members, { title, description });
const list = <Schema extends TSchema>(items: Schema, description: string) => Type.Array(items, { description });

const schemeUri = text("Address of the identifier scheme.");

const DataciteNameIdentifier = part("DataciteNameIdentifier", "An identifier of a person or an organisation.", {
  nameIdentifier: text("Identifier as a URL."),
  nameIdentifierScheme: Type.Enum(["ORCID", "ROR"], {
    description: "`ORCID` for a person, `ROR` for an organisation.",
  }),
  schemeUri,
});

const DataciteAffiliation = part("DataciteAffiliation", "The affiliation of a person or an organisation.", {
  name: text("Name of the organisation."),
  affiliationIdentifier: maybe(text("ROR id of the organisation as a URL.")),
  affiliationIdentifierScheme: maybe(one("ROR")),
  schemeUri: maybe(schemeUri),
});

const DataciteName = part("DataciteName", "A person or an organisation in a DataCite record.", {
  name: text("Name. For a person: `Family, Given`."),
  nameType: maybe(Type.Enum(["Personal", "Organizational"], { description: "Type of the name; absent if unknown." })),
  givenName: maybe(text("Given names of a person.")),
  familyName: maybe(text("Family name of a person.")),
  nameIdentifiers: list(DataciteNameIdentifier, "Identifiers of the person or organisation."),
  affiliation: list(DataciteAffiliation, "Affiliations of the person or organisation."),
  contributorType: maybe(text("Role of a contributor.")),
});

const DataciteIdentifier = part("DataciteIdentifier", "The identifier of the dataset.", {
  identifier: text(
    "The DOI of the version. Without a registered DOI: `urn:uuid:` and the id of the dataset, which all versions share.",
  ),
  identifierType: Type.Enum(["DOI", "URN"], { description: "Type of the identifier." }),
});

const DataciteAlternateIdentifier = part("DataciteAlternateIdentifier", "A further identifier of the dataset.", {
  alternateIdentifier: text("Address of the version, or an identifier elsewhere."),
  alternateIdentifierType: text("Kind of identifier: `URL` for the address."),
});

const DataciteTypes = part("DataciteTypes", "The type of the resource.", {
  resourceTypeGeneral: Type.Enum(resourceTypes, {
    description: "Type as DataCite names it; `Dataset` if none is stated.",
  }),
  resourceType: text("More exact type; the general one if none is stated."),
});

const lang = maybe(text("Language of the text, if it is stated."));

const DataciteTitle = part("DataciteTitle", "A title.", {
  title: text("Title as submitted."),
  titleType: maybe(Type.Enum(titleTypes, { description: "Type of a further title." })),
  lang,
});

const DatacitePublisher = part("DatacitePublisher", "The publisher of the dataset.", {
  name: text("Name of the organisation."),
  publisherIdentifier: maybe(text("ROR id of the organisation as a URL.")),
  publisherIdentifierScheme: maybe(one("ROR")),
  schemeUri: maybe(schemeUri),
});

const DataciteSubject = part("DataciteSubject", "A keyword, or a term of a vocabulary.", {
  subject: text("Keyword or term as submitted."),
  subjectScheme: maybe(text("Name of the vocabulary.")),
  schemeUri: maybe(text("Address of the vocabulary.")),
  valueUri: maybe(text("Address of the term.")),
  classificationCode: maybe(text("Code of the term in the vocabulary.")),
  lang,
});

const DataciteDate = part("DataciteDate", "A date of the version or of the data.", {
  date: text("Date as `YYYY-MM-DD`. Dates of the data can also be years, months and ranges."),
  dateType: Type.Enum(["Submitted", "Issued", "Available", ...dateTypes], {
    description:
      "Type of the date. `Submitted` is the day of archiving, `Issued` that of publication, and `Available` the first day on which all readers can read the files, for example after an embargo.",
  }),
  dateInformation: maybe(text("Explanation of the date.")),
});

const relationType = Type.Enum(relationTypes, { description: "Relation of this version to that resource." });
const resourceTypeGeneral = Type.Enum(resourceTypes, { description: "Type of the related resource." });

const DataciteRelatedIdentifier = part(
  "DataciteRelatedIdentifier",
  "The whole dataset, another version, or a related resource.",
  {
    relatedIdentifier: text("Identifier of the related resource."),
    relatedIdentifierType: Type.Enum(identifierTypes, { description: "Type of the identifier." }),
    relationType,
    resourceTypeGeneral: maybe(resourceTypeGeneral),
  },
);

const DataciteRelatedItem = part("DataciteRelatedItem", "A related resource that has no identifier.", {
  titles: list(
    part("DataciteItemTitle", "The title of a related resource.", { title: text("Citation.") }),
    "One entry.",
  ),
  relatedItemType: resourceTypeGeneral,
  relationType,
});

const DataciteFundingReference = part("DataciteFundingReference", "A funder, with the grant if it is stated.", {
  funderName: text("Name of the funder."),
  funderIdentifier: maybe(text("Identifier of the funder.")),
  funderIdentifierType: maybe(Type.Enum(funderIdentifierTypes, { description: "Type of the identifier." })),
  schemeUri: maybe(schemeUri),
  awardNumber: maybe(text("Number of the grant.")),
  awardUri: maybe(text("Address of the grant.")),
  awardTitle: maybe(text("Title of the grant.")),
});

const degrees = (description: string) => Type.Number({ description });

const DataciteGeoLocation = part("DataciteGeoLocation", "A place that the data are about.", {
  geoLocationPlace: maybe(text("Name of the place.")),
  geoLocationPoint: maybe(
    part("DataciteGeoLocationPoint", "A point in degrees of WGS 84.", {
      pointLatitude: degrees("Latitude."),
      pointLongitude: degrees("Longitude."),
    }),
  ),
  geoLocationBox: maybe(
    part("DataciteGeoLocationBox", "An area in degrees of WGS 84.", {
      westBoundLongitude: degrees("Western longitude."),
      eastBoundLongitude: degrees(
        "Eastern longitude; less than the western one if the area crosses the 180th meridian.",
      ),
      southBoundLatitude: degrees("Southern latitude."),
      northBoundLatitude: degrees("Northern latitude."),
    }),
  ),
});

const DataciteRights = part("DataciteRights", "The licence of the dataset or of a part.", {
  rights: text("Name of the licence; for a part with the name of the part."),
  rightsUri: maybe(text("Address of the licence.")),
  rightsIdentifier: maybe(text("SPDX id or SPDX expression.")),
  rightsIdentifierScheme: maybe(one("SPDX")),
  schemeUri: maybe(schemeUri),
});

const DataciteDescription = part("DataciteDescription", "A description.", {
  description: text("Description as submitted."),
  descriptionType: Type.Enum(descriptionTypes, { description: "Type of the description." }),
  lang,
});

export const DataciteView = part("DataciteRecord", "A version of a dataset as a DataCite 4.7 record.", {
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
  language: maybe(text("Language of the data.")),
  version: text("Number of the version, or its name as submitted."),
  relatedIdentifiers: list(
    DataciteRelatedIdentifier,
    "The whole dataset, the previous version and the next version, then related resources.",
  ),
  relatedItems: maybe(list(DataciteRelatedItem, "Related resources that have no identifier.")),
  rightsList: list(DataciteRights, "Licence of the dataset, then those of parts."),
  descriptions: list(DataciteDescription, "Description, then further ones and acknowledgements."),
  geoLocations: maybe(list(DataciteGeoLocation, "Places that the data are about.")),
  fundingReferences: maybe(list(DataciteFundingReference, "Funders and grants.")),
  sizes: list(Type.String(), "Number of files, and total size in bytes."),
  formats: list(Type.String(), "Media types of the files; at most 50."),
  schemaVersion: one("http://datacite.org/schema/kernel-4"),
});

const CslName = part("CslName", "A name in CSL-JSON.", {
  literal: maybe(text("Name of an organisation.")),
  family: maybe(text("Family name.")),
  given: maybe(text("Given names.")),
  suffix: maybe(text("Suffix, such as `Jr.`.")),
  "comma-suffix": maybe(Type.Boolean({ description: "Whether a comma precedes the suffix." })),
});

const CslDate = part("CslDate", "A date in CSL-JSON.", {
  "date-parts": list(Type.Array(Type.Integer()), "Year, month and day."),
});

export const CslView = part("CslItem", "A version of a dataset as an item of CSL-JSON.", {
  id: text("Address of the version."),
  type: one("dataset"),
  title: text("Title as submitted."),
  author: list(CslName, "Authors with the role `Creator`."),
  contributor: maybe(list(CslName, "All other authors.")),
  issued: CslDate,
  publisher: text("Name of the organisation."),
  version: text("Number of the version, or its name as submitted."),
  abstract: text("Description of the dataset."),
  keyword: maybe(text("Keywords, separated by commas.")),
  language: maybe(text("Language of the data.")),
  DOI: maybe(text("The DOI of the version, if it is registered.")),
  URL: text("Address of the version."),
  license: text("Address of the licence, or its name."),
  genre: maybe(text("Type of the dataset, if it is stated.")),
  annote: maybe(text("Further titles and identifiers, licences of parts, funding and acknowledgements.")),
});

export const JsonLdView = Type.Object(
  {
    "@context": Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
      description: "JSON-LD context.",
    }),
    "@id": text("Address of the version."),
    "@type": Type.Enum(["Dataset", "dcat:Dataset"], {
      description: "`Dataset` in schema.org, `dcat:Dataset` in DCAT.",
    }),
  },
  {
    title: "JsonLdDataset",
    description: "A version of a dataset in schema.org or DCAT 3, as JSON-LD.",
    additionalProperties: true,
  },
);

const LinkTarget = part("LinkTarget", "The target of a link (RFC 9264, section 4.2.3).", {
  href: text("Address of the target."),
  type: maybe(text("Media type of the target.")),
  profile: maybe(list(Type.String(), "Profiles that the target conforms to, as URIs.")),
});

const LinkContext = part("LinkContext", "The links of a version, by relation.", {
  anchor: text("Address of the version that the links describe."),
  "cite-as": maybe(list(LinkTarget, "Address to cite.")),
  type: maybe(list(LinkTarget, "Type of the resource.")),
  author: maybe(list(LinkTarget, "ORCID records of the authors.")),
  license: maybe(list(LinkTarget, "Licence.")),
  describedby: maybe(list(LinkTarget, "Metadata in other formats.")),
  item: list(LinkTarget, "Files of the version."),
});

export const LinksetView = part("Linkset", "The links of a version of a dataset (RFC 9264).", {
  linkset: list(LinkContext, "Links of the version; one entry."),
});
