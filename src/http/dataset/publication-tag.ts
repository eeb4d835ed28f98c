import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { PublicationRow } from "../../db/publication/publications.ts";
import type { HttpContext } from "../context.ts";
import { type PublicationAnswer, publicationOf, revisionOf, viewPublication } from "./publication-view.ts";
import type { Version } from "./readable-version.ts";

/** The ETag of a publication (RFC 9110, section 8.8.3). It changes with the metadata, too, because these are reviewed. */
export function publicationTag(version: number, { changes, revision }: { changes: number; revision: number }): string {
  return `"p${version}.${changes}.${revision}"`;
}

/** The ETag of what the public sees. It does not count changes, because these include private ones. */
export function publicTag(view: PublicationAnswer): string {
  return `"v${view.version}.${createHash("sha256").update(JSON.stringify(view)).digest("base64url").slice(0, 22)}"`;
}

/** A publication as the caller sees it, with its ETag. */
export interface TaggedPublication {
  view: PublicationAnswer;
  tag: string;
}

/** The publication of a version as the caller sees it. @param before as for `viewPublication` */
export async function taggedPublication(
  context: HttpContext,
  request: FastifyRequest,
  version: Version,
  before?: number,
): Promise<TaggedPublication> {
  return viewTagged(context, request, version, { row: await publicationOf(context, version), before });
}

/** The same, of a publication that was read. */
export async function viewTagged(
  context: HttpContext,
  { caller }: FastifyRequest,
  version: Version,
  { row, before }: { row: PublicationRow; before?: number | undefined },
): Promise<TaggedPublication> {
  const view = await viewPublication(context, version, row, { caller, before });
  const isForPublic = version.reader.isPublic || caller === null;
  const own = { changes: row.changes, revision: revisionOf(version) };
  return { view, tag: isForPublic ? publicTag(view) : publicationTag(version.number, own) };
}
