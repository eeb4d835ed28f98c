import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import {
  createOnPostgres,
  disconnect,
  openTables,
  type ServiceDatabase,
} from "../../tests/support/database/service-database.ts";
import { openDatabase } from "./database.ts";
import { type AnyTables, type Migrations, migrations, NewerDatabase } from "./migrate.ts";
import { migrateAlone } from "./schema-use.ts";

const NEXT = "9999-next";
const next: Migrations = {
  ...migrations,
  [NEXT]: {
    async up(db) {
      await sql`alter table dataset add column next integer`.execute(db);
    },
  },
};

describe.runIf(inject("onPostgres"))("the tables of a PostgreSQL server", () => {
  let folder: string;
  let created: ServiceDatabase;
  /** Stands for a process of a newer version. */
  let db: AnyTables;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "accession-schema-"));
    created = await createOnPostgres(folder);
    db = openTables(created);
  });
  afterAll(async () => {
    await db.destroy();
    await created.drop();
    await rm(folder, { recursive: true });
  });

  const open = ({ alone = false } = {}) =>
    openDatabase({ url: created.settings.ACCESSION_DATABASE_URL ?? "", connections: 2, alone });

  test("are used alone only while no other process uses them, and a process that starts meanwhile waits", async () => {
    const one = await open();
    await expect(open({ alone: true })).rejects.toThrow("Other processes use the database");
    await one.close();
    const alone = await open({ alone: true });
    let isOpen = false;
    const waiting = open().finally(() => {
      isOpen = true;
    });
    const asks = async () => {
      const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database()
        and pid <> pg_backend_pid() and query like '%try_advisory_lock_shared%'`.execute(db);
      return rows.length > 0;
    };
    await expect.poll(asks).toBe(true);
    expect(isOpen).toBe(false);
    await alone.close();
    await (await waiting).close();
  });

  test("are given up by all processes when one reports that they are older than the archive", async () => {
    const processes = [await open(), await open()];
    await processes[0]?.reportOlder();
    for (const { mustStop, close } of processes) {
      expect(await mustStop).toBe("older than the archive");
      await close();
    }
  });

  test("are looked at again after the connection was lost, and given up if another process has taken them meanwhile", async () => {
    const one = await open();
    const again = Promise.withResolvers<void>();
    one.onReconnection(again.resolve);
    await disconnect(db);
    await again.promise;
    await db.connection().execute(async (other) => {
      await disconnect(db);
      await sql`select pg_advisory_lock(hashtextextended('tables', 3))`.execute(other);
      expect(await one.mustStop).toBe("other process");
      await sql`select pg_advisory_unlock(hashtextextended('tables', 3))`.execute(other);
    });
    await one.close();
  });

  const isMigrated = async () => {
    const { rows } = await sql`select 1 from kysely_migration where name = ${NEXT}`.execute(db);
    return rows.length > 0;
  };

  test("are migrated once the processes that use them were told to stop, and have closed them", async () => {
    const processes = [await open(), await open()];
    const migrating = migrateAlone(db, next);
    for (const { mustStop, close } of processes) {
      await mustStop;
      expect(await isMigrated()).toBe(false);
      await close();
    }
    expect(await migrating).toMatchObject({ to: NEXT, ran: [NEXT] });
    await expect(open()).rejects.toThrow(NewerDatabase);
  });

  test("are given up by a process that had lost its connection during the migration", async () => {
    await sql`delete from kysely_migration where name = ${NEXT}`.execute(db);
    await using one = { database: await open(), [Symbol.asyncDispose]: () => one.database.close() };
    await sql`insert into kysely_migration (name, timestamp) values (${NEXT}, '')`.execute(db);
    await disconnect(db);
    expect(await one.database.mustStop).toBe("newer version");
  });
});
