import type { FastifyRequest } from "fastify";
import { type Static, Type } from "typebox";
import { mediaTypesOf } from "../../db/chunks/files.ts";
import { csl } from "../../describe/formats/csl.ts";
import { dataciteJson } from "../../describe/formats/datacite/datacite.ts";
import type { ExportInput } from "../../describe/formats/export-input.ts";
import { DataciteRecord } from "../../describe/metadata/datacite-record.ts";
import type { HttpContext } from "../context.ts";
import { nullable, object, text } from "../schemas/basics.ts";
import { PublicationView } from "../schemas/publication.ts";
import { CslView, UnpackingView } from "../schemas.ts";
import { taggedPublication } from "./publication-tag.ts";
import type { Version } from "./readable-version.ts";
import { unpackingOf } from "./unpacking.ts";

/** The names of this number of files are examined at once. */
const QUICK = 10_000;

export const DatasetDetails = object(
  "DatasetDetails",
  "What a page about a version shows first. Each member is also the response of another operation.",
  {
    record: DataciteRecord,
    citation: CslView,
    metadata: Type.Unknown({
      description:
        "The metadata as they are archived in `metadata/submission.json`, with the embargo that is in force.",
    }),
    publication: PublicationView,
    publicationTag: text("The `ETag` of the publication, for the `If-Match` of a change."),
    receipt: nullable(Type.String(), "The receipt as a compact JWS (EdDSA); null if the caller may not read it."),
    unpacking: nullable(
      UnpackingView,
      "The files whose names are not possible on every system; null if the caller may not read the files, and for more than 10,000 files.",
    ),
  },
);

/** @param described the version, for this caller */
export async function detailsOf(
  context: HttpContext,
  request: FastifyRequest,
  version: Version,
  described: ExportInput,
): Promise<Static<typeof DatasetDetails>> {
  const { submission, reader, objects } = version;
  const { fieldSchemas: _, ...metadata } = described.facts.metadata;
  const facts = { ...described.facts, mediaTypes: await mediaTypesOf(context.db, submission) };
  const { view, tag } = await taggedPublication(context, request, version);
  return {
    record: dataciteJson(facts),
    citation: csl({ ...described, facts }) as Static<typeof CslView>,
    metadata,
    publication: view,
    publicationTag: tag,
    receipt: reader.isPublic ? null : submission.receipt,
    unpacking: reader.noFiles === null && objects <= QUICK ? await unpackingOf(context, version) : null,
  };
}
