import { type ExportInput, summaryOf } from "../../../describe/formats/export-input.ts";
import { METADATA_FORMATS, type MetadataFormat } from "../../../describe/formats/formats.ts";
import { addressPath } from "../../../domain/keys-and-paths/path.ts";
import type { TypedLink } from "../../../public/site/landing/shown.ts";
import type { HttpContext } from "../../context.ts";
import { type DatasetFile, mediaTypeOf } from "../dataset-file.ts";
import { datasetUrl, queryOf, type Version } from "../readable-version.ts";

const PAGE = "text/html";

/** Types of files in schema.org, by the beginning of their media types. */
const FILE_TYPES: readonly [beginning: string, type: string][] = [
  ["image/", "ImageObject"],
  ["audio/", "AudioObject"],
  ["video/", "VideoObject"],
];

/** The links of the page of a version besides those to its files. Links with the same relation follow each other. */
export function pageLinks(described: ExportInput): TypedLink[] {
  const { creators, contributors, licence, url } = summaryOf(described);
  const people = [...creators, ...contributors].flatMap(({ orcid }) => orcid ?? []);
  return [
    { rel: "cite-as", href: url },
    { rel: "type", href: "https://schema.org/Dataset" },
    { rel: "type", href: "https://schema.org/AboutPage" },
    ...[...new Set(people)].map((href) => ({ rel: "author", href })),
    ...(licence.url === undefined ? [] : [{ rel: "license", href: licence.url }]),
    ...documentLinks(described),
  ];
}

/** The links to the metadata documents of a version. */
export function documentLinks({ facts, query }: ExportInput): TypedLink[] {
  const formats = Object.entries(METADATA_FORMATS) as [string, MetadataFormat][];
  return formats.map(([name, { mediaType: type, profile }]) => ({
    rel: "describedby",
    href: `${facts.url}/export/${name}${query}`,
    type,
    ...(profile !== undefined && { profile }),
  }));
}

/** The links to the complete linkset, in both forms. */
export function linksetLinks({ facts, query }: ExportInput): TypedLink[] {
  const href = `${facts.url}/linkset${query}`;
  return LINKSET_TYPES.map((type) => ({ rel: "linkset", href, type }));
}

/** The forms of a linkset (RFC 9264). The first is the default. */
export const LINKSET_TYPES = ["application/linkset+json", "application/linkset"] as const;

/** The link from the page of a version to a file. It names the version, because it is kept longer than that is the newest. */
export function itemOf({ facts: { url, version } }: ExportInput, file: DatasetFile): TypedLink {
  return { rel: "item", href: `${url}/files/${addressPath(file.path)}?version=${version}`, type: mediaTypeOf(file) };
}

/** The links of a file. @param type its media type */
export function fileLinks({ facts: { url }, query }: ExportInput, type: string): TypedLink[] {
  const [, kind = "MediaObject"] = FILE_TYPES.find(([beginning]) => type.startsWith(beginning)) ?? [];
  return [
    { rel: "collection", href: url + query, type: PAGE },
    { rel: "type", href: `https://schema.org/${kind}` },
  ];
}

/** The link of a metadata document to the page of its version. */
export function describesLink({ facts: { url }, query }: ExportInput): TypedLink {
  return { rel: "describes", href: url + query, type: PAGE };
}

/** The `Link` header of a file, a package or a metadata document, which leads back to the page of its version. */
export function linkToPage(context: HttpContext, version: Version, rel: "collection" | "describes"): string {
  return linkText({ rel, href: datasetUrl(context, version.dataset) + queryOf(version), type: PAGE });
}

/** A link as in a `Link` header (RFC 8288). @param anchor what has the link; absent for the resource that is answered */
export function linkText({ rel, href, type, profile }: TypedLink, anchor?: string): string {
  const parameters = Object.entries({ rel, type, profile, anchor }).filter(([, value]) => value !== undefined);
  return [`<${href}>`, ...parameters.map(([name, value]) => `${name}="${value}"`)].join("; ");
}
