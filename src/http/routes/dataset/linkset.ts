import { Type } from "typebox";
import { exportInputOf } from "../../dataset/export-input.ts";
import { requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { linkset } from "../../dataset/signposting.ts";
import { linkset as linksetExample } from "../../openapi/descriptions.ts";
import { documented, operation } from "../../operation.ts";
import { sendText } from "../../responses/send-text.ts";
import { DatasetParams, LinksetView } from "../../schemas.ts";

/** Returns all links of a dataset for programs, because response headers are limited in size. */
export const datasetLinkset = operation({
  route: "GET /dataset/:id/linkset",
  operationId: "getLinkset",
  summary: "Retrieve the linkset of a dataset",
  description: "Returns a linkset (RFC 9264) with the FAIR Signposting relations. Every file is an `item`.",
  tag: "Datasets",
  problems: ["dataset_withdrawn", "publication_withdrawn", "archive_unreadable", "content_damaged"],
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  response: {
    200: documented(Type.String(), {
      description: "The linkset.",
      json: { "application/linkset+json": { schema: LinksetView, example: linksetExample } },
    }),
  },
  handler: async (context, request, reply) => {
    const version = await requireVersion(context, request);
    const links = request.method === "HEAD" ? [] : linkset(context, version, await exportInputOf(context, version));
    return sendText(reply, "application/linkset+json", links);
  },
});
