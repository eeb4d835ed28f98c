import { Type } from "typebox";
import { taggedPublication } from "../../dataset/publication-tag.ts";
import { requireVersion, VersionQuery } from "../../dataset/readable-version.ts";
import { publicationTag as tagHeader } from "../../openapi/headers.ts";
import * as examples from "../../openapi/publication-examples.ts";
import { documented, operation } from "../../operation.ts";
import { PublicationView } from "../../schemas/publication.ts";
import { DatasetParams, optionalInteger } from "../../schemas.ts";

/** Returns the publication of a version: its state, who must act next, checks and history. */
export const publicationGet = operation({
  route: "GET /dataset/:id/publication",
  operationId: "getPublication",
  summary: "Retrieve the publication of a version",
  description:
    "Returns the state of the publication, who must act next, the findings of the automatic checks, and the history. For a published version, the public sees state, identifier and access.",
  tag: "Publication",
  problems: ["dataset_withdrawn", "publication_withdrawn"],
  params: DatasetParams,
  querystring: Type.Object({
    ...VersionQuery,
    before: optionalInteger({
      minimum: 1,
      maximum: 1_000_000_000,
      description: "Returns the part of the history before the entry with this number (`historyBefore`).",
      examples: [201],
    }),
  }),
  response: {
    200: documented(PublicationView, {
      description: "The publication.",
      headers: { ETag: tagHeader },
      example: examples.publication,
    }),
  },
  handler: async (context, request, reply) => {
    const version = await requireVersion(context, request);
    const { view, tag } = await taggedPublication(context, request, version, request.query.before);
    reply.header("etag", tag);
    return view;
  },
});
