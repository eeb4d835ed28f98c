import { Kysely, PostgresDialect, sql } from "kysely";
import { openEmbedded } from "./embedded/pool.ts";
import { explainDamaged } from "./embedded/unusable-database.ts";
import { type Migrated, migrate } from "./migrate.ts";
import type { Notifications } from "./notifications/notifications.ts";
import { type Connections, type Executor, executorOf, type Pool } from "./postgres/pool.ts";
import { openPostgres } from "./postgres/postgres.ts";
import type { Tables } from "./schema.ts";

const MIGRATION_MS = 3_600_000;

export type Queries = Kysely<Tables>;

export interface Database {
  readonly queries: Queries;
  /** The same database for requests: what a person waits for comes before what goes on by itself. */
  readonly urgent: Queries;
  /** For pg-boss, which brings its own SQL. */
  readonly executor: Executor;
  readonly embedded: boolean;
  readonly notifications: Notifications;
  /** What opening it has done to its tables. */
  readonly migrated: Migrated;
  /** Of this process. */
  connections(): Connections;
  close(): Promise<void>;
}

/**
 * Opens the database and brings its tables up to date. An embedded one lies in `folder`, which this process must
 * have locked; a PostgreSQL server is named by `url`.
 *
 * @throws NewerDatabase
 */
export async function openDatabase(
  where: { folder: string } | { url: string; connections: number },
): Promise<Database> {
  const embedded = "folder" in where;
  const pool = embedded ? await openEmbedded(where.folder) : openPostgres(where.url, where.connections);
  const queries = queriesOn(pool);
  const migrated = await (embedded ? migrate(queries) : migrateServer(where.url)).catch(async (error: unknown) => {
    await queries.destroy();
    throw embedded && isDamage(error) ? explainDamaged(where.folder, error) : error;
  });
  const urgent = queriesOn(pool.urgent());
  return {
    queries,
    urgent,
    executor: executorOf(pool),
    embedded,
    notifications: pool.notifications,
    migrated,
    connections: () => pool.connections(),
    close: () => queries.destroy(),
  };
}

/** Asks the database for an answer. @throws what keeps it from answering */
export async function ping(db: Queries): Promise<void> {
  await sql`select 1`.execute(db);
}

/** PostgreSQL found its files not to be what they were (SQLSTATE classes XX and 58), or ended by it. */
function isDamage(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: string };
  return (typeof code === "string" && /^(XX|58)/.test(code)) || /embedded database has stopped/.test(message ?? "");
}

/** On a connection of its own: a migration of large tables takes its time, and so does waiting for another's. */
async function migrateServer(url: string): Promise<Migrated> {
  const queries = queriesOn(openPostgres(url, 2, MIGRATION_MS));
  try {
    return await migrate(queries);
  } finally {
    await queries.destroy();
  }
}

function queriesOn(pool: Pool): Queries {
  return new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) });
}
