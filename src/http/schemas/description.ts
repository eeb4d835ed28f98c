import { type TProperties, type TSchema, Type } from "typebox";

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

const DataciteAffiliation = part("DataciteAffiliation", "The affiliation of a person.", {
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
  affiliation: list(DataciteAffiliation, "Affiliations of a person."),
  contributorType: maybe(text("Role of a contributor.")),
});

const DataciteIdentifier = part("DataciteIdentifier", "The identifier of the dataset.", {
  identifier: text("`urn:uuid:` and the id of the dataset. All versions have the same identifier."),
  identifierType: one("URN"),
});

const DataciteAlternateIdentifier = part("DataciteAlternateIdentifier", "The address of the version.", {
  alternateIdentifier: text("Address of the version."),
  alternateIdentifierType: one("URL"),
});

const DataciteTypes = part("DataciteTypes", "The type of the resource.", {
  resourceTypeGeneral: one("Dataset"),
  resourceType: one("Dataset"),
});

const DataciteTitle = part("DataciteTitle", "A title.", { title: text("Title as submitted.") });

const DatacitePublisher = part("DatacitePublisher", "The publisher of the dataset.", {
  name: text("Name of the organisation."),
  publisherIdentifier: maybe(text("ROR id of the organisation as a URL.")),
  publisherIdentifierScheme: maybe(one("ROR")),
  schemeUri: maybe(schemeUri),
});

const DataciteSubject = part("DataciteSubject", "A keyword.", { subject: text("Keyword as submitted.") });

const DataciteDate = part("DataciteDate", "A date of the version.", {
  date: text("Date as `YYYY-MM-DD`."),
  dateType: Type.Enum(["Submitted", "Available"], {
    description: "Type of the date. `Available` is the end of an embargo.",
  }),
});

const DataciteRelatedIdentifier = part("DataciteRelatedIdentifier", "The whole dataset or another version.", {
  relatedIdentifier: text("Address of the related resource."),
  relatedIdentifierType: one("URL"),
  relationType: Type.Enum(["IsVersionOf", "IsNewVersionOf", "IsPreviousVersionOf"], {
    description: "Relation of this version to that resource.",
  }),
  resourceTypeGeneral: one("Dataset"),
});

const DataciteRights = part("DataciteRights", "The licence.", {
  rights: text("Name of the licence."),
  rightsUri: maybe(text("Address of the licence.")),
  rightsIdentifier: maybe(text("SPDX id or SPDX expression.")),
  rightsIdentifierScheme: maybe(one("SPDX")),
  schemeUri: maybe(schemeUri),
});

const DataciteDescription = part("DataciteDescription", "A description.", {
  description: text("Description as submitted."),
  descriptionType: one("Abstract"),
});

export const DataciteView = part("DataciteRecord", "A version of a dataset as a DataCite 4.7 record.", {
  identifiers: list(DataciteIdentifier, "Identifier of the dataset; one entry."),
  alternateIdentifiers: list(DataciteAlternateIdentifier, "Address of the version; one entry."),
  types: DataciteTypes,
  creators: list(DataciteName, "Authors with the role `Creator`."),
  contributors: list(DataciteName, "All other authors."),
  titles: list(DataciteTitle, "Title; one entry."),
  publisher: DatacitePublisher,
  publicationYear: text("Year of publication. For an embargoed dataset: the year in which the embargo ends."),
  subjects: list(DataciteSubject, "Keywords."),
  dates: list(DataciteDate, "Date of the submission, and date of availability."),
  language: maybe(text("Language of the data.")),
  version: text("Number of the version."),
  relatedIdentifiers: list(DataciteRelatedIdentifier, "The whole dataset, the previous version and the next version."),
  rightsList: list(DataciteRights, "Licence; one entry."),
  descriptions: list(DataciteDescription, "Description; one entry."),
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
  version: text("Number of the version."),
  abstract: text("Description of the dataset."),
  keyword: maybe(text("Keywords, separated by commas.")),
  language: maybe(text("Language of the data.")),
  URL: text("Address of the version."),
  license: text("Address of the licence, or its name."),
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
