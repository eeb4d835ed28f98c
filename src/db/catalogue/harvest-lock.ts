import { sql } from "kysely";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";

/** Key of the advisory lock that orders changes of the catalogue and its harvest, see {@link harvestTime}. */
const CHANGES_LOCK = 0x63_61_74;

/** Makes harvests wait until the transaction commits, so that none has a later time than the change and does not see it. */
export async function holdHarvests(trx: Trx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(CHANGES_LOCK)})`.execute(trx);
}

/**
 * The time of the database, after all changes that are in progress have become visible: an entry that changes later has this
 * time or a later one. A harvest that continues from here the next time loses nothing.
 */
export async function harvestTime(db: Queries): Promise<Date> {
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock_shared(${sql.lit(CHANGES_LOCK)})`.execute(trx);
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx);
    const [row] = rows;
    if (row === undefined) throw new Error("The database has no time");
    return row.now;
  });
}
