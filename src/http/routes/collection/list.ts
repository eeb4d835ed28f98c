import { Type } from "typebox";
import { listCollections } from "../../../db/collections/collections.ts";
import { viewCollection } from "../../collection/view.ts";
import * as examples from "../../openapi/collection-examples.ts";
import { pageTag } from "../../openapi/headers.ts";
import { documented, operation } from "../../operation.ts";
import { refuseParameters } from "../../requests/validation.ts";
import { CollectionView } from "../../schemas/collection.ts";
import { prefersPage, sendCollectionsPage } from "../../site/collections.ts";

/** Lists the collections, by their English names. */
export const collectionList = operation({
  route: "GET /collections",
  operationId: "listCollections",
  summary: "List collections",
  description:
    "Returns all collections, by their English names. No authentication is needed; curators and admins also see who curates them. Browsers get a page as HTML.",
  tag: "Collections",
  problems: ["invalid_request"],
  // The page accepts any parameter.
  config: { anyQuery: true },
  response: {
    200: documented(Type.Array(CollectionView), {
      description: "The collections.",
      headers: { ETag: pageTag },
      example: [examples.collection],
      media: examples.page,
    }),
  },
  handler: async (context, request, reply) => {
    const isPage = prefersPage(request, reply);
    if (!isPage) refuseParameters(request);
    const collections = await listCollections(context.db);
    if (isPage) return sendCollectionsPage(context, request, reply, collections);
    return collections.map((row) => viewCollection(context, request, row));
  },
});
