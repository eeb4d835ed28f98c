import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { CHANNELS } from "../platform/database/notifications.ts";
import type { PostgresPool } from "../platform/database/postgres/postgres.ts";
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
} from "./migrate.ts";

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
const LONG_ALONE =
  "Another process has been migrating or rebuilding the database for a minute. Start again when it has ended";
const IN_USE =
  "Other processes use the database. Stop all API processes and workers, then try again. The server notices within a minute that a " +
  "machine has disappeared";
/** SQLSTATE `lock_not_available`. */
const LOCK_NOT_AVAILABLE = "55P03";

/**
 * Runs the missing migrations while no other process uses the tables, after the others were told to stop.
 * @param all another version's migrations, for tests
 * @throws NewerDatabase; Error if other processes still use or migrate the tables after a minute
 */
export async function migrateAlone(db: AnyTables, all: Migrations = migrations): Promise<Migrated> {
  if (!(await needsMigration(db, all))) return migrate(db, all);
  return db.connection().execute(async (connection) => {
    await takeAlone(connection, () => announce(db, newestMigration(all)));
    try {
      return await migrate(db, all);
    } finally {
      await sql`select pg_advisory_unlock(${sql.raw(KEY)})`.execute(connection);
    }
  });
}

/** Waits in the queue of the lock, so that processes that start meanwhile do not get it. */
async function takeAlone(connection: AnyTables, announce: () => Promise<unknown>): Promise<void> {
  // A message that is not sent is repeated soon, and without any the lock is waited for in vain, which is an error.
  const announcing = setInterval(() => announce().catch(() => undefined), LOOK_MS);
  try {
    await sql`select set_config('lock_timeout', ${String(WAIT_MS)}, false)`.execute(connection);
    await announce();
    await sql`select pg_advisory_lock(${sql.raw(KEY)})`.execute(connection);
  } catch (error) {
    if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new Error(
      "The database must be migrated, but for a minute processes of the earlier version have been using it, or another process has been " +
        "migrating it. Stop all API processes and workers, then try again",
      { cause: error },
    );
  } finally {
    clearInterval(announcing);
    await sql`select set_config('lock_timeout', '0', false)`.execute(connection);
  }
}

/** @throws Error if a process uses the tables */
export async function requireUnused(db: AnyTables): Promise<void> {
  const key = sql.raw(KEY);
  // Both calls are on the same connection, which holds the lock only between them.
  await db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${key}) as taken`.execute(connection);
    if (rows[0]?.taken !== true) throw new Error(IN_USE);
    await sql`select pg_advisory_unlock(${key})`.execute(connection);
  });
}

function announce(db: AnyTables, to: string): Promise<unknown> {
  return sql`select pg_notify(${CHANNELS.upgrade}, ${to})`.execute(db);
}

/**
 * Why a process must stop: a newer version is about to migrate the tables, or has done so; another process has taken the lock
 * alone while the connection was lost; or the database was replaced by one that is older than the archive.
 */
export type StopReason = "newer version" | "other process" | "older than the archive";

/** The text of {@link StopReason} between processes. Those of earlier versions take it for an unknown migration, and stop, too. */
const OLDER = "older than the archive" satisfies StopReason;

/** The tables of a database that this process uses. */
export interface UsedTables {
  /** Resolves when this process must stop using them. */
  readonly mustStop: Promise<StopReason>;
  /** Makes all processes stop, because the database was replaced by one that is older than the archive. */
  reportOlder(): Promise<void>;
  /** Calls the listener whenever the connection to a server was lost and is there again: it may be another server. */
  onReconnection(listener: () => void): void;
}

/**
 * Uses the migrated tables until the pool is closed. If the connection that holds the lock is lost, it is taken again.
 * @param alone whether no other process may use the tables at the same time
 * @throws NewerDatabase; Error if another process migrates them for a minute, or uses them although this one must be alone
 */
export async function useTables(pool: PostgresPool, db: AnyTables, { alone }: { alone: boolean }): Promise<UsedTables> {
  const { promise: mustStop, resolve } = Promise.withResolvers<StopReason>();
  const reconnected: (() => void)[] = [];
  pool.notifications.listen("upgrade", (to) => {
    if (to === OLDER) resolve(OLDER);
    // A process that is alone ends its work first.
    else if (!alone && !isKnownMigration(to)) resolve("newer version");
  });
  let isFirst = true;
  await pool.onConnection(async (query) => {
    const lock = alone ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
    const takes = async () => (await query(`select ${lock}(${KEY}) as taken`))[0]?.taken === true;
    let isTaken = await takes();
    // Another process migrates, or waits for the others to stop. At the start, its end is awaited: it may be of this version.
    // For a process that was alone, the server may not have noticed yet that its connection was lost.
    const end = Date.now() + (isFirst === alone ? 0 : WAIT_MS);
    for (; !isTaken && Date.now() < end; isTaken = await takes()) {
      if (isFirst) await needsMigration(db);
      await sleep(LOOK_MS);
    }
    if (isFirst) {
      await needsMigration(db);
      if (!isTaken) throw new Error(alone ? IN_USE : LONG_ALONE);
    } else if (!isTaken) resolve("other process");
    else if (await isMigrated(db)) resolve("newer version");
    else for (const listener of reconnected) listener();
    isFirst = false;
  });
  return {
    mustStop,
    async reportOlder() {
      // Sent first, because this process closes its connections when it stops.
      await announce(db, OLDER).finally(() => resolve(OLDER));
    },
    onReconnection: (listener) => void reconnected.push(listener),
  };
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
