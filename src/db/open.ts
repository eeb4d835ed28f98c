import { Kysely, PostgresDialect } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { Bell } from "./bell.ts";
import { openEmbedded } from "./embedded/pool.ts";
import * as submissions from "./migrations/0001-submissions.ts";
import * as tokens from "./migrations/0002-tokens.ts";
import * as audit from "./migrations/0003-audit.ts";
import * as withdrawal from "./migrations/0003-withdrawal.ts";
import * as kept from "./migrations/0004-kept.ts";
import * as machines from "./migrations/0005-machines.ts";
import { type Executor, executorOf, type Pool } from "./pool.ts";
import { openPostgres } from "./postgres.ts";
import type { Tables } from "./schema.ts";

/** Forward only: a migration that has run anywhere is never changed, and there is no way back but a backup. */
const migrations: Record<string, Migration> = {
  "0001-submissions": submissions,
  "0002-tokens": tokens,
  "0003-audit": audit,
  "0003-withdrawal": withdrawal,
  "0004-kept": kept,
  "0005-machines": machines,
};

export type Queries = Kysely<Tables>;

export interface Database {
  readonly queries: Queries;
  /** The same database for requests: what a person waits for comes before what goes on by itself. */
  readonly urgent: Queries;
  /** For pg-boss, which brings its own SQL. */
  readonly executor: Executor;
  readonly embedded: boolean;
  readonly bell: Bell;
  close(): Promise<void>;
}

/**
 * Opens the database and brings its tables up to date. An embedded one lies in `folder`, which this process must
 * have locked; a PostgreSQL server is named by `url`.
 */
export async function openDatabase(
  where: { folder: string } | { url: string; connections: number },
): Promise<Database> {
  const embedded = "folder" in where;
  const pool = embedded ? await openEmbedded(where.folder) : openPostgres(where.url, where.connections);
  const queries = queriesOn(pool);
  const migrator = new Migrator({ db: queries, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error) {
    await queries.destroy();
    throw error;
  }
  const urgent = queriesOn(pool.urgent());
  return { queries, urgent, executor: executorOf(pool), embedded, bell: pool.bell, close: () => queries.destroy() };
}

function queriesOn(pool: Pool): Queries {
  return new Kysely({ dialect: new PostgresDialect({ pool: pool as never }) });
}
