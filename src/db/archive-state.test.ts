import { expect, test } from "vitest";
import { openTestDatabase } from "../../tests/support/database/test-database.ts";
import { archiveChangeOf, countArchiveChange } from "./archive-state.ts";

test("changes of the archive are counted once each, and not by a database that is older than the archive", async () => {
  const { db, close } = await openTestDatabase();
  expect(await countArchiveChange(db, 1), "never counted").toBeUndefined();
  expect(await archiveChangeOf(db)).toBe(0);
  const all = await Promise.all(Array.from({ length: 5 }, () => countArchiveChange(db, 0)));
  expect(all.toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(await countArchiveChange(db, 5)).toBe(6);
  // However often it is tried: otherwise the number would reach that of the archive.
  for (let tries = 0; tries < 3; tries++) expect(await countArchiveChange(db, 7)).toBeUndefined();
  expect(await archiveChangeOf(db)).toBe(6);
  await close();
});
