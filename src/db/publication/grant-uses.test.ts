import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { db, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { MOST_READ } from "../../publication/rules/grants.ts";
import { addGrant, findGrant } from "./access-grants.ts";
import { forgetGrantUses, type GrantUseRow, recordGrantUses, usesOfGrant } from "./grant-uses.ts";

useTestDatabase();

const at = (minute: number) => new Date(Date.UTC(2026, 5, 1, 9, minute));

async function createGrant(): Promise<string> {
  const [id, dataset] = [randomUUID(), randomUUID()];
  await sql`insert into dataset (id, owner, title, latest_version, latest_ocfl_version, created_at)
    values (${dataset}::uuid, 'ada', 't', 1, 1, now())`.execute(db);
  await addGrant(db, {
    ...{ id, dataset_id: dataset, version: null, kind: "link", subject: null, email: null, hash: null, note: "" },
    ...{ granted_by: "ada", created_at: at(0), expires_at: null, revoked_at: null, revoked_by: null },
    ...{ uses: 0, first_used_at: null, used_at: null },
  });
  return id;
}
const read = (grant_id: string, path: string, minute: number, uses = 1): GrantUseRow => ({
  ...{ grant_id, version: 1, kind: "file", path, uses },
  ...{ first_at: at(minute), last_at: at(minute) },
});

test("uses of the same file are one row, with the first and the last time", async () => {
  const grant = await createGrant();
  await recordGrantUses(db, grant, [read(grant, "data/a", 2), read(grant, "data/b", 3)]);
  await recordGrantUses(db, grant, [read(grant, "data/a", 5, 0)]);
  await recordGrantUses(db, grant, [read(grant, "data/a", 1)]);
  expect(await usesOfGrant(db, grant)).toEqual([
    { ...read(grant, "data/a", 1, 2), last_at: at(5) },
    read(grant, "data/b", 3),
  ]);
  expect(await findGrant(db, grant)).toMatchObject({ uses: 3, first_used_at: at(1), used_at: at(5) });
});

test("a path of any length is recorded", async () => {
  const grant = await createGrant();
  const path = `data/${"ü".repeat(4_000)}`;
  await recordGrantUses(db, grant, [read(grant, path, 1)]);
  expect(await usesOfGrant(db, grant)).toEqual([read(grant, path, 1)]);
});

test("above the limit, further files are counted together, and no use is lost", async () => {
  const grant = await createGrant();
  const files = Array.from({ length: MOST_READ + 7 }, (_, n) => read(grant, `data/${n}`, n % 60));
  await recordGrantUses(db, grant, files.slice(0, 600));
  await recordGrantUses(db, grant, files.slice(600));
  await recordGrantUses(db, grant, [read(grant, "data/0", 9), read(grant, "data/new", 9)]);
  const rows = await usesOfGrant(db, grant);
  expect(rows).toHaveLength(MOST_READ + 1);
  expect(rows.find(({ kind }) => kind === "other")).toMatchObject({ path: "", uses: 8 });
  expect(rows.find(({ path }) => path === "data/0")).toMatchObject({ uses: 2 });
  expect(await findGrant(db, grant)).toMatchObject({ uses: files.length + 2 });
});

test("what was read is deleted a year after the last use, and its number is kept", async () => {
  const grant = await createGrant();
  const now = Date.now();
  const ago = (days: number) => ({ first_at: at(0), last_at: new Date(now - days * 86_400_000) });
  await recordGrantUses(db, grant, [
    { ...read(grant, "data/old", 0), ...ago(366) },
    { ...read(grant, "data/new", 0), ...ago(364) },
  ]);
  await forgetGrantUses(db);
  expect((await usesOfGrant(db, grant)).map(({ path }) => path)).toEqual(["data/new"]);
  expect(await findGrant(db, grant)).toMatchObject({ uses: 2 });
});

test("nothing is recorded for a grant that was deleted with its dataset", async () => {
  const id = randomUUID();
  await recordGrantUses(db, id, [read(id, "data/a", 1)]);
  expect(await usesOfGrant(db, id)).toEqual([]);
});
