import { sql } from "kysely";
import { expect, test } from "vitest";
import { db, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { findCollection, insertCollection } from "./collections.ts";
import { deleteCollection } from "./members.ts";

useTestDatabase();

/** The key of the lock in `catalogue/harvest-lock.ts`. */
const CHANGES_LOCK = 0x63_61_74;

test("harvests do not wait while the archive learns that a collection is deleted", async () => {
  const content = { name: { en: "Samples" }, description: { en: "" }, curators: [], licences: [] };
  await db.transaction().execute((trx) => insertCollection(trx, "samples", content));
  let held: number | undefined;
  await deleteCollection(db, "samples", async (trx) => {
    const { rows } = await sql<{ held: number }>`
      select count(*)::integer as held from pg_locks
      where locktype = 'advisory' and pid = pg_backend_pid() and objid = ${sql.lit(CHANGES_LOCK)}`.execute(trx);
    held = rows[0]?.held;
  });
  expect(held).toBe(0);
  expect(await findCollection(db, "samples")).toBeUndefined();
});
