import { randomUUID } from "node:crypto";
import { type Insertable, sql } from "kysely";
import { expect, inject, test, vi } from "vitest";
import { addSubmission, database, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import type { Queries } from "../database.ts";
import { lockDataset } from "../datasets/datasets.ts";
import {
  changePublication,
  findPublication,
  lockPublication,
  privatePublication,
  renewPublications,
} from "../publication/publications.ts";
import { insertDataset, insertVersions } from "../rebuild-rows.ts";
import type { DatasetVersionTable } from "../tables/dataset-tables.ts";
import { beginEntry, type NewEntry, saveEntry } from "./entries.ts";

useTestDatabase();

/** Adds a dataset with published versions that the catalogue does not have. Returns its ID. */
async function addPublished(db: Queries, versions: number): Promise<string> {
  const id = randomUUID();
  const at = new Date();
  const rows: Insertable<DatasetVersionTable>[] = [];
  for (let version = 1; version <= versions; version++) {
    const submission_id = await addSubmission(db);
    const counts = { objects: 1, bytes: 1 };
    rows.push({ dataset_id: id, version, ocfl_version: version, submission_id, published_at: at, ...counts });
  }
  const latest = { latest_version: versions, latest_ocfl_version: versions };
  await db.transaction().execute(async (trx) => {
    await insertDataset(trx, { id, owner: "o", title: "t", created_at: at, ...latest });
    await insertVersions(trx, rows);
    for (const { version } of rows) {
      await changePublication(trx, privatePublication(id, version, at), { state: "published", published_at: at });
    }
  });
  return id;
}

const ENTRY: NewEntry = {
  title: "t",
  sortTitle: "t",
  texts: { title: "t", names: "n", others: "o" },
  terms: [],
  revision: 1,
  summary: {} as NewEntry["summary"],
  fileText: "file",
};

/** Describes a version in the catalogue; `meanwhile` runs between the two writes. */
async function describeVersion(dataset_id: string, version: number, meanwhile?: () => Promise<void>): Promise<void> {
  await database.queries.transaction().execute(async (trx) => {
    const row = await beginEntry(trx, { dataset_id, version });
    await meanwhile?.();
    if (row !== undefined) await saveEntry(trx, row, ENTRY);
  });
}

/** Changes the publication of a version as people's actions do. */
async function changeAccess(dataset: string, version: number): Promise<void> {
  await database.queries.transaction().execute(async (trx) => {
    await lockDataset(trx, dataset);
    const row = await lockPublication(trx, dataset, version);
    if (row === undefined) throw new Error("no publication");
    await changePublication(trx, row, { access: "restricted" });
    await renewPublications(trx, dataset, version);
  });
}

/** Resolves when another connection waits for a lock. */
async function oneWaits(): Promise<void> {
  await vi.waitUntil(async () => {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      database.urgent,
    );
    return rows.length > 0;
  });
}

test("a withdrawal empties the entry in its own transaction, and an earlier version becomes the newest", async () => {
  const { queries: db } = database;
  const dataset = await addPublished(db, 2);
  for (const version of [1, 2]) await describeVersion(dataset, version);
  await db.transaction().execute(async (trx) => {
    const row = await lockPublication(trx, dataset, 2);
    if (row !== undefined) await changePublication(trx, row, { state: "withdrawn", withdrawn_at: new Date() });
  });
  const entries = await db
    .selectFrom("catalogue_entry")
    .select(["version", "visible", "newest", "title", "file_words"])
    .where("dataset_id", "=", dataset)
    .orderBy("version")
    .execute();
  expect(entries).toEqual([
    { version: 1, visible: true, newest: true, title: "t", file_words: "'file':1" },
    { version: 2, visible: false, newest: false, title: "", file_words: "" },
  ]);
});

// The embedded database has one connection, so that transactions never overlap there.
test.runIf(inject("onPostgres")).each([
  { name: "is new", versions: 1, before: 0 },
  { name: "of another version changes the newest one", versions: 2, before: 2 },
])("an action and the catalogue never wait for each other while the entry $name", async ({ versions, before }) => {
  const dataset = await addPublished(database.queries, versions);
  if (before > 0) await describeVersion(dataset, before);
  let action: Promise<void> | undefined;
  await describeVersion(dataset, 1, async () => {
    action = changeAccess(dataset, versions);
    await oneWaits();
  });
  await action;
  expect(await findPublication(database.queries, dataset, versions)).toMatchObject({ access: "restricted" });
});
