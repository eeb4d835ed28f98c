import { Kysely, PostgresDialect, sql } from "kysely";
import { openEmbedded } from "../platform/database/embedded/pool.ts";
import { explainDamaged } from "../platform/database/embedded/unusable-database.ts";
import type { Notifications } from "../platform/database/notifications.ts";
import { type Connections, type Executor, executorOf, type Pool } from "../platform/database/postgres/pool.ts";
import { openPostgres } from "../platform/database/postgres/postgres.ts";
import { type Migrated, migrate } from "./migrate.ts";
import { migrateAlone, requireUnused, type UsedTables, useTables } from "./schema-use.ts";
import type { Tables } from "./tables/tables.ts";

const MIGRATION_MS = 3_600_000;

export type Queries = Kysely<Tables>;

export interface Database extends UsedTables {
  readonly queries: Queries;
  /** The same database for requests, which have priority over background work. */
  readonly urgent: Queries;
  /** For pg-boss, which brings its own SQL. */
  readonly executor: Executor;
  readonly embedded: boolean;
  readonly notifications: Notifications;
  /** The migrations that opening it has run. */
  readonly migrated: Migrated;
  /** Connections of this process. */
  connections(): Connections;
  close(): Promise<void>;
}

/**
 * Opens the database and migrates its tables. An embedded database is in `folder`, which this process must have locked; a
 * PostgreSQL server is given by `url`; with `alone`, no other process may use it until it is closed.
 *
 * @throws NewerDatabase; Error if another process uses the database although this one must be alone
 */
export async function openDatabase(
  where: { folder: string } | { url: string; connections: number; alone?: boolean },
): Promise<Database> {
  return "folder" in where ? openFolder(where.folder) : openServer(where);
}

async function openFolder(folder: string): Promise<Database> {
  const pool = await openEmbedded(folder);
  try {
    const migrated = await migrate(queriesOn(pool));
    const { promise: mustStop, resolve } = Promise.withResolvers<"older than the archive">();
    // No other process can use it, and it is never reconnected.
    const used: UsedTables = {
      mustStop,
      reportOlder: async () => resolve("older than the archive"),
      onReconnection: () => undefined,
    };
    return databaseOn(pool, { embedded: true, migrated, ...used });
  } catch (error) {
    await pool.end();
    throw isDamage(error) ? explainDamaged(folder, error) : error;
  }
}

async function openServer({
  url,
  connections,
  alone = false,
}: {
  url: string;
  connections: number;
  alone?: boolean;
}): Promise<Database> {
  const migrated = await migrateServer(url, alone);
  const pool = openPostgres(url, connections);
  try {
    return databaseOn(pool, { embedded: false, migrated, ...(await useTables(pool, queriesOn(pool), { alone })) });
  } catch (error) {
    await pool.end();
    throw error;
  }
}

function databaseOn(
  pool: Pool & { notifications: Notifications },
  own: UsedTables & Pick<Database, "embedded" | "migrated">,
): Database {
  return {
    ...own,
    queries: queriesOn(pool),
    urgent: queriesOn(pool.urgent()),
    executor: executorOf(pool),
    notifications: pool.notifications,
    connections: () => pool.connections(),
    close: () => pool.end(),
  };
}

/** Checks that the database answers. @throws the error that prevents it */
export async function ping(db: Queries): Promise<void> {
  await sql`select 1`.execute(db);
}

/** Whether PostgreSQL reported damaged or unreadable files (SQLSTATE classes XX and 58), or stopped because of them. */
function isDamage(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  return (typeof code === "string" && /^(XX|58)/.test(code)) || /embedded database has stopped/.test(message ?? "");
}

/** Migrates on a separate connection, because migrating large tables, or waiting for another process, can take long. */
async function migrateServer(url: string, alone: boolean): Promise<Migrated> {
  const pool = openPostgres(url, 2, MIGRATION_MS);
  const db = queriesOn(pool);
  try {
    // Otherwise the processes would be told to stop for a migration.
    if (alone) await requireUnused(db);
    return await migrateAlone(db);
  } finally {
    await pool.end();
  }
}

/** Queries on the connections of a pool. */
export function queriesOn(pool: Pool): Queries {
  return new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) });
}
