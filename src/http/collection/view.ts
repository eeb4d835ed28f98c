import type { FastifyRequest } from "fastify";
import type { Static } from "typebox";
import { type CountedCollection, findCollection } from "../../db/collections/collections.ts";
import { Problem } from "../../domain/problems.ts";
import { hasAccess } from "../../people/caller.ts";
import type { HttpContext } from "../context.ts";
import { siteUrl } from "../dataset/readable-version.ts";
import type { CollectionView } from "../schemas/collection.ts";

/** A collection as the caller may see it: only curators and admins see the names of its curators. */
export function viewCollection(
  context: HttpContext,
  { caller }: FastifyRequest,
  row: CountedCollection,
): Static<typeof CollectionView> {
  const { id, name, description, licences, curators, datasets, changed_at } = row;
  return {
    id,
    url: collectionUrl(context, id),
    name,
    description,
    licences,
    datasets,
    changedAt: changed_at.toISOString(),
    ...(caller !== null && hasAccess(caller, "review") && { curators }),
  };
}

/** The address of the page of a collection. */
export function collectionUrl(context: HttpContext, id: string): string {
  return `${siteUrl(context)}/collections/${id}`;
}

/** The ETag of a collection (RFC 9110, section 8.8.3). It names the state of the collection itself, not of its datasets. */
export function collectionTag({ changes }: { changes: number }): string {
  return `"c${changes}"`;
}

/** @throws Problem `not_found` */
export async function requireCollection({ db }: HttpContext, id: string): Promise<CountedCollection> {
  const row = await findCollection(db, id);
  if (row === undefined) throw new Problem("not_found", "The collection does not exist");
  return row;
}
