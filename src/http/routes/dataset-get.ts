import { type Static, Type } from "typebox";
import { type AuditRow, type Fault, lastAudit } from "../../db/audits.ts";
import { versionsOf } from "../../db/datasets.ts";
import type { HttpContext, Server } from "../context.ts";
import { answer } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { requireDataset } from "../require.ts";
import { AuditView, DatasetParams } from "../schemas.ts";

const Version = Type.Object(
  {
    version: Type.Integer({ minimum: 1 }),
    submission: Type.String({ format: "uuid", description: "Which submission it came from." }),
    publishedAt: Type.String({ format: "date-time" }),
    objects: Type.Integer({ minimum: 0 }),
    bytes: Type.Integer({ minimum: 0 }),
  },
  { title: "Version" },
);
const DatasetView = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    identifier: Type.String({ description: "`urn:uuid:` and the id." }),
    title: Type.String(),
    version: Type.Integer({ description: "The latest one." }),
    createdAt: Type.String({ format: "date-time" }),
    versions: Type.Array(Version, { description: "Newest first." }),
    audit: Type.Union([AuditView, Type.Null()], { description: "The last audit; null before the first." }),
  },
  { title: "Dataset" },
);

/** An archived dataset and its versions. */
export function datasetGet(server: Server, context: HttpContext): void {
  server.get(
    "/dataset/:id",
    {
      config: { problems: ["dataset_withdrawn"] },
      schema: {
        operationId: "getDataset",
        summary: "Look at a dataset",
        description: "Its title, its versions, and what the last audit found.",
        tags: ["Datasets"],
        params: DatasetParams,
        response: { 200: answer(DatasetView, { description: "The dataset.", example: examples.dataset }) },
      },
    },
    async (request) => {
      const dataset = await requireDataset(context, request);
      const versions = await versionsOf(context.db, dataset.id);
      return {
        id: dataset.id,
        identifier: `urn:uuid:${dataset.id}`,
        title: dataset.title,
        version: dataset.latest_version,
        createdAt: dataset.created_at.toISOString(),
        versions: versions.map((one) => ({
          version: one.version,
          submission: one.submission_id,
          publishedAt: one.published_at.toISOString(),
          objects: one.objects,
          bytes: one.bytes,
        })),
        audit: viewAudit(await lastAudit(context.db, dataset.id)),
      };
    },
  );
}

function viewAudit(row: AuditRow | undefined): Static<typeof AuditView> | null {
  if (row === undefined || row.at === null) return null;
  const { at, ok, files, bytes, findings } = row;
  return { at: at.toISOString(), ok: ok === true, files, bytes, findings: findings as Fault[] };
}
