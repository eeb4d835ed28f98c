import { Type } from "typebox";
import { list, maybe, one, part, text } from "../../domain/standard-schema.ts";

/** Metadata formats that are JSON, besides DataCite's (`describe/metadata/datacite-record.ts`). */

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
