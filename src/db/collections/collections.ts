import { isDeepStrictEqual } from "node:util";
import { type Selectable, sql } from "kysely";
import type { LocalText } from "../../domain/collection.ts";
import { termIds } from "../catalogue/terms.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { CollectionTable } from "../tables/collection-tables.ts";

export type CollectionRow = Selectable<CollectionTable>;

/** A collection with the number of its datasets that are published now. */
export type CountedCollection = CollectionRow & { datasets: number };

/** What admins decide about a collection. */
export type CollectionContent = Pick<CollectionRow, "name" | "description" | "curators" | "licences">;

/** Key of the advisory lock that orders changes of collections. */
const CHANGES_LOCK = 0x63_6f_6c;

/** All collections by their English names. */
export async function listCollections(db: Queries): Promise<CountedCollection[]> {
  return db
    .selectFrom("collection")
    .selectAll()
    .select(PUBLISHED_DATASETS.as("datasets"))
    .orderBy(sql`lower(name ->> 'en')`)
    .orderBy("id")
    .execute();
}

export async function findCollection(db: Queries, id: string): Promise<CountedCollection | undefined> {
  return db
    .selectFrom("collection")
    .selectAll()
    .select(PUBLISHED_DATASETS.as("datasets"))
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Those of the collections that exist, by their ids. */
export async function collectionsById(db: Queries, ids: readonly string[]): Promise<Map<string, CollectionRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom("collection").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The collections of a dataset by their English names. */
export async function collectionsOf(db: Queries, dataset: string): Promise<CollectionRow[]> {
  return db
    .selectFrom("collection")
    .innerJoin("collection_dataset as member", "member.collection_id", "collection.id")
    .selectAll("collection")
    .where("member.dataset_id", "=", dataset)
    .orderBy(sql`lower(name ->> 'en')`)
    .orderBy("collection.id")
    .execute();
}

export async function countCollections(db: Queries): Promise<number> {
  const { number } = await db
    .selectFrom("collection")
    .select(sql<number>`count(*)::integer`.as("number"))
    .executeTakeFirstOrThrow();
  return number;
}

/** Locks a collection against changes and deletion until the end of the transaction; undefined if it does not exist. */
export async function lockCollection(trx: Trx, id: string): Promise<CollectionRow | undefined> {
  return trx.selectFrom("collection").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

/** Adds a collection. @returns false if it exists already */
export async function insertCollection(trx: Trx, id: string, content: CollectionContent): Promise<boolean> {
  const now = new Date();
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto("collection")
    .values({ id, ...stored(content), changes: 1, created_at: now, changed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) return false;
  await saveTerm(trx, id, content);
  return true;
}

/** Replaces what admins decide about a collection, which the caller has locked. The public does not learn of other curators. */
export async function updateCollection(trx: Trx, before: CollectionRow, content: CollectionContent): Promise<void> {
  const { id, changed_at } = before;
  const isSame = isDeepStrictEqual(publicOf(before), publicOf(content));
  await trx
    .updateTable("collection")
    .set((eb) => ({ ...stored(content), changes: eb("changes", "+", 1), changed_at: isSame ? changed_at : new Date() }))
    .where("id", "=", id)
    .execute();
  await saveTerm(trx, id, content);
}

/** Adds a collection of the archive, which the database lacks. */
export async function restoreCollection(
  trx: Trx,
  { id, created_at, ...content }: CollectionContent & Pick<CollectionRow, "id" | "created_at">,
): Promise<void> {
  await trx
    .insertInto("collection")
    .values({ id, ...stored(content), changes: 1, created_at, changed_at: created_at })
    .execute();
  await saveTerm(trx, id, content);
}

/** Makes other changes of collections wait until the transaction commits. */
export async function lockAllCollections(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(CHANGES_LOCK)})`.execute(trx);
}

function publicOf({ name, description, licences }: CollectionContent) {
  return { name, description, licences };
}

/** Lists of values have the English name. */
async function saveTerm(trx: Trx, id: string, { name }: { name: LocalText }): Promise<void> {
  await termIds(trx, [{ kind: "collection", value: id, label: name.en }]);
}

function stored({ name, description, curators, licences }: CollectionContent) {
  return { name: JSON.stringify(name), description: JSON.stringify(description), curators, licences };
}

const PUBLISHED_DATASETS = sql<number>`(select count(*)::integer from collection_dataset as member
  join catalogue_entry as entry on entry.dataset_id = member.dataset_id and entry.visible and entry.newest
  where member.collection_id = collection.id)`;
