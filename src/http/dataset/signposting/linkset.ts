import type { ExportInput } from "../../../describe/formats/export-input.ts";
import type { TypedLink } from "../../../public/site/landing/shown.ts";
import type { HttpContext } from "../../context.ts";
import { filesOf } from "../files.ts";
import type { Version } from "../readable-version.ts";
import { describesLink, documentLinks, fileLinks, itemOf, linkText, pageLinks } from "./links.ts";

/** A link with what has it. */
interface AnchoredLink extends TypedLink {
  anchor: string;
}

type Linkset = AsyncGenerator<AnchoredLink[]>;

/**
 * All links of a version while its files are read: those of its page, of its metadata documents, and of its files. Links with the
 * same anchor follow each other, and among them those with the same relation.
 */
export async function* linksetOf(context: HttpContext, version: Version, described: ExportInput): Linkset {
  const page = described.facts.url + described.query;
  const showsFiles = version.reader.noFiles === null;
  const links = pageLinks(described).map((link) => ({ ...link, anchor: page }));
  if (showsFiles) {
    for await (const files of filesOf(context, version)) {
      // Sent with the first files, so that an archive that cannot be read is reported before anything is sent.
      yield [...links.splice(0), ...files.map((file) => ({ ...itemOf(described, file), anchor: page }))];
    }
  }
  yield links;
  yield documentLinks(described).map(({ href }) => ({ ...describesLink(described), anchor: href }));
  if (!showsFiles) return;
  // The files are read again, because all links of the page belong together.
  for await (const files of filesOf(context, version)) {
    yield files.flatMap((file) => {
      const { href: anchor, type = "" } = itemOf(described, file);
      return fileLinks(described, type).map((link) => ({ ...link, anchor }));
    });
  }
}

/** Writes a linkset as JSON (RFC 9264, section 4.2). */
export async function* linksetJson(links: Linkset): AsyncGenerator<string> {
  let before: AnchoredLink | undefined;
  yield '{"linkset":[';
  for await (const some of links) {
    const texts: string[] = [];
    for (const link of some) {
      texts.push(separator(before, link) + targetOf(link));
      before = link;
    }
    yield texts.join("");
  }
  yield before === undefined ? "]}\n" : "]}]}\n";
}

/** Writes a linkset in the form of a `Link` header (RFC 9264, section 4.1). */
export async function* linksetText(links: Linkset): AsyncGenerator<string> {
  let comma = "";
  for await (const some of links) {
    if (some.length > 0) yield comma + some.map(({ anchor, ...link }) => linkText(link, anchor)).join(",\n");
    if (some.length > 0) comma = ",\n";
  }
  yield "\n";
}

/** The text between two links: a comma, or the end of a relation or of an anchor, and the beginning of the next one. */
function separator(before: AnchoredLink | undefined, { anchor, rel }: AnchoredLink): string {
  const relation = `${JSON.stringify(rel)}:[`;
  if (before?.anchor === anchor) return before.rel === rel ? "," : `],${relation}`;
  return `${before === undefined ? "" : "]},"}{"anchor":${JSON.stringify(anchor)},${relation}`;
}

function targetOf({ href, type, profile }: TypedLink): string {
  return JSON.stringify({ href, ...(type && { type }), ...(profile && { profile: [profile] }) });
}
