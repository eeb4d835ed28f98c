import { type Kysely, sql } from "kysely";

/**
 * Which accounts of an identity provider are curators, and what the curators' queue shows and sorts by. Until now, accounts were
 * known once they had acted as curators: they stay known until they sign in without the role.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const change of [
    sql`create table known_curator (account text primary key)`,
    sql`insert into known_curator select distinct actor from publication_entry
      where actor <> '' and action in ('assign', 'request-changes', 'decline', 'approve', 'withdraw')`,
    sql`alter table publication add column check_errors integer, add column check_warnings integer`,
    sql`create index publication_since on publication (since, dataset_id, version)`,
  ]) {
    await change.execute(db);
  }
}
