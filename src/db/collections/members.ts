import { sql } from "kysely";
import { addCollectionTerm, deleteCollectionTerm, removeCollectionTerm } from "../catalogue/collection-terms.ts";
import { holdHarvests } from "../catalogue/harvest-lock.ts";
import type { Queries } from "../database.ts";
import type { PublicationRow } from "../publication/publications.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { CollectionRow } from "./collections.ts";

/** Members of a deleted collection that are removed in one transaction, during which harvests wait. */
const BATCH = 500;

/**
 * Those of the collections that exist, in the order of their ids. They are not deleted or changed until the end of the transaction.
 * Call it before members are added, so that a deletion and an addition never wait for each other.
 */
export async function lockForMembers(trx: Trx, ids: readonly string[]): Promise<CollectionRow[]> {
  if (ids.length === 0) return [];
  return trx.selectFrom("collection").selectAll().where("id", "in", ids).orderBy("id").forShare().execute();
}

/** Adds a dataset to a locked collection, and to its catalogue entries. @returns whether it was not a member before */
export async function addMember(
  trx: Trx,
  { dataset, collection, by }: { dataset: string; collection: string; by: string },
): Promise<boolean> {
  // Before the row, so that two transactions never wait for each other.
  await holdHarvests(trx);
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("collection_dataset")
    .values({ collection_id: collection, dataset_id: dataset, added_by: by, added_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await addCollectionTerm(trx, dataset, collection);
  return true;
}

/** Removes a dataset from a collection, and from its catalogue entries. @returns whether it was a member */
export async function removeMember(trx: Trx, dataset: string, collection: string): Promise<boolean> {
  await holdHarvests(trx);
  const { numDeletedRows } = await trx
    .deleteFrom("collection_dataset")
    .where((eb) => eb.and({ collection_id: collection, dataset_id: dataset }))
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) return false;
  await removeCollectionTerm(trx, [dataset], collection);
  return true;
}

/**
 * Adds a dataset to the collections for which its owner has asked, when the version is published. Collections that were deleted
 * since are left out. Call it before the publication is changed, which locks entries of the catalogue.
 */
export async function joinCollections(
  trx: Trx,
  { dataset_id: dataset, collections, approved_by }: PublicationRow,
): Promise<void> {
  for (const { id } of await lockForMembers(trx, collections))
    await addMember(trx, { dataset, collection: id, by: approved_by ?? "" });
}

/**
 * Deletes a collection with all its members. Each part is a separate transaction, so that harvests and publications wait
 * shortly. `whenDeleted` runs before the last one commits, and may take long: harvests do not wait for it. After an interruption
 * the collection still exists with some of its members, and the deletion is repeated.
 */
export async function deleteCollection(
  db: Queries,
  id: string,
  whenDeleted: (trx: Trx) => Promise<void>,
): Promise<void> {
  for (let isDeleted = false; !isDeleted; ) {
    while ((await removeMembers(db, id)) > 0);
    isDeleted = await db.transaction().execute((trx) => deleteEmpty(trx, id, whenDeleted));
  }
}

/** @returns false if the collection has members, which were added since the others were removed */
async function deleteEmpty(trx: Trx, id: string, whenDeleted: (trx: Trx) => Promise<void>): Promise<boolean> {
  // No member can be added from here on.
  await trx.selectFrom("collection").select("id").where("id", "=", id).forUpdate().execute();
  const members = trx.selectFrom("collection_dataset").select("dataset_id").where("collection_id", "=", id);
  if ((await members.limit(1).executeTakeFirst()) !== undefined) return false;
  await trx.deleteFrom("collection").where("id", "=", id).execute();
  await deleteCollectionTerm(trx, id);
  await whenDeleted(trx);
  return true;
}

function removeMembers(db: Queries, id: string): Promise<number> {
  return db.transaction().execute((trx) => removeSome(trx, id));
}

async function removeSome(trx: Trx, id: string): Promise<number> {
  await holdHarvests(trx);
  const { rows } = await sql<{ dataset_id: string }>`
    delete from collection_dataset where collection_id = ${id} and dataset_id in (
      select dataset_id from collection_dataset where collection_id = ${id} limit ${BATCH})
    returning dataset_id`.execute(trx);
  const datasets = rows.map(({ dataset_id }) => dataset_id);
  if (datasets.length > 0) await removeCollectionTerm(trx, datasets, id);
  return rows.length;
}
