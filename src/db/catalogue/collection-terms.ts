import { type RawBuilder, sql } from "kysely";
import type { TermKind } from "../../public/catalogue/entry.ts";
import type { Trx } from "../submissions/submissions.ts";
import { accessAt } from "./entry-access.ts";
import { followTerms } from "./searched.ts";

/*
 * Collections in the catalogue. The ids of the terms of a dataset’s collections are in each of its entries, so that they are
 * searched, counted and harvested as all terms. A change of membership is a change of the entry, so that harvesters learn of it.
 */

const KIND: TermKind = "collection";

/** Adds a collection to the visible entries of a dataset. The caller holds harvests. */
export async function addCollectionTerm(trx: Trx, dataset: string, collection: string): Promise<void> {
  await sql`update catalogue_entry set terms = terms || term.id, changed_at = clock_timestamp()
    from ${termOf(collection)} as term
    where dataset_id = ${dataset} and visible and not terms @> array[term.id]`.execute(trx);
  await followTerms(trx, [dataset]);
}

/**
 * Removes a collection from all entries of datasets, also of versions that were withdrawn: their access stays as it was at the
 * withdrawal. The caller holds harvests.
 */
export async function removeCollectionTerm(trx: Trx, datasets: readonly string[], collection: string): Promise<void> {
  await sql`update catalogue_entry set terms = array_remove(terms, term.id), changed_at = clock_timestamp(),
      access = case when visible then access else ${accessAt(new Date())} end,
      embargo_date = case when visible then embargo_date end
    from ${termOf(collection)} as term
    where dataset_id = any(${datasets}::uuid[]) and terms @> array[term.id]`.execute(trx);
  await followTerms(trx, datasets);
}

/** Removes the term of a collection that has no datasets any more. */
export async function deleteCollectionTerm(trx: Trx, collection: string): Promise<void> {
  await sql`delete from catalogue_term where kind = ${KIND} and md5(value) = md5(${collection})`.execute(trx);
}

/** The ids of the terms of a dataset’s collections, as an array. */
export function collectionTermsOf(dataset: string): RawBuilder<number[]> {
  return sql<number[]>`array(select term.id from collection_dataset as member
    join catalogue_term as term on term.kind = ${KIND} and md5(term.value) = md5(member.collection_id)
    where member.dataset_id = ${dataset})`;
}

function termOf(collection: string): RawBuilder<unknown> {
  return sql`(select id from catalogue_term where kind = ${KIND} and md5(value) = md5(${collection}))`;
}
