import { Readable } from "node:stream";
import { Type } from "typebox";
import type { HttpContext } from "../../context.ts";
import { describedOf } from "../../dataset/described.ts";
import { linkset } from "../../dataset/signposting.ts";
import { requireVersion, VersionQuery } from "../../dataset/version.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import { linkset as linksetExample } from "../../openapi/descriptions.ts";
import { DatasetParams, LinksetView } from "../../schemas.ts";

/** Returns all links of a dataset for programs, because response headers are limited in size. */
export function datasetLinkset(server: Server, context: HttpContext): void {
  server.get(
    "/dataset/:id/linkset",
    {
      config: { problems: ["dataset_withdrawn", "publication_withdrawn", "archive_unreadable", "content_damaged"] },
      schema: {
        operationId: "getLinkset",
        summary: "Retrieve the linkset of a dataset",
        description: "Returns a linkset (RFC 9264) with the FAIR Signposting relations. Every file is an `item`.",
        tags: ["Datasets"],
        params: DatasetParams,
        querystring: Type.Object(VersionQuery),
        response: {
          200: answer(Type.String(), {
            description: "The linkset.",
            json: { "application/linkset+json": { schema: LinksetView, example: linksetExample } },
          }),
        },
      },
    },
    async (request, reply) => {
      const version = await requireVersion(context, request);
      const links = request.method === "HEAD" ? [] : linkset(context, version, await describedOf(context, version));
      return reply.type("application/linkset+json").send(Readable.from(links) as never);
    },
  );
}
