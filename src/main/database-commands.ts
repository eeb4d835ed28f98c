import { join } from "node:path";
import { makeFolder } from "../archive/folder/durable-writes.ts";
import { describeLocation } from "../archive/location.ts";
import { finishPublications, openReader } from "../archive/open-archive.ts";
import type { ArchiveReader } from "../archive/reader.ts";
import { createToken } from "../auth/tokens.ts";
import type { Config } from "../config/config.ts";
import { lockFolder } from "../db/coordination/lock.ts";
import { type Database, openDatabase } from "../db/database.ts";
import type { Migrated } from "../db/migrate.ts";
import type { TokenView } from "../db/tokens.ts";
import { knownKeys, type Listener, rebuild } from "../rebuild/rebuild.ts";
import { openKeys } from "./keys.ts";
import { rebuilding } from "./matching-archive.ts";

export type { Migrated } from "../db/migrate.ts";
export type { Listener, Outcome } from "../rebuild/rebuild.ts";

/** Maintenance uses the database sequentially, so more connections would stay unused. */
const DATABASE_CONNECTIONS = 2;

/** Updates the database's tables. No service may use the data folder at the same time. */
export async function migrateDatabase(config: Config): Promise<Migrated> {
  return withDatabase(config, async ({ migrated }) => migrated);
}

/** Creates a token with the role admin, for an operator who has lost all of them. The one-time token becomes invalid. */
export async function createAdminToken(
  config: Config,
  { name, expiresAt }: { name: string; expiresAt: Date },
): Promise<{ text: string; token: TokenView }> {
  return withDatabase(config, ({ queries }) => createToken(queries, { name, role: "admin", expiresAt }));
}

/**
 * Recreates the database from the archive, see `rebuild`. No service may use the data folder at the same time. Key files are
 * created and bound to the database as at the first start of a service.
 *
 * @throws Error that states what the operator must correct
 */
export async function rebuildDatabase(config: Config, listener: Listener, signal: AbortSignal): Promise<void> {
  await finishPublications(config.archive);
  const archive = await openReader(config.archive);
  try {
    await rebuildFrom(archive.reader, config, listener, signal);
  } finally {
    archive.close();
  }
}

async function rebuildFrom(
  reader: ArchiveReader,
  config: Config,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  const archived = await knownKeys(reader, describeLocation(config.archive));
  await withDatabase(config, async ({ queries: db }) => {
    const { signingKey } = await openKeys(config, db);
    const keys = { keys: [signingKey.publicJwk, ...archived.keys.filter(({ kid }) => kid !== signingKey.kid)] };
    await rebuilding(db, (beforeWriting) => rebuild({ db, beforeWriting, reader, keys }, listener, signal));
  });
}

async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  await makeFolder(config.data, 0o700);
  // The lock protects the embedded database. With PostgreSQL, no file in the folder could be damaged by two processes.
  const unlock = config.databaseUrl === undefined ? lockFolder(config.data) : () => undefined;
  try {
    const database = await openDatabase(
      config.databaseUrl === undefined
        ? { folder: join(config.data, "database") }
        : { url: config.databaseUrl, connections: DATABASE_CONNECTIONS },
    );
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  } finally {
    unlock();
  }
}
