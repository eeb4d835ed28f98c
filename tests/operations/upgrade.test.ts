/** @module-tag extended */

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type AnyTables, type Migrations, migrations } from "../../src/db/migrate.ts";
import { migrateAlone } from "../../src/db/schema-use.ts";
import { createOnPostgres, openTables, type ServiceDatabase } from "../support/database/service-database.ts";
import { type Program, startProgram, startWorker, type Worker } from "../support/program/program.ts";
import { lacks, skipNote } from "../support/tools.ts";

/** A newer version that starts while processes of this version work. */

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const SUBMISSIONS = 12;
const NEXT = "9999-next";

/** The next version: rows that this version writes lack what its tables require. */
const next: Migrations = {
  ...migrations,
  [NEXT]: {
    async up(db) {
      for (const table of ["dataset_version", "event", "chunk"]) {
        await sql`alter table ${sql.table(table)} add column next integer not null default 0`.execute(db);
        await sql`alter table ${sql.table(table)} alter column next drop default`.execute(db);
      }
    },
  },
};

async function takeBack(db: AnyTables): Promise<void> {
  for (const table of ["dataset_version", "event", "chunk"]) {
    await sql`alter table ${sql.table(table)} drop column next`.execute(db);
  }
  await sql`delete from kysely_migration where name = ${NEXT}`.execute(db);
}

let s3: S3Server;
let folder: string;
let database: ServiceDatabase;
let db: AnyTables;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  folder = await mkdtemp(join(tmpdir(), "accession-upgrade-"));
});
afterAll(async () => {
  await db?.destroy();
  await database?.drop();
  await s3.close();
  await rm(folder, { recursive: true, force: true });
});

async function startAll(): Promise<[Program, Worker]> {
  const settings = {
    ...database.settings,
    ACCESSION_ARCHIVE: join(folder, "archive"),
    ACCESSION_ALLOW_NETWORKS: "127.0.0.0/8",
  };
  const program = await startProgram(join(folder, "api"), { ...settings, ACCESSION_ROLE: "api" });
  const worker = await startWorker(join(folder, "worker"), { ...settings, ACCESSION_PUBLIC_URL: program.url });
  return [program, worker];
}

test.skipIf(lacks("PostgreSQL"))(
  `processes of the older version stop before the tables are migrated, and no submission fails ${skipNote("PostgreSQL")}`,
  async () => {
    database = await createOnPostgres(folder);
    db = openTables(database);
    const processes = await startAll();
    const [{ api }] = processes;
    const ids: string[] = [];
    for (let i = 0; i < SUBMISSIONS; i++) {
      const bucket = `bucket-${i}`;
      s3.createBucket(bucket);
      for (let j = 0; j < 40; j++) s3.put(bucket, `o/${j}`, { seed: `${i}-${j}`, size: 20_000 });
      ids.push((await api.submit({ endpoint: s3.endpoint, bucket, ...keys })).id);
    }
    await expect.poll(() => countIn("completed")).toBeGreaterThan(0);
    const exits = processes.map(async ({ process, log }) => {
      const [code] = await once(process, "exit");
      expect(log()).toContain("A newer version migrates the database, so this process stops");
      return code;
    });
    expect(await migrateAlone(db, next)).toMatchObject({ to: NEXT, ran: [NEXT] });
    expect(await countIn("failed")).toBe(0);
    expect(await Promise.all(exits)).toEqual([1, 1]);
    await takeBack(db);
    const again = await startAll();
    await expect.poll(() => countIn("completed")).toBe(ids.length);
    for (const { log } of [...processes, ...again]) expect(log()).not.toContain("internal_error");
    for (const one of again) await one.end("SIGTERM");
  },
);

async function countIn(status: string): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select count(*)::integer as number from submission where status = ${status}`.execute(db);
  return rows[0]?.number ?? 0;
}
