import { Type } from "typebox";
import { CatalogueQuery } from "../../catalogue/query.ts";
import { requireCollection } from "../../collection/view.ts";
import { operation } from "../../operation.ts";
import { CollectionParams } from "../../schemas/collection.ts";
import { answerSearch, CATALOGUE_ANSWER, CataloguePage } from "../catalogue/datasets.ts";

const { collection: _, ...Query } = CatalogueQuery;

/** Searches the published datasets of a collection. */
export const collectionDatasets = operation({
  route: "GET /collections/:id/datasets",
  operationId: "searchCollection",
  summary: "Search the datasets of a collection",
  description:
    "Returns the published datasets of the collection that a search finds, as `GET /datasets?collection={id}`. No authentication is needed.",
  tag: "Collections",
  params: CollectionParams,
  querystring: Type.Object({ ...Query, ...CataloguePage }),
  response: CATALOGUE_ANSWER,
  handler: async (context, request, reply) => {
    const { id } = await requireCollection(context, request.params.id);
    return answerSearch(context, request, reply, { ...request.query, collection: [id] });
  },
});
