import { type ExportInput, summaryOf } from "../../describe/formats/export-input.ts";
import { METADATA_FORMATS, type MetadataFormat } from "../../describe/formats/formats.ts";
import { type Code, Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import type { DatasetFile } from "./dataset-file.ts";
import { filesOf } from "./files.ts";
import type { Version } from "./readable-version.ts";
import { mediaTypeOf } from "./send-file.ts";

/** A typed link (RFC 8288). */
interface Link {
  rel: string;
  href: string;
  type?: string;
  profile?: string;
}

/** Maximum length of the header in characters. Proxies limit all headers together to 4 or 8 kB. */
const LONGEST_HEADER = 4_000;
/** Maximum number of files in the header. More files do not fit even with short names. */
const FEW_FILES = 30;

/**
 * Returns the `Link` header with the FAIR Signposting relations of a dataset (https://signposting.org/FAIR/). If the header
 * would be too long, it has the essential relations and a link to the complete linkset.
 */
export async function signpostingHeader(
  context: HttpContext,
  version: Version,
  described: ExportInput,
): Promise<string> {
  const own = linksOf(described);
  const showsFiles = version.reader.noFiles === null && version.objects <= FEW_FILES;
  const items = showsFiles ? await itemsOf(context, version, described) : undefined;
  const all = items && headerOf([...own, ...items]);
  if (all !== undefined && all.length <= LONGEST_HEADER) return all;
  const linkset = {
    rel: "linkset",
    href: `${described.facts.url}/linkset${described.query}`,
    type: "application/linkset+json",
  };
  const needed = headerOf([...own.filter(({ rel }) => rel !== "author"), linkset]);
  return needed.length <= LONGEST_HEADER ? needed : headerOf([linkset]);
}

/** Writes all links as a linkset (RFC 9264, section 4.2) while the files are read. */
export async function* linkset(context: HttpContext, version: Version, described: ExportInput): AsyncGenerator<string> {
  const relations: Record<string, object[]> = {};
  for (const { rel, href, type, profile } of linksOf(described)) {
    relations[rel] ??= [];
    relations[rel].push({ href, ...(type && { type }), ...(profile && { profile: [profile] }) });
  }
  yield `${JSON.stringify({ linkset: [{ anchor: described.facts.url + described.query, ...relations }] }).slice(0, -"}]}".length)},"item":[`;
  let comma = "";
  const all = version.reader.noFiles === null ? filesOf(context, version) : [];
  for await (const files of all) {
    const items = files.map((file) => {
      const { href, type } = itemOf(described, file);
      return JSON.stringify({ href, type });
    });
    yield comma + items.join(",");
    comma = ",";
  }
  yield "]}]}\n";
}

/** Undefined if the archive cannot be read: the other relations do not need it. */
async function itemsOf(context: HttpContext, version: Version, described: ExportInput): Promise<Link[] | undefined> {
  const items: Link[] = [];
  try {
    for await (const files of filesOf(context, version)) items.push(...files.map((file) => itemOf(described, file)));
    return items;
  } catch (error) {
    if (error instanceof Problem && UNREADABLE.has(error.code)) return undefined;
    throw error;
  }
}

const UNREADABLE = new Set<Code>(["archive_unreadable", "content_damaged"]);

function linksOf(described: ExportInput): Link[] {
  const { creators, contributors, licence, url } = summaryOf(described);
  const people = [...creators, ...contributors].flatMap(({ orcid }) => orcid ?? []);
  const formats = Object.entries(METADATA_FORMATS) as [string, MetadataFormat][];
  return [
    { rel: "cite-as", href: url },
    { rel: "type", href: "https://schema.org/Dataset" },
    { rel: "type", href: "https://schema.org/AboutPage" },
    ...[...new Set(people)].map((href) => ({ rel: "author", href })),
    ...(licence.url === undefined ? [] : [{ rel: "license", href: licence.url }]),
    ...formats.map(([name, { mediaType: type, profile }]) => ({
      rel: "describedby",
      href: `${described.facts.url}/export/${name}${described.query}`,
      type,
      ...(profile !== undefined && { profile }),
    })),
  ];
}

function itemOf({ facts: { url }, query }: ExportInput, file: DatasetFile): Link {
  return { rel: "item", href: `${url}/files/${encodePath(file.path)}${query}`, type: mediaTypeOf(file) };
}

/** A path of a file as part of an address. */
export function encodePath(path: string): string {
  return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}

function headerOf(links: Link[]): string {
  return links
    .map(({ rel, href, type, profile }) =>
      [
        `<${href}>; rel="${rel}"`,
        ...(type ? [`type="${type}"`] : []),
        ...(profile ? [`profile="${profile}"`] : []),
      ].join("; "),
    )
    .join(", ");
}
