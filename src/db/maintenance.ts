import { sql } from "kysely";
import type { Queries } from "./database.ts";

/** PostgreSQL's defaults `autovacuum_analyze_threshold` and `autovacuum_analyze_scale_factor`. */
const CHANGED_ROWS = 50;
const CHANGED_SHARE = 0.1;
/** A table of this size without any statistics is analysed even if no change was counted: counts do not survive a crash. */
const UNKNOWN_BYTES = 65_536;

/**
 * Does what a PostgreSQL server does automatically (autovacuum) and the embedded database does not: frees the disk space of
 * old row versions of chunks, because every change rewrites a chunk, and updates the statistics of tables of which a tenth
 * has changed; without statistics, the database chooses slow plans. Takes a few milliseconds if there is nothing to do, and
 * about a second for a table with 100,000 rows. Must not be called in a transaction.
 */
export async function maintainEmbedded(db: Queries): Promise<void> {
  await sql`vacuum (skip_locked) chunk`.execute(db);
  for (const table of await changedTables(db)) await sql`analyze ${sql.table(table)}`.execute(db);
}

/** Names of the tables, with their schema, whose statistics are missing or outdated. */
async function changedTables(db: Queries): Promise<string[]> {
  // The counts of changes reach the view only after this call; a server's processes do it when they are idle.
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string }>`
    select changes.schemaname || '.' || changes.relname as name
    from pg_stat_user_tables as changes join pg_class on pg_class.oid = changes.relid
    where changes.n_mod_since_analyze > ${CHANGED_ROWS} + ${CHANGED_SHARE}::real * greatest(pg_class.reltuples, 0)
      or (pg_class.reltuples < 0 and pg_relation_size(pg_class.oid) > ${UNKNOWN_BYTES})
    order by 1`.execute(db);
  return rows.map(({ name }) => name);
}
