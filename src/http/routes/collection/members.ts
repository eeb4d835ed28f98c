import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { uuidOf } from "../../../domain/uuid.ts";
import { hasAccess } from "../../../people/caller.ts";
import {
  addToCollection,
  type MemberChange,
  removeFromCollection,
} from "../../../publication/commands/collection-members.ts";
import { operation } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { requirePublication } from "../../requests/require-resource.ts";
import { MemberParams } from "../../schemas/collection.ts";

/** Adds a published dataset to a collection. */
export const collectionAdd = operation({
  route: "PUT /collections/:id/datasets/:dataset",
  operationId: "addToCollection",
  summary: "Add a dataset to a collection",
  description:
    "Adds a published dataset, of which the newest published version must have a licence that the collection accepts. Repeating the request has no further effect. For the curators of the collection and admins.",
  tag: "Collections",
  problems: ["collection_curators", "collection_licence", "not_published", "publication_off", "dataset_withdrawn"],
  params: MemberParams,
  response: { 204: Type.Null({ description: "The dataset belongs to the collection." }) },
  handler: async (context, request) => {
    requirePublication(context);
    const change = changeOf(request, request.params);
    await addToCollection(context.intake, change);
    request.log.info({ collection: change.collection, dataset: change.dataset }, "a dataset was added to a collection");
    return null;
  },
});

/** Removes a dataset from a collection. */
export const collectionRemove = operation({
  route: "DELETE /collections/:id/datasets/:dataset",
  operationId: "removeFromCollection",
  summary: "Remove a dataset from a collection",
  description:
    "Removes a dataset, which stays published. Repeating the request has no further effect. For the owner of the dataset, the curators of the collection and admins.",
  tag: "Collections",
  problems: ["collection_curators"],
  params: MemberParams,
  response: { 204: Type.Null({ description: "The dataset does not belong to the collection." }) },
  handler: async (context, request) => {
    const change = changeOf(request, request.params);
    const isCurator = hasAccess(callerOf(request), "review");
    await removeFromCollection(context.intake, { ...change, isCurator });
    const { collection, dataset } = change;
    request.log.info({ collection, dataset }, "a dataset was removed from a collection");
    return null;
  },
});

function changeOf(request: FastifyRequest, { id, dataset }: { id: string; dataset: string }): MemberChange {
  const { owner, roles } = callerOf(request);
  return { collection: id, dataset: uuidOf(dataset), by: owner, isAdmin: roles.includes("admin") };
}
