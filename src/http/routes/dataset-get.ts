import { type Static, Type } from "typebox";
import { type AuditFinding, type AuditRow, lastAudit } from "../../db/datasets/audits.ts";
import { versionsOf } from "../../db/datasets/datasets.ts";
import { contentTypeOf } from "../../export/formats.ts";
import type { HttpContext } from "../context.ts";
import { describe, describedOf } from "../dataset/described.ts";
import { formatAskedFor } from "../dataset/page-redirect.ts";
import { signpostingHeader } from "../dataset/signposting.ts";
import { requireVersion, VersionQuery } from "../dataset/version.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import { descriptionMedia } from "../openapi/descriptions.ts";
import * as examples from "../openapi/examples.ts";
import { links, page } from "../openapi/headers.ts";
import { viewVersion } from "../responses/views.ts";
import { AuditView, DatasetParams, time, VersionView } from "../schemas.ts";

const DatasetView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the dataset." }),
    identifier: Type.String({ description: "`urn:uuid:` and the id." }),
    title: Type.String({ description: "Of the version that was asked for." }),
    version: Type.Integer({ description: "The one that was asked for; the latest one where none was." }),
    createdAt: time("When its first version was archived."),
    versions: Type.Array(VersionView, { description: "Newest first." }),
    audit: Type.Union([AuditView, Type.Null()], { description: "The last audit; null before the first." }),
  },
  { title: "Dataset", description: "An archived dataset." },
);

/** An archived dataset and its versions, or a version of it described in the form that `Accept` names. */
export function datasetGet(server: Server, context: HttpContext): void {
  server.get(
    "/dataset/:id",
    {
      config: { problems: ["dataset_withdrawn"] },
      schema: {
        operationId: "getDataset",
        summary: "Look at a dataset",
        description:
          "`Accept` may name a media type of the descriptions of `/dataset/{id}/export/{format}`; where it names none that is known the answer is JSON. Browsers are led to the page of the dataset. `Link` has the relations of FAIR Signposting.",
        tags: ["Datasets"],
        params: DatasetParams,
        querystring: Type.Object(VersionQuery),
        response: {
          200: answer(DatasetView, {
            description: "The dataset, or a description of it.",
            headers: { Link: links },
            example: examples.dataset,
            ...descriptionMedia(),
          }),
          303: answer(Type.String(), {
            description: "To the page, where `Accept` ranks `text/html` highest.",
            headers: { Location: page },
          }),
        },
      },
    },
    async (request, reply) => {
      const version = await requireVersion(context, request);
      const described = await describedOf(context, version);
      reply.header("link", await signpostingHeader(context, version, described));
      const format = formatAskedFor(request, reply);
      if (format !== undefined) {
        return reply
          .type(contentTypeOf(format))
          .serializer((text: unknown) => text as string)
          .send((await describe(context, version, format)) as never);
      }
      const { dataset } = version;
      return {
        id: dataset.id,
        identifier: `urn:uuid:${dataset.id}`,
        title: version.submission.title,
        version: version.number,
        createdAt: dataset.created_at.toISOString(),
        versions: (await versionsOf(context.db, dataset.id)).map(viewVersion),
        audit: viewAudit(await lastAudit(context.db, dataset.id)),
      };
    },
  );
}

function viewAudit(row: AuditRow | undefined): Static<typeof AuditView> | null {
  if (row === undefined || row.at === null) return null;
  const { at, ok, files, bytes, findings } = row;
  return { at: at.toISOString(), ok: ok === true, files, bytes, findings: findings as AuditFinding[] };
}
