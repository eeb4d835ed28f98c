import { rm } from "node:fs/promises";
import { join } from "node:path";
import { inject } from "vitest";
import { loadSecretKey } from "../../../src/archive/receipts/key-file.ts";
import { loadSigningKey } from "../../../src/archive/receipts/signing.ts";
import { type Database, openDatabase } from "../../../src/db/database.ts";
import { postgresAdmin } from "./postgres.ts";
import { postgresOfRun } from "./postgres-template.ts";

/** The database of one test's service. */
export interface ServiceDatabase {
  /** What the service is told of it. */
  settings: Record<string, string>;
  /** Opens it for the test itself; on the embedded one the service must not run meanwhile. */
  open(): Promise<Database>;
  /** Loses it, with all that it knows: the next to open it finds nothing. */
  recreateEmpty(): Promise<void>;
  drop(): Promise<void>;
}

/** A fresh database for a service with this data folder: on PostgreSQL or embedded, as this run is about. */
export async function createServiceDatabase(data: string): Promise<ServiceDatabase> {
  return inject("onPostgres") ? createOnPostgres(data) : createEmbedded(data);
}

function createEmbedded(data: string): ServiceDatabase {
  const folder = join(data, "database");
  return {
    settings: {},
    open: () => openDatabase({ folder }),
    recreateEmpty: () => rm(folder, { recursive: true }),
    drop: async () => undefined,
  };
}

/** A database on this run's PostgreSQL server, whatever the run is about, with keys as its operator would make them. */
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
    drop: () => postgresAdmin.drop(server, name),
  };
}
