import { Type } from "typebox";
import { list, object, text } from "../../domain/schema-parts.ts";

/** Metadata formats that are JSON, besides DataCite's (`describe/metadata/datacite-record.ts`). */

const CslName = object("CslName", "A name in CSL-JSON.", {
  literal: Type.Optional(text("Name of an organisation.")),
  family: Type.Optional(text("Family name.")),
  given: Type.Optional(text("Given names.")),
  suffix: Type.Optional(text("Suffix, such as `Jr.`.")),
  "comma-suffix": Type.Optional(Type.Boolean({ description: "Whether a comma precedes the suffix." })),
});

const CslDate = object("CslDate", "A date in CSL-JSON.", {
  "date-parts": list(Type.Array(Type.Integer()), "Year, month and day."),
});

export const CslView = object("CslItem", "A version of a dataset as an item of CSL-JSON.", {
  id: text("Address of the version; before its publication, id and number."),
  type: text("Type of the resource in CSL, such as `dataset`."),
  title: text("Title as submitted."),
  author: list(CslName, "Authors with the role `Creator`."),
  contributor: Type.Optional(list(CslName, "All other authors.")),
  issued: CslDate,
  publisher: text("Name of the organisation."),
  version: text("Number of the version, or its name as submitted."),
  abstract: text("Description of the dataset."),
  keyword: Type.Optional(text("Keywords, separated by commas.")),
  language: Type.Optional(text("Language of the data.")),
  DOI: Type.Optional(
    text("The DOI of the version, if it is registered or reserved. A reserved DOI resolves after publication."),
  ),
  URL: Type.Optional(text("Address of the version; missing before publication, because others cannot open it.")),
  status: Type.Optional(text("`Not published yet`, before publication at a service that publishes.")),
  license: text("Address of the licence, or its name."),
  genre: Type.Optional(text("Type of the dataset, if it is stated.")),
  annote: Type.Optional(text("Further titles and identifiers, licences of parts, funding and acknowledgements.")),
});

export const JsonLdView = Type.Object(
  {
    "@context": Type.Union([Type.String(), Type.Record(Type.String(), Type.Unknown())], {
      description: "JSON-LD context.",
    }),
    "@id": text("Address of the version."),
    "@type": Type.Enum(["Dataset", "dcat:Dataset", "sc:Dataset"], {
      description: "`Dataset` in schema.org, `dcat:Dataset` in DCAT, `sc:Dataset` in Croissant.",
    }),
  },
  {
    title: "JsonLdDataset",
    description: "A version of a dataset in schema.org, DCAT 3 or Croissant 1.1, as JSON-LD.",
    additionalProperties: true,
  },
);

const LinkTarget = object("LinkTarget", "The target of a link (RFC 9264, section 4.2.3).", {
  href: text("Address of the target."),
  type: Type.Optional(text("Media type of the target.")),
  profile: Type.Optional(list(Type.String(), "Profiles that the target conforms to, as URIs.")),
});

const LinkContext = object("LinkContext", "The links of a resource, by relation.", {
  anchor: text("Address of the resource that has the links: the version, a metadata document or a file."),
  "cite-as": Type.Optional(list(LinkTarget, "Address to cite.")),
  type: Type.Optional(list(LinkTarget, "Type of the resource.")),
  author: Type.Optional(list(LinkTarget, "ORCID records of the authors.")),
  license: Type.Optional(list(LinkTarget, "Licence.")),
  describedby: Type.Optional(list(LinkTarget, "Metadata in other formats.")),
  item: Type.Optional(list(LinkTarget, "Files of the version.")),
  describes: Type.Optional(list(LinkTarget, "The version that a metadata document describes.")),
  collection: Type.Optional(list(LinkTarget, "The version to which a file belongs.")),
});

export const LinksetView = object("Linkset", "The links of a version of a dataset (RFC 9264).", {
  linkset: list(LinkContext, "Links of the version first, then those of its metadata documents and of its files."),
});
