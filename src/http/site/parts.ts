import type { FastifyRequest } from "fastify";
import { collectionsOf } from "../../db/collections/collections.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { partiesOf } from "../../people/caller.ts";
import { type PageParts, versionParts } from "../../public/site/landing/parts.ts";
import { isOpen } from "../../publication/rules/access.ts";
import { isPossibleIn, possibleActions } from "../../publication/rules/states.ts";
import type { HttpContext } from "../context.ts";
import type { Version } from "../dataset/readable-version.ts";
import { logRefusedSchemas } from "./refused-schemas.ts";
import { languageOf, siteOf } from "./send.ts";

/** The states in which the embargo of the publication counts, and not that of the metadata. */
const PUBLIC: readonly string[] = ["registering", "published", "withdrawn"];

/**
 * The parts of the page of a version for this caller, in the language of the request.
 * @param from.row the publication
 */
export async function partsOf(
  context: HttpContext,
  request: FastifyRequest,
  version: Version,
  { described, row }: { described: ExportInput; row: PublicationRow },
): Promise<PageParts> {
  const isPublished = row.state === "published";
  // As on the landing page, the public learns of them when the registration is complete.
  const hasCollections = isPublished || !version.reader.isPublic;
  const { access, embargo_date: embargoDate } = row;
  const areFilesOpen = isOpen({ access, embargoDate }, new Date());
  const shown = {
    described,
    collections: hasCollections ? await collectionsOf(context.db, version.dataset.id) : [],
    hasCatalogue: context.publication.mode !== "off",
    published: isPublished
      ? {
          at: row.published_at ?? row.since,
          access: areFilesOpen ? ("open" as const) : access,
          identifier: row.identifier ?? undefined,
        }
      : undefined,
    isProposal: !PUBLIC.includes(row.state),
    mayReserve: mayReserve(context, request, version, row),
    seesFaults: request.caller?.roles.includes("admin") ?? false,
  };
  logRefusedSchemas(request, version.dataset.id, described.facts.metadata);
  return versionParts(siteOf(context, request), shown, languageOf(request));
}

/** Whether the caller can reserve a DOI for a version that has none. */
function mayReserve(
  { publication }: HttpContext,
  { caller }: FastifyRequest,
  { dataset, reader }: Version,
  { state }: PublicationRow,
): boolean {
  if (caller === null || reader.isPublic || !publication.registersDois) return false;
  const isPossible = possibleActions(state, partiesOf(caller, dataset.owner)).includes("reserve-doi");
  return isPossible && isPossibleIn(publication.mode, "reserve-doi");
}
