import { cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { inject } from "vitest";
import { loadSecretKey } from "../../../src/archive/receipts/key-file.ts";
import { loadSigningKey } from "../../../src/archive/receipts/signing.ts";
import { type Database, openDatabase, queriesOn } from "../../../src/db/database.ts";
import type { AnyTables } from "../../../src/db/migrate.ts";
import { openPostgres } from "../../../src/platform/database/postgres/postgres.ts";
import { compileDatabase, createDataFolder } from "./embedded-template.ts";
import { postgresAdmin } from "./postgres.ts";
import { postgresOfRun } from "./postgres-template.ts";

/** The separate database of a test's service. */
export interface ServiceDatabase {
  /** The service's settings for it. */
  settings: Record<string, string>;
  /** Opens it for the test itself. With the embedded database, the service must be stopped. */
  open(): Promise<Database>;
  /** Deletes all its content: the next service that opens it finds an empty database. */
  recreateEmpty(): Promise<void>;
  /** Keeps a copy of it, as a backup does. The service must be stopped. @returns a function that restores the copy */
  backUp(): Promise<() => Promise<void>>;
  drop(): Promise<void>;
}

/** Creates a data folder for a service and its database: on PostgreSQL or embedded, depending on the Vitest project. */
export async function createServiceDatabase(): Promise<{ data: string; database: ServiceDatabase }> {
  if (inject("onPostgres")) {
    const data = await mkdtemp(join(tmpdir(), "accession-data-"));
    return { data, database: await createOnPostgres(data) };
  }
  await compileDatabase();
  const data = await createDataFolder();
  return { data, database: createEmbedded(data) };
}

function createEmbedded(data: string): ServiceDatabase {
  const folder = join(data, "database");
  return {
    settings: {},
    open: () => openDatabase({ folder }),
    recreateEmpty: () => rm(folder, { recursive: true }),
    async backUp() {
      const copy = `${folder}-backup`;
      await cp(folder, copy, { recursive: true });
      return async () => {
        await rm(folder, { recursive: true });
        await rename(copy, folder);
      };
    },
    drop: async () => undefined,
  };
}

/** Creates a database on this run's PostgreSQL server, in any Vitest project, and the key files that PostgreSQL requires. */
export async function createOnPostgres(data: string): Promise<ServiceDatabase> {
  const { url: server, template } = postgresOfRun();
  const name = await postgresAdmin.create(server, template);
  const url = postgresAdmin.urlOf(server, name);
  const keys = { secret: join(data, "secret.key"), signing: join(data, "signing.key") };
  await loadSecretKey(keys.secret, { make: true });
  await loadSigningKey(keys.signing, { make: true });
  return {
    settings: {
      ACCESSION_DATABASE_URL: url,
      ACCESSION_SECRET_KEY_FILE: keys.secret,
      ACCESSION_SIGNING_KEY_FILE: keys.signing,
    },
    open: () => openDatabase({ url, connections: 2 }),
    async recreateEmpty() {
      await postgresAdmin.drop(server, name);
      await postgresAdmin.create(server, "template0", name);
    },
    async backUp() {
      const copy = await postgresAdmin.create(server, name);
      return async () => {
        await postgresAdmin.drop(server, name);
        await postgresAdmin.create(server, copy, name);
        await postgresAdmin.drop(server, copy);
      };
    },
    drop: () => postgresAdmin.drop(server, name),
  };
}

const HOUR_MS = 3_600_000;

/**
 * Opens the tables of a database on PostgreSQL as they are, without their lock, as a process of another version would. Its
 * connections may still be closing when the database is dropped, which ends them with an error: it is not reported.
 */
export function openTables({ settings }: ServiceDatabase): AnyTables {
  return queriesOn(openPostgres(settings.ACCESSION_DATABASE_URL ?? "", 4, HOUR_MS));
}

/** Ends the connections with which processes share the lock of the tables, as a failover of the server does. */
export async function disconnect(db: AnyTables): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and mode = 'ShareLock'
    and database = (select oid from pg_database where datname = current_database())`.execute(db);
}
