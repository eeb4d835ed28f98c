import { type TProperties, type TSchema, Type } from "typebox";

/** Descriptions of a dataset in other standards, as JSON. Their members are those of the standards. */

const text = () => Type.String();
const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
const one = (value: string) => Type.Literal(value);

/** A small object of a standard. */
const part = <Members extends TProperties>(title: string, members: Members) => Type.Object(members, { title });

const DataciteName = Type.Object(
  {
    name: text(),
    nameType: maybe(Type.Enum(["Personal", "Organizational"])),
    givenName: maybe(text()),
    familyName: maybe(text()),
    nameIdentifiers: Type.Array(
      part("DataciteNameIdentifier", {
        nameIdentifier: text(),
        nameIdentifierScheme: Type.Enum(["ORCID", "ROR"]),
        schemeUri: text(),
      }),
    ),
    affiliation: Type.Array(
      part("DataciteAffiliation", {
        name: text(),
        affiliationIdentifier: maybe(text()),
        affiliationIdentifierScheme: maybe(one("ROR")),
        schemeUri: maybe(text()),
      }),
    ),
    contributorType: maybe(Type.String({ description: "Of contributors." })),
  },
  { title: "DataciteName", description: "A person or an organisation in a DataCite record." },
);

export const DataciteView = Type.Object(
  {
    identifiers: Type.Array(part("DataciteIdentifier", { identifier: text(), identifierType: one("URN") })),
    alternateIdentifiers: Type.Array(
      part("DataciteAlternateIdentifier", { alternateIdentifier: text(), alternateIdentifierType: one("URL") }),
      { description: "The address of the version." },
    ),
    types: part("DataciteTypes", { resourceTypeGeneral: one("Dataset"), resourceType: one("Dataset") }),
    creators: Type.Array(DataciteName),
    contributors: Type.Array(DataciteName),
    titles: Type.Array(part("DataciteTitle", { title: text() })),
    publisher: part("DatacitePublisher", {
      name: text(),
      publisherIdentifier: maybe(text()),
      publisherIdentifierScheme: maybe(one("ROR")),
      schemeUri: maybe(text()),
    }),
    publicationYear: text(),
    subjects: Type.Array(part("DataciteSubject", { subject: text() })),
    dates: Type.Array(part("DataciteDate", { date: text(), dateType: Type.Enum(["Submitted", "Available"]) })),
    language: maybe(text()),
    version: text(),
    relatedIdentifiers: Type.Array(
      part("DataciteRelatedIdentifier", {
        relatedIdentifier: text(),
        relatedIdentifierType: one("URL"),
        relationType: Type.Enum(["IsVersionOf", "IsNewVersionOf", "IsPreviousVersionOf"]),
        resourceTypeGeneral: one("Dataset"),
      }),
      { description: "The dataset as a whole, and the versions before and after." },
    ),
    rightsList: Type.Array(
      part("DataciteRights", {
        rights: text(),
        rightsUri: maybe(text()),
        rightsIdentifier: maybe(text()),
        rightsIdentifierScheme: maybe(one("SPDX")),
        schemeUri: maybe(text()),
      }),
    ),
    descriptions: Type.Array(part("DataciteDescription", { description: text(), descriptionType: one("Abstract") })),
    sizes: Type.Array(text()),
    formats: Type.Array(Type.String(), { description: "Media types of the files, at most 50." }),
    schemaVersion: one("http://datacite.org/schema/kernel-4"),
  },
  { title: "DataciteRecord", description: "A version of a dataset as DataCite 4.7 describes it." },
);

const CslName = Type.Object(
  {
    literal: maybe(Type.String({ description: "The whole name, of an organisation." })),
    family: maybe(text()),
    given: maybe(text()),
    suffix: maybe(text()),
    "comma-suffix": maybe(Type.Boolean()),
  },
  { title: "CslName", description: "A name in CSL-JSON." },
);

export const CslView = Type.Object(
  {
    id: Type.String({ description: "The address of the version." }),
    type: one("dataset"),
    title: text(),
    author: Type.Array(CslName),
    contributor: maybe(Type.Array(CslName)),
    issued: part("CslDate", { "date-parts": Type.Array(Type.Array(Type.Integer())) }),
    publisher: text(),
    version: text(),
    abstract: text(),
    keyword: maybe(text()),
    language: maybe(text()),
    URL: Type.String({ description: "The address of the version." }),
    license: text(),
  },
  { title: "CslItem", description: "A version of a dataset as an item of CSL-JSON." },
);

export const JsonLdView = Type.Object(
  {
    "@context": Type.Union([Type.String(), Type.Record(Type.String(), Type.String())]),
    "@id": Type.String({ description: "The address of the version." }),
    "@type": Type.Enum(["Dataset", "dcat:Dataset"]),
  },
  {
    title: "JsonLdDataset",
    description: "A version of a dataset in the terms of schema.org, or of DCAT 3, as JSON-LD.",
    additionalProperties: true,
  },
);

const LinkTargets = Type.Array(
  Type.Object(
    {
      href: text(),
      type: maybe(text()),
      profile: maybe(Type.Array(text())),
    },
    { title: "LinkTarget", description: "Where a link leads (RFC 9264, section 4.2.3)." },
  ),
);

export const LinksetView = Type.Object(
  {
    linkset: Type.Array(
      part("LinkContext", {
        anchor: Type.String({ description: "What the links are about." }),
        "cite-as": maybe(LinkTargets),
        type: maybe(LinkTargets),
        author: maybe(LinkTargets),
        license: maybe(LinkTargets),
        describedby: maybe(LinkTargets),
        item: LinkTargets,
      }),
    ),
  },
  { title: "Linkset", description: "The links of a version of a dataset (RFC 9264)." },
);
