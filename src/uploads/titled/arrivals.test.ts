import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { db, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { Arrivals } from "./arrivals.ts";

useTestDatabase();

test("an arrival that cannot be renewed, or whose failure cannot be recorded, is reported", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const reported: unknown[] = [];
  const arrivals = new Arrivals(db, (error) => void reported.push(error));
  const lost = new Error("the file was lost");
  const running = arrivals.run("josiah", async () => {
    await sql`alter table upload_arrival rename to unavailable`.execute(db);
    vi.advanceTimersByTime(5_000);
    await vi.waitUntil(() => reported.length === 1);
    throw lost;
  });
  await expect(running).rejects.toBe(lost);
  expect(reported.map(String)).toEqual([
    expect.stringContaining("upload_arrival"),
    expect.stringContaining("upload_arrival"),
  ]);
  await sql`alter table unavailable rename to upload_arrival`.execute(db);
});
