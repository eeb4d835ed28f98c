import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { db, useTestDatabase } from "../../tests/support/database/test-database.ts";
import { maintainEmbedded } from "./maintenance.ts";

useTestDatabase();

/** Number of rows according to the statistics, and the time of the last analysis. */
async function statistics() {
  const { rows } = await sql<{ tuples: number; analysed: Date | null }>`
    select reltuples::int as tuples, last_analyze as analysed
    from pg_class join pg_stat_user_tables as stat on stat.relid = pg_class.oid
    where pg_class.relname = 'vocabulary_name'`.execute(db);
  return rows[0];
}

async function addNames(count: number): Promise<void> {
  await sql`
    insert into vocabulary_name (vocabulary_id, no, kind, rank, term)
    select 1, no, 'subject', 1, no::text from generate_series(1, ${count}::int) as no`.execute(db);
}

test.skipIf(inject("onPostgres"))("tables of which a tenth has changed get new statistics, others do not", async () => {
  await addNames(1_000);
  await maintainEmbedded(db);
  const first = await statistics();
  expect(first).toMatchObject({ tuples: 1_000, analysed: expect.any(Date) });

  await addNames(50);
  await maintainEmbedded(db);
  expect(await statistics()).toEqual(first);

  await addNames(150);
  await maintainEmbedded(db);
  expect(await statistics()).toMatchObject({ tuples: 1_200 });
});
