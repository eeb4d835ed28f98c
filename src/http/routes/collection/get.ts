import { collectionTag, requireCollection, viewCollection } from "../../collection/view.ts";
import * as examples from "../../openapi/collection-examples.ts";
import { collectionTag as tagHeader } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { refuseParameters } from "../../requests/validation.ts";
import { CollectionParams, CollectionView } from "../../schemas/collection.ts";
import { prefersPage, sendCollectionPage } from "../../site/collections.ts";

/** Returns a collection. */
export const collectionGet = operation({
  route: "GET /collections/:id",
  operationId: "getCollection",
  summary: "Retrieve a collection",
  description:
    "Returns a collection. `ETag` identifies the state of the collection itself, without its datasets, for `If-Match`. No authentication is needed; curators and admins also see who curates it. Browsers get a page as HTML, which takes the parameters of `GET /datasets`.",
  tag: "Collections",
  problems: ["invalid_request"],
  // The page accepts any parameter.
  config: { anyQuery: true },
  params: CollectionParams,
  response: {
    200: documented(CollectionView, {
      description: "The collection.",
      headers: { ETag: tagHeader },
      example: examples.collection,
      media: examples.page,
    }),
  },
  handler: async (context, request, reply) => {
    const isPage = prefersPage(request, reply);
    if (!isPage) refuseParameters(request);
    const collection = await requireCollection(context, request.params.id);
    if (isPage) return sendCollectionPage(context, request, reply, collection);
    reply.header("etag", collectionTag(collection));
    return viewCollection(context, request, collection);
  },
});
