import { bibtex } from "./bibtex.ts";
import { CROISSANT, croissant } from "./croissant/croissant.ts";
import { csl } from "./csl.ts";
import { dataciteJson } from "./datacite/datacite.ts";
import { dataciteXml } from "./datacite/datacite-xml.ts";
import { dcat } from "./dcat/dcat.ts";
import { dublinCore } from "./dublin-core.ts";
import type { ExportInput } from "./export-input.ts";
import { ris } from "./ris.ts";
import { schemaOrg } from "./schema-org.ts";

/** A metadata format. */
export interface MetadataFormat {
  /** For people. */
  title: string;
  mediaType: string;
  /** The URI of the format, if its media type is not specific enough. */
  profile?: string;
  extension: string;
  /** Set if the format states the media types of the files, which require a query. */
  namesMediaTypes?: true;
  /** Set if the format lists the files and the columns of tables, which are read from the archive. */
  listsFiles?: true;
  write(described: ExportInput): string;
}

/** A format for a dataset with all its files, as a ZIP. */
interface PackageFormat {
  title: string;
  extension: string;
  /** The specification that the package follows. */
  profile: string;
}

const json = (write: (described: ExportInput) => object) => (described: ExportInput) =>
  `${JSON.stringify(write(described), null, 2)}\n`;

/**
 * The metadata formats by name. If several have the same media type and rank, the first one is used. All are small pure
 * functions, because citation libraries use different data models and would not simplify them.
 */
export const METADATA_FORMATS = {
  "schema-org": {
    title: "schema.org (JSON-LD)",
    mediaType: "application/ld+json",
    profile: "https://schema.org",
    extension: "schema-org.jsonld",
    write: json(schemaOrg),
  },
  "datacite-json": {
    title: "DataCite (JSON)",
    mediaType: "application/vnd.datacite.datacite+json",
    extension: "datacite.json",
    namesMediaTypes: true,
    write: json(({ facts }) => dataciteJson(facts)),
  },
  "datacite-xml": {
    title: "DataCite (XML)",
    mediaType: "application/vnd.datacite.datacite+xml",
    extension: "datacite.xml",
    namesMediaTypes: true,
    write: ({ facts }) => dataciteXml(facts),
  },
  "dublin-core": {
    title: "Dublin Core (XML)",
    mediaType: "application/xml",
    profile: "http://www.openarchives.org/OAI/2.0/oai_dc/",
    extension: "dublin-core.xml",
    write: dublinCore,
  },
  dcat: {
    title: "DCAT (JSON-LD)",
    mediaType: "application/ld+json",
    profile: "http://www.w3.org/ns/dcat#",
    extension: "dcat.jsonld",
    write: json(dcat),
  },
  croissant: {
    title: "Croissant (JSON-LD)",
    mediaType: "application/ld+json",
    profile: CROISSANT,
    extension: "croissant.jsonld",
    listsFiles: true,
    write: json(croissant),
  },
  csl: {
    title: "CSL-JSON",
    mediaType: "application/vnd.citationstyles.csl+json",
    extension: "csl.json",
    write: json(csl),
  },
  bibtex: { title: "BibTeX", mediaType: "application/x-bibtex", extension: "bib", write: bibtex },
  ris: { title: "RIS", mediaType: "application/x-research-info-systems", extension: "ris", write: ris },
} as const satisfies Record<string, MetadataFormat>;

export const PACKAGE_FORMATS = {
  "ro-crate": { title: "RO-Crate", extension: "crate.zip", profile: "https://w3id.org/ro/crate/1.2" },
  bagit: { title: "Bag", extension: "bag.zip", profile: "https://www.rfc-editor.org/rfc/rfc8493" },
} as const satisfies Record<string, PackageFormat>;

export type MetadataFormatName = keyof typeof METADATA_FORMATS;
export type PackageFormatName = keyof typeof PACKAGE_FORMATS;

export const FORMAT_NAMES = [...Object.keys(PACKAGE_FORMATS), ...Object.keys(METADATA_FORMATS)] as (
  | PackageFormatName
  | MetadataFormatName
)[];

export function isMetadataFormat(name: string): name is MetadataFormatName {
  return Object.hasOwn(METADATA_FORMATS, name);
}

/** A format's media type as responses state it. Parameters are quoted according to RFC 9110, section 5.6.6. */
export function contentTypeOf(format: MetadataFormat): string {
  const { mediaType, profile } = format;
  if (profile !== undefined && mediaType === "application/ld+json") return `${mediaType}; profile="${profile}"`;
  return /^application\/(?:.*\+json|ld\+json)$/.test(mediaType) ? mediaType : `${mediaType}; charset=utf-8`;
}
