import { Type } from "typebox";
import { findPublication } from "../../../db/publication/publications.ts";
import { newestRecord } from "../../../db/publication/records.ts";
import { Problem } from "../../../domain/problems.ts";
import { requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { contentDisposition } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { sendText } from "../../responses/send-text.ts";
import { DatasetParams } from "../../schemas.ts";

/** Returns the newest signed record of a published version: the public proof of what was published. */
export const datasetPublicationRecord = operation({
  route: "GET /dataset/:id/publication-record",
  operationId: "getPublicationRecord",
  summary: "Download the publication record",
  description:
    "Returns the newest publication record of a version as a compact JWS (EdDSA). It states the identifier, the access, and the SHA-512 of the inventory that has the digest of each file. The public keys are at `/.well-known/jwks.json`.",
  tag: "Datasets",
  problems: ["not_found", "dataset_withdrawn", "publication_withdrawn"],
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  response: {
    200: documented(Type.String(), {
      description: "The record.",
      headers: { "Content-Disposition": contentDisposition },
      media: { "application/jose": "eyJhbGciOiJFZERTQSIsImtpZCI6Ii4uLiJ9.eyJudW1iZXIiOjF9.c2lnbmF0dXJl" },
    }),
  },
  handler: async (context, request, reply) => {
    const { dataset, number, reader } = await requireVersion(context, request);
    // A record that the version is published is signed while the version is still being registered.
    const isEarly = reader.isPublic && (await findPublication(context.db, dataset.id, number))?.state !== "published";
    const record = await newestRecord(context.db, { dataset_id: dataset.id, version: number, kind: "publication" });
    if (record === undefined || isEarly) {
      throw new Problem("not_found", `Version ${number} of the dataset ${dataset.id} has no publication record`);
    }
    const name = `${dataset.id}-v${number}-${String(record.no).padStart(4, "0")}.jws`;
    reply.header("content-disposition", `attachment; filename="${name}"`);
    return sendText(reply, "application/jose", record.jws);
  },
});
