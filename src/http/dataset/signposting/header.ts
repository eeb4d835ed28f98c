import type { ExportInput } from "../../../describe/formats/export-input.ts";
import type { TypedLink } from "../../../public/site/landing/shown.ts";
import type { HttpContext } from "../../context.ts";
import { filesOf, isUnreadable } from "../files.ts";
import type { Version } from "../readable-version.ts";
import { itemOf, linksetLinks, linkText, pageLinks } from "./links.ts";

/** Maximum length of the header in characters. Proxies limit all headers together to 4 or 8 kB. */
const LONGEST_HEADER = 4_000;
/** Maximum number of files in the header. More files do not fit even with short names. */
const FEW_FILES = 30;

/**
 * Returns the links of a dataset for its `Link` header: the FAIR Signposting relations (https://signposting.org/FAIR/), and the
 * complete linkset. If the header would be too long, files and authors are only in the linkset.
 */
export async function signpostingLinks(
  context: HttpContext,
  version: Version,
  described: ExportInput,
): Promise<TypedLink[]> {
  const own = pageLinks(described);
  const linkset = linksetLinks(described);
  const showsFiles = version.reader.noFiles === null && version.objects <= FEW_FILES;
  const items = showsFiles ? await itemsOf(context, version, described) : undefined;
  const choices = [
    ...(items === undefined ? [] : [[...own, ...items, ...linkset]]),
    [...own.filter(({ rel }) => rel !== "author"), ...linkset],
  ];
  return choices.find((links) => linkHeader(links).length <= LONGEST_HEADER) ?? linkset;
}

/** The links of the page that states what was withdrawn. It names no metadata, because they are not public any more. */
export function withdrawnLinks(page: string, identifiers: readonly string[]): TypedLink[] {
  const [identifier, ...others] = identifiers.filter((one) => /^https?:/.test(one));
  return [
    { rel: "cite-as", href: identifier !== undefined && others.length === 0 ? identifier : page },
    { rel: "type", href: "https://schema.org/Dataset" },
    { rel: "type", href: "https://schema.org/AboutPage" },
  ];
}

/** The `Link` header with these links. */
export function linkHeader(links: readonly TypedLink[]): string {
  return links.map((link) => linkText(link)).join(", ");
}

/** Undefined if the archive cannot be read: the other relations do not need it. */
async function itemsOf(
  context: HttpContext,
  version: Version,
  described: ExportInput,
): Promise<TypedLink[] | undefined> {
  const items: TypedLink[] = [];
  try {
    for await (const files of filesOf(context, version)) items.push(...files.map((file) => itemOf(described, file)));
    return items;
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}
