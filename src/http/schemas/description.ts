import { type TProperties, type TSchema, Type } from "typebox";

/** Descriptions of a dataset in other standards, as JSON. Their members are those of the standards. */

const text = (description: string) => Type.String({ description });
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
const one = (value: string, description = "Always this.") => Type.Literal(value, { description });
/** A small object of a standard. */
const part = <Members extends TProperties>(title: string, description: string, members: Members) =>
  Type.Object(members, { title, description });
const list = <Schema extends TSchema>(items: Schema, description: string) => Type.Array(items, { description });

const schemeUri = text("Where the scheme is described.");

const DataciteNameIdentifier = part("DataciteNameIdentifier", "Who a person or an organisation is.", {
  nameIdentifier: text("The id, as a URL."),
  nameIdentifierScheme: Type.Enum(["ORCID", "ROR"], { description: "Of a person, or of an organisation." }),
  schemeUri,
});

const DataciteAffiliation = part("DataciteAffiliation", "Where a person works.", {
  name: text("Of the organisation."),
  affiliationIdentifier: maybe(text("Its ROR id, as a URL.")),
  affiliationIdentifierScheme: maybe(one("ROR")),
  schemeUri: maybe(schemeUri),
});

const DataciteName = part("DataciteName", "A person or an organisation in a DataCite record.", {
  name: text("Of a person “Family, Given”."),
  nameType: maybe(Type.Enum(["Personal", "Organizational"], { description: "Absent where it is not known." })),
  givenName: maybe(text("Given names of a person.")),
  familyName: maybe(text("Family name of a person.")),
  nameIdentifiers: list(DataciteNameIdentifier, "Its ids."),
  affiliation: list(DataciteAffiliation, "Of a person."),
  contributorType: maybe(text("The role of a contributor.")),
});

const DataciteIdentifier = part("DataciteIdentifier", "The dataset’s identifier.", {
  identifier: text("`urn:uuid:` and the dataset’s id. All versions share it."),
  identifierType: one("URN"),
});

const DataciteAlternateIdentifier = part("DataciteAlternateIdentifier", "The address of the version.", {
  alternateIdentifier: text("The address."),
  alternateIdentifierType: one("URL"),
});

const DataciteTypes = part("DataciteTypes", "What kind of resource it is.", {
  resourceTypeGeneral: one("Dataset"),
  resourceType: one("Dataset"),
});

const DataciteTitle = part("DataciteTitle", "A title.", { title: text("As it was sent.") });

const DatacitePublisher = part("DatacitePublisher", "Who publishes the dataset.", {
  name: text("Of the organisation."),
  publisherIdentifier: maybe(text("Its ROR id, as a URL.")),
  publisherIdentifierScheme: maybe(one("ROR")),
  schemeUri: maybe(schemeUri),
});

const DataciteSubject = part("DataciteSubject", "A keyword.", { subject: text("As it was sent.") });

const DataciteDate = part("DataciteDate", "A day in the life of the version.", {
  date: text("`YYYY-MM-DD`."),
  dateType: Type.Enum(["Submitted", "Available"], { description: "Available is the end of an embargo." }),
});

const DataciteRelatedIdentifier = part("DataciteRelatedIdentifier", "The dataset as a whole, or another version.", {
  relatedIdentifier: text("Its address."),
  relatedIdentifierType: one("URL"),
  relationType: Type.Enum(["IsVersionOf", "IsNewVersionOf", "IsPreviousVersionOf"], {
    description: "How this version is related to it.",
  }),
  resourceTypeGeneral: one("Dataset"),
});

const DataciteRights = part("DataciteRights", "The licence.", {
  rights: text("Its name."),
  rightsUri: maybe(text("Its address.")),
  rightsIdentifier: maybe(text("Its SPDX id, or an expression of ids.")),
  rightsIdentifierScheme: maybe(one("SPDX")),
  schemeUri: maybe(schemeUri),
});

const DataciteDescription = part("DataciteDescription", "A description.", {
  description: text("As it was sent."),
  descriptionType: one("Abstract"),
});

export const DataciteView = part("DataciteRecord", "A version of a dataset as DataCite 4.7 describes it.", {
  identifiers: list(DataciteIdentifier, "One."),
  alternateIdentifiers: list(DataciteAlternateIdentifier, "One."),
  types: DataciteTypes,
  creators: list(DataciteName, "Authors with the role Creator."),
  contributors: list(DataciteName, "All other authors."),
  titles: list(DataciteTitle, "One."),
  publisher: DatacitePublisher,
  publicationYear: text("Of an embargoed dataset the year in which the embargo ends."),
  subjects: list(DataciteSubject, "Keywords."),
  dates: list(DataciteDate, "When it was submitted, and when it is available."),
  language: maybe(text("Of the data.")),
  version: text("Its number."),
  relatedIdentifiers: list(DataciteRelatedIdentifier, "The dataset as a whole, and the versions before and after."),
  rightsList: list(DataciteRights, "One."),
  descriptions: list(DataciteDescription, "One."),
  sizes: list(Type.String(), "Number of files, and bytes."),
  formats: list(Type.String(), "Media types of the files, at most 50."),
  schemaVersion: one("http://datacite.org/schema/kernel-4"),
});

const CslName = part("CslName", "A name in CSL-JSON.", {
  literal: maybe(text("The whole name, of an organisation.")),
  family: maybe(text("Family name.")),
  given: maybe(text("Given names.")),
  suffix: maybe(text("Such as “Jr.”.")),
  "comma-suffix": maybe(Type.Boolean({ description: "Whether a comma precedes the suffix." })),
});

const CslDate = part("CslDate", "A day in CSL-JSON.", {
  "date-parts": list(Type.Array(Type.Integer()), "Year, month and day."),
});

export const CslView = part("CslItem", "A version of a dataset as an item of CSL-JSON.", {
  id: text("The address of the version."),
  type: one("dataset"),
  title: text("As it was sent."),
  author: list(CslName, "Authors with the role Creator."),
  contributor: maybe(list(CslName, "All other authors.")),
  issued: CslDate,
  publisher: text("Name of the organisation."),
  version: text("Its number."),
  abstract: text("The description."),
  keyword: maybe(text("Keywords, separated by commas.")),
  language: maybe(text("Of the data.")),
  URL: text("The address of the version."),
  license: text("Address of the licence, or its name."),
});

export const JsonLdView = Type.Object(
  {
    "@context": Type.Union([Type.String(), Type.Record(Type.String(), Type.String())], {
      description: "What the terms mean.",
    }),
    "@id": text("The address of the version."),
    "@type": Type.Enum(["Dataset", "dcat:Dataset"], { description: "In schema.org, or in DCAT." }),
  },
  {
    title: "JsonLdDataset",
    description: "A version of a dataset in the terms of schema.org, or of DCAT 3, as JSON-LD.",
    additionalProperties: true,
  },
);

const LinkTarget = part("LinkTarget", "Where a link leads (RFC 9264, section 4.2.3).", {
  href: text("The address."),
  type: maybe(text("Media type of the target.")),
  profile: maybe(list(Type.String(), "The form that it has, as a URI.")),
});

const LinkContext = part("LinkContext", "The links of a version, by relation.", {
  anchor: text("What the links are about."),
  "cite-as": maybe(list(LinkTarget, "The address to cite.")),
  type: maybe(list(LinkTarget, "What kind of resource it is.")),
  author: maybe(list(LinkTarget, "ORCID records of the authors.")),
  license: maybe(list(LinkTarget, "The licence.")),
  describedby: maybe(list(LinkTarget, "Descriptions in other standards.")),
  item: list(LinkTarget, "Every file."),
});

export const LinksetView = part("Linkset", "The links of a version of a dataset (RFC 9264).", {
  linkset: list(LinkContext, "One."),
});
