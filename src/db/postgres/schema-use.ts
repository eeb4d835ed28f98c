import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import {
  type AnyTables,
  isKnownMigration,
  type Migrated,
  type Migrations,
  migrate,
  migrations,
  NewerDatabase,
  needsMigration,
  newestMigration,
} from "../migrate.ts";
import { CHANNELS } from "../notifications/notifications.ts";
import type { PostgresPool } from "./postgres.ts";

/*
 * Tables of a newer version must not be used by a process of an older one: its statements would fail, or write rows that lack
 * what the newer version needs. Each process holds a shared lock while it uses the tables. A process that has to migrate
 * announces it, and migrates when it holds the lock alone. The others end as after SIGTERM: their work is not lost, and
 * continues when the newer version starts.
 */

/** The key of the lock. */
const KEY = "hashtextextended('tables', 3)";
/** More than a process needs to stop. */
const WAIT_MS = 60_000;
const LOOK_MS = 200;

/**
 * Runs the missing migrations while no other process uses the tables, after the others were told to stop.
 * @param all another version's migrations, for tests
 * @throws NewerDatabase; Error if other processes still use the tables after a minute
 */
export async function migrateAlone(db: AnyTables, all: Migrations = migrations): Promise<Migrated> {
  if (!(await needsMigration(db, all))) return migrate(db, all);
  return db.connection().execute(async (connection) => {
    for (const end = Date.now() + WAIT_MS; !(await isAlone(connection)); await sleep(LOOK_MS)) {
      // Another process has migrated meanwhile, and uses the tables.
      if (!(await needsMigration(db, all))) return migrate(db, all);
      if (Date.now() > end) {
        throw new Error(
          "The database must be migrated, but processes of the earlier version still use it. Stop all API processes and workers, then try again",
        );
      }
      await sql`select pg_notify(${CHANNELS.upgrade}, ${newestMigration(all)})`.execute(db);
    }
    try {
      return await migrate(db, all);
    } finally {
      await sql`select pg_advisory_unlock(${sql.raw(KEY)})`.execute(connection);
    }
  });
}

async function isAlone(connection: AnyTables): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${sql.raw(KEY)}) as taken`.execute(
    connection,
  );
  return rows[0]?.taken === true;
}

/**
 * Uses the migrated tables until the pool is closed. If the connection that holds the lock is lost, it is taken again.
 * @returns resolves when a newer version is about to migrate the tables, or has done so: this process must stop
 */
export async function useTables(pool: PostgresPool, db: AnyTables): Promise<{ superseded: Promise<void> }> {
  const { promise: superseded, resolve } = Promise.withResolvers<void>();
  pool.notifications.listen("upgrade", (to) => {
    if (!isKnownMigration(to)) resolve();
  });
  await pool.onConnection(async (query) => {
    const [row] = await query(`select pg_try_advisory_lock_shared(${KEY}) as taken`);
    // Held alone, it belongs to a process that migrates.
    if (row?.taken !== true || (await isMigrated(db))) resolve();
  });
  return { superseded };
}

/** Whether a newer version has migrated the tables. */
async function isMigrated(db: AnyTables): Promise<boolean> {
  try {
    await needsMigration(db);
    return false;
  } catch (error) {
    if (error instanceof NewerDatabase) return true;
    throw error;
  }
}
