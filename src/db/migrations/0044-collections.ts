import { type Kysely, sql } from "kysely";

/**
 * Collections of datasets. `publication.collections` has the ids of those that the owner asked for with the last request; a
 * published dataset belongs to those of `collection_dataset`. Members have no cascade: their catalogue entries change with them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`create table collection (
      id text primary key,
      name jsonb not null,
      description jsonb not null,
      curators text[] not null,
      licences text[] not null,
      changes integer not null,
      created_at timestamptz not null,
      changed_at timestamptz not null
    )`,
    sql`create table collection_dataset (
      collection_id text not null references collection,
      dataset_id uuid not null references dataset on delete cascade,
      added_by text not null,
      added_at timestamptz not null,
      primary key (collection_id, dataset_id)
    )`,
    sql`create index collection_dataset_dataset on collection_dataset (dataset_id)`,
    sql`alter table publication add column collections text[] not null default '{}'`,
    sql`create index publication_collections on publication using gin (collections) where collections <> '{}'`,
  ]) {
    await change.execute(db);
  }
}
