import { Type } from "typebox";
import { exportInputOf } from "../../dataset/export-input.ts";
import { requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { LINKSET_TYPES } from "../../dataset/signposting/links.ts";
import { linksetJson, linksetOf, linksetText } from "../../dataset/signposting/linkset.ts";
import { linkset as linksetExample } from "../../openapi/descriptions.ts";
import { documented, operation } from "../../operation.ts";
import { negotiated } from "../../responses/negotiation.ts";
import { sendText } from "../../responses/send-text.ts";
import { DatasetParams, LinksetView } from "../../schemas.ts";

/** Returns all links of a dataset for programs, because response headers are limited in size. */
export const datasetLinkset = operation({
  route: "GET /dataset/:id/linkset",
  operationId: "getLinkset",
  summary: "Retrieve the linkset of a dataset",
  description:
    "Returns a linkset (RFC 9264) with the FAIR Signposting relations of the page, of the metadata documents and of the files. If `Accept` prefers `application/linkset`, it has the form of a `Link` header.",
  tag: "Datasets",
  problems: ["dataset_withdrawn", "publication_withdrawn", "archive_unreadable", "content_damaged"],
  params: DatasetParams,
  querystring: Type.Object(VersionQuery),
  response: {
    200: documented(Type.String(), {
      description: "The linkset.",
      json: { "application/linkset+json": { schema: LinksetView, example: linksetExample } },
      bytes: ["application/linkset"],
    }),
  },
  handler: async (context, request, reply) => {
    const version = await requireVersion(context, request);
    const type = negotiated(request, reply, LINKSET_TYPES);
    if (request.method === "HEAD") return sendText(reply, type, "");
    const links = linksetOf(context, version, await exportInputOf(context, version));
    return sendText(reply, type, type === "application/linkset" ? linksetText(links) : linksetJson(links));
  },
});
