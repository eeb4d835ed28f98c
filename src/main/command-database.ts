import { join, resolve } from "node:path";
import { exists, makeFolder } from "../archive/folder/durable-writes.ts";
import { type Database, openDatabase } from "../db/database.ts";
import type { Config } from "../platform/config/config.ts";
import { lockFolder } from "../platform/database/lock.ts";

/** Maintenance uses the database sequentially, so more connections would stay unused. */
const DATABASE_CONNECTIONS = 2;

/**
 * Opens the database of a command, runs `work`, and closes it. No service may use the data folder at the same time.
 * @param alone whether no service may use a PostgreSQL server's database at the same time, either
 */
export async function withDatabase<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
  { alone = false } = {},
): Promise<T> {
  await makeFolder(config.data, 0o700);
  // The lock protects the embedded database. With PostgreSQL, no file in the folder could be damaged by two processes.
  const unlock = config.databaseUrl === undefined ? lockFolder(config.data) : () => undefined;
  try {
    const database = await openDatabase(
      config.databaseUrl === undefined
        ? { folder: join(config.data, "database") }
        : { url: config.databaseUrl, connections: DATABASE_CONNECTIONS, alone },
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

/**
 * Like {@link withDatabase}, for commands that make sense only for the database of a service: a wrong folder must not become
 * a new database.
 *
 * @throws Error if the folder has no embedded database
 */
export async function withPresentDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  if (config.databaseUrl === undefined && !(await exists(join(config.data, "database")))) {
    throw new Error(
      `There is no database in ${resolve(config.data)}. Set ACCESSION_DATA to the data folder of the service. For a new ` +
        "service, start it once first, or run “accession migrate”",
    );
  }
  return withDatabase(config, work);
}
