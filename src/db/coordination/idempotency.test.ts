import { sql } from "kysely";
import { expect, test } from "vitest";
import { addSubmission, db, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { bindContent, claimIdempotencyKey, deleteExpiredKeys } from "./idempotency.ts";

useTestDatabase();

test("keys are deleted after 30 days, except the key of an open submission", async () => {
  const [open, completed] = [await addSubmission(db), await addSubmission(db, { status: "completed" })];
  await bindContent(db, "o", "open", open);
  await bindContent(db, "o", "old", completed);
  await claimIdempotencyKey(db, "o", "abandoned", "f", AbortSignal.timeout(5_000));
  const over = sql<Date>`now() - interval '30 days 1 minute'`;
  await db.updateTable("idempotency").set({ created_at: over, claimed_until: over }).execute();
  await bindContent(db, "o", "recent", completed);
  await claimIdempotencyKey(db, "o", "claimed", "f", AbortSignal.timeout(5_000));
  await deleteExpiredKeys(db);
  const left = await db.selectFrom("idempotency").select("key").orderBy("key").execute();
  expect(left.map(({ key }) => key)).toEqual(["claimed", "open", "recent"]);
});
