import { Type } from "typebox";
import { deleteCollection } from "../../../db/collections/members.ts";
import { archiveCollections } from "../../../intake/archive-collections.ts";
import { requireCollection } from "../../collection/view.ts";
import { operation } from "../../operation.ts";
import { CollectionParams } from "../../schemas/collection.ts";

/** Deletes a collection. Its datasets stay published. */
export const collectionDelete = operation({
  route: "DELETE /collections/:id",
  operationId: "deleteCollection",
  summary: "Delete a collection",
  description:
    "Deletes the collection with its page and its set for harvesters. Its datasets stay published. The deletion of a large collection takes a while; if the request is interrupted, repeat it. For admins.",
  tag: "Collections",
  problems: ["archive_unwritable"],
  params: CollectionParams,
  response: { 204: Type.Null({ description: "The collection is deleted." }) },
  handler: async (context, request) => {
    const { id } = await requireCollection(context, request.params.id);
    await deleteCollection(context.db, id, (trx) => archiveCollections(context.intake, trx));
    request.log.info({ collection: id }, "a collection was deleted");
    return null;
  },
});
