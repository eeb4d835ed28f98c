import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { mediaTypesOf } from "../../db/chunks/files.ts";
import type { PublicationRow } from "../../db/publication/publications.ts";
import { csl } from "../../describe/formats/csl.ts";
import { dataciteJson } from "../../describe/formats/datacite/datacite.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { DataciteRecord } from "../../describe/metadata/datacite-record.ts";
import { hasAccess } from "../../people/caller.ts";
import type { HttpContext } from "../context.ts";
import { nullable, object } from "../schemas/basics.ts";
import { PagePartsView } from "../schemas/page-parts.ts";
import { PublicationView } from "../schemas/publication.ts";
import { CslView, UnpackingView } from "../schemas.ts";
import { partsOf } from "../site/parts.ts";
import { type TaggedPublication, viewTagged } from "./publication-tag.ts";
import { publicationOf } from "./publication-view.ts";
import type { Version } from "./readable-version.ts";
import { isSmall, unpackingOf } from "./unpacking.ts";

const LARGE = "null for the owner and curators if the version has more than 10,000 files, because it is checked then";

export const DatasetDetails = object(
  "DatasetDetails",
  "What a page about a version shows first. Each member except `page` and `metadata` is also the response of another operation.",
  {
    page: PagePartsView,
    record: DataciteRecord,
    citation: CslView,
    metadata: Type.Unknown({
      description: "The public metadata as the service stores them, with the embargo that is in force.",
    }),
    publication: nullable(PublicationView, `The publication; ${LARGE}.`),
    publicationTag: nullable(Type.String(), "The `ETag` of the publication, for the `If-Match` of a change."),
    receipt: nullable(Type.String(), "The receipt as a compact JWS (EdDSA); null if the caller may not read it."),
    unpacking: nullable(
      UnpackingView,
      "The files whose names are not possible on every system; null if the caller may not read the files, and for more than 10,000 files.",
    ),
  },
);

/** The publication of a version for its details. */
export interface DetailedPublication {
  row: PublicationRow;
  /** As the caller sees it; undefined if that requires reading many files. */
  tagged: TaggedPublication | undefined;
}

/** Reads the publication for the details. */
export async function publicationForDetails(
  context: HttpContext,
  request: FastifyRequest,
  version: Version,
): Promise<DetailedPublication> {
  const row = await publicationOf(context, version);
  const isQuick = isSmall(version) || version.reader.isPublic;
  return { row, tagged: isQuick ? await viewTagged(context, request, version, { row }) : undefined };
}

/**
 * The details of a version, for this caller. What requires reading many files is left out.
 * @param from.publication read before `described`: a page follows the publication, and could otherwise show a later state with an
 * earlier citation
 */
export async function detailsOf(
  context: HttpContext,
  request: FastifyRequest,
  version: Version,
  from: { publication: DetailedPublication; described: ExportInput },
): Promise<Static<typeof DatasetDetails>> {
  const { caller } = request;
  const { submission, reader } = version;
  const { described } = from;
  const { row, tagged } = from.publication;
  const { fieldSchemas: _, ...metadata } = described.facts.metadata;
  const facts = { ...described.facts, mediaTypes: await mediaTypesOf(context.db, submission) };
  const maySeeReceipt = !reader.isPublic && caller !== null && hasAccess(caller, "see");
  return {
    page: await partsOf(context, request, version, { described, row }),
    record: dataciteJson(facts),
    citation: csl({ ...described, facts }) as Static<typeof CslView>,
    metadata,
    publication: tagged?.view ?? null,
    publicationTag: tagged?.tag ?? null,
    receipt: maySeeReceipt ? submission.receipt : null,
    unpacking: reader.noFiles === null && isSmall(version) ? await unpackingOf(context, version) : null,
  };
}
