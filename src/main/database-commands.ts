import { basename, join } from "node:path";
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
import { listVocabularies, removeVocabulary, replaceVocabulary, type Vocabulary } from "../db/vocabularies.ts";
import type { VocabularyKind } from "../domain/vocabulary.ts";
import { knownKeys, type Listener, rebuild } from "../rebuild/rebuild.ts";
import { InvalidVocabulary, openVocabulary } from "../vocabulary/read-vocabulary.ts";
import { openKeys } from "./keys.ts";
import { rebuilding } from "./matching-archive.ts";

export type { Migrated } from "../db/migrate.ts";
export type { Vocabulary } from "../db/vocabularies.ts";
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

/** A vocabulary to import. */
export interface VocabularyImport {
  file: string;
  name: string | undefined;
  kind: VocabularyKind | undefined;
  /** The preferred language of labels. */
  language: string | undefined;
  signal: AbortSignal;
  /** Called after each batch. @param share the read part of the file */
  onProgress(entries: number, share: number): void;
}

/**
 * Imports a vocabulary from a file, and replaces the one with this name. With the embedded database, no service may use the
 * data folder at the same time.
 *
 * @throws Error that states what the operator must correct, and where; the reason of an aborted signal
 */
export async function importVocabulary(
  config: Config,
  { file, name, kind, language, signal, onProgress }: VocabularyImport,
): Promise<Vocabulary & { replaced: boolean; skipped: number }> {
  return explainInvalid(file, async () => {
    const opened = await openVocabulary(file, { kind, language, signal });
    const chosen = name ?? defaultName(file, opened.kind);
    async function* batches() {
      let entries = 0;
      for await (const batch of opened.batches()) {
        yield batch;
        entries += batch.length;
        onProgress(entries, opened.progress.bytesRead / opened.progress.bytesTotal);
      }
    }
    const description = () => {
      const { title = chosen, schemes } = opened.summary();
      return { title, schemes };
    };
    const imported = await withDatabase(config, ({ queries }) =>
      replaceVocabulary(queries, {
        name: chosen,
        kind: opened.kind,
        language: language ?? null,
        batches: batches(),
        description,
      }),
    );
    return { ...imported, skipped: opened.summary().skipped };
  });
}

/** The imported vocabularies. No service may use the data folder at the same time, if it contains the database. */
export async function vocabulariesOf(config: Config): Promise<Vocabulary[]> {
  return withDatabase(config, ({ queries }) => listVocabularies(queries));
}

/** Removes a vocabulary, otherwise like {@link vocabulariesOf}. @returns whether there was one with this name */
export async function removeVocabularyOf(config: Config, name: string): Promise<boolean> {
  return withDatabase(config, ({ queries }) => removeVocabulary(queries, name));
}

/** Organisations and funders usually have one vocabulary, subjects several. */
function defaultName(file: string, kind: VocabularyKind): string {
  if (kind === "organisations") return "ror";
  if (kind === "funders") return "funders";
  const name = basename(file)
    .replace(/\.gz$/, "")
    .replace(/\.[^.]*$/, "")
    .toLowerCase();
  return name.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "") || "subjects";
}

async function explainInvalid<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InvalidVocabulary)) throw error;
    throw new Error(`${file}: ${error.message}`, { cause: error });
  }
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
