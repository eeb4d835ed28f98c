import { describeLocation } from "../archive/location.ts";
import { finishPublications, openReader } from "../archive/open-archive.ts";
import type { ArchiveReader } from "../archive/reader.ts";
import { archiveIdOf, newestDataset } from "../db/archive-state.ts";
import type { Database } from "../db/database.ts";
import type { Migrated } from "../db/migrate.ts";
import type { TokenView } from "../db/tokens.ts";
import { createToken } from "../people/tokens.ts";
import type { Config } from "../platform/config/config.ts";
import { knownKeys, type Listener, rebuild } from "../rebuild/rebuild.ts";
import { withDatabase, withPresentDatabase } from "./command-database.ts";
import { openKeys } from "./keys.ts";
import { rebuilding, requireSameArchive } from "./matching-archive.ts";

export type { Migrated } from "../db/migrate.ts";
export type { Listener, Outcome } from "../rebuild/rebuild.ts";

/** Updates the database's tables. No service may use the data folder at the same time. */
export async function migrateDatabase(config: Config): Promise<Migrated> {
  return withDatabase(config, async ({ migrated }) => migrated);
}

/** Creates a token with the role admin, for an operator who has lost all of them. The one-time token becomes invalid. */
export async function createAdminToken(
  config: Config,
  { name, expiresAt }: { name: string; expiresAt: Date },
): Promise<{ text: string; token: TokenView }> {
  return withPresentDatabase(config, ({ queries }) => createToken(queries, { name, role: "admin", expiresAt }));
}

/**
 * Recreates the database from the archive, see `rebuild`. No service may use the database at the same time. Key files are
 * created and bound to the database as at the first start of a service.
 *
 * @throws Error that states what the operator must correct
 */
export async function rebuildDatabase(config: Config, listener: Listener, signal: AbortSignal): Promise<void> {
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
  const work = async ({ queries: db, mustStop }: Database) => {
    const lost = new AbortController();
    void mustStop.then(() =>
      lost.abort(
        new Error("The database was lost to another process, or replaced, meanwhile. Run “accession rebuild” again"),
      ),
    );
    const until = AbortSignal.any([signal, lost.signal]);
    const hasDatasets = (await newestDataset(db)) !== undefined;
    await requireSameArchive(reader, config.archive, { id: await archiveIdOf(db), hasDatasets });
    await finishPublications(config.archive);
    const { signingKey } = await openKeys(config, db);
    const keys = { keys: [signingKey.publicJwk, ...archived.keys.filter(({ kid }) => kid !== signingKey.kid)] };
    await rebuilding(db, reader, (beforeWriting) => rebuild({ db, beforeWriting, reader, keys }, listener, until));
  };
  // A running service changes the archive and the database at the same time, and would not notice what is restored.
  await withDatabase(config, work, { alone: true });
}
