import { randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { beforeAll, inject } from "vitest";
import { insertChunks } from "../../../src/db/chunks/chunks.ts";
import { listedObject, type ObjectRecord } from "../../../src/db/chunks/objects.ts";
import { recordUnordered } from "../../../src/db/chunks/unordered-keys.ts";
import { type Database, openDatabase, type Queries } from "../../../src/db/database.ts";
import type { SubmissionRow } from "../../../src/db/submissions/submissions.ts";
import { searchTextOf } from "../../../src/domain/submission/search.ts";
import { compileDatabase, createDataFolder } from "./embedded-template.ts";
import { postgresAdmin } from "./postgres.ts";
import { postgresOfRun } from "./postgres-template.ts";

/** The database of the tests of a file, which {@link useTestDatabase} opens. */
export let database: Database;
/** The queries of {@link database}. */
export let db: Queries;

/** Opens {@link database} before the tests of a file, and closes it after them. */
export function useTestDatabase(): void {
  beforeAll(async () => {
    const opened = await openTestDatabase();
    ({ database, db } = opened);
    return opened.close;
  });
}

/**
 * Opens a separate database: on PostgreSQL or embedded, depending on the Vitest project. The caller must close it.
 * The tests in `src/db` run in both projects: they are the contract of both engines.
 */
export async function openTestDatabase(): Promise<{
  database: Database;
  db: Queries;
  close: () => Promise<void>;
}> {
  const { database, drop } = await (inject("onPostgres") ? openOnPostgres() : openEmbedded());
  const close = async () => {
    await database.close();
    await drop();
  };
  return { database, db: database.queries, close };
}

async function openOnPostgres(): Promise<{ database: Database; drop: () => Promise<void> }> {
  const { url: server, template } = postgresOfRun();
  const name = await postgresAdmin.create(server, template);
  const database = await openDatabase({ url: postgresAdmin.urlOf(server, name), connections: 3 });
  return { database, drop: () => postgresAdmin.drop(server, name) };
}

async function openEmbedded(): Promise<{ database: Database; drop: () => Promise<void> }> {
  await compileDatabase();
  const folder = await createDataFolder();
  const database = await openDatabase({ folder: join(folder, "database") });
  return { database, drop: () => rm(folder, { recursive: true, force: true }) };
}

/** Inserts an empty submission and returns its ID. @param more columns with other values */
export async function addSubmission(db: Queries, more: Partial<SubmissionRow> = {}): Promise<string> {
  const id = randomUUID();
  const now = new Date();
  const row = { id, owner: "o", status: "listing", title: "t", endpoint: "e", bucket: "b", addressing: "path" };
  await db
    .insertInto("submission")
    .values({
      ...row,
      ...{ sent: "{}", metadata: "{}", warnings: "[]", selection: "{}", drift: "[]", summary: "{}", metadata_bytes: 2 },
      ...{ region: null, credentials: null, anonymous: true, dataset_id: null, created_at: now, updated_at: now },
      ...more,
    } as never)
    .execute();
  const { title, words } = searchTextOf({ title: more.title ?? row.title });
  await db
    .insertInto("submission_search")
    .values({ submission_id: id, title, words: sql<string>`array_to_tsvector(${words}::text[])` })
    .execute();
  return id;
}

export const objectOf = (key: string, seq: number, more: Partial<ObjectRecord> = {}): ObjectRecord => ({
  ...listedObject(seq, { key, bytes: key.length, etag: `"${key}"`, lastModified: null, storageClass: null }, false),
  ...more,
});

/** Stores objects, or listed keys, as the listing of an attempt, in chunks of `perChunk` objects. */
export async function addListing(
  db: Queries,
  id: string,
  attempt: number,
  listed: readonly (ObjectRecord | string)[],
  options: { perChunk?: number; unordered?: boolean } = {},
): Promise<void> {
  const { perChunk = 3, unordered = false } = options;
  const objects = listed.map((one, seq) => (typeof one === "string" ? objectOf(one, seq) : one));
  for (let from = 0, no = 0; from < objects.length; from += perChunk, no++) {
    const chunks = [{ no, objects: objects.slice(from, from + perChunk) }];
    await insertChunks(db, id, attempt, chunks);
    if (unordered) await recordUnordered(db, id, attempt, chunks);
  }
}
