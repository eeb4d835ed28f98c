import type { KyselyPlugin } from "kysely";
import { expect, test, vi } from "vitest";
import { addSubmission, db, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { eventStream } from "./event-stream.ts";
import { WatchedSubmissions } from "./watched-submissions.ts";

useTestDatabase();

/** Submissions that are watched through queries that are counted and can fail, and a way to announce a change. */
function watched(fails: () => boolean = () => false) {
  let queries = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      queries++;
      if (fails()) throw new Error("The database is unavailable");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  let announce: (id: string) => void = () => undefined;
  const listen = (_: string, listener: (id: string) => void) => {
    announce = listener;
    return () => undefined;
  };
  const failures: unknown[] = [];
  const submissions = new WatchedSubmissions(db.withPlugin(counting), { listen }, (error) => failures.push(error));
  return { submissions, changed: (id: string) => announce(id), queries: () => queries, failures };
}

test("the states of all submissions are read at once, however many streams follow them", async () => {
  const { submissions, changed, queries, failures } = watched();
  const ids = await Promise.all(Array.from({ length: 20 }, () => addSubmission(db)));
  const told = new Map<number, string | undefined>();
  const ends = Array.from({ length: 1_000 }, (_, n) =>
    submissions.watch(ids[n % ids.length] ?? "", (state) => told.set(n, state?.id)),
  );
  await vi.waitUntil(() => told.size === 1_000);
  expect(told.get(21)).toBe(ids[1]);
  // The first notification is followed at once, all others together.
  const before = queries();
  told.clear();
  for (const id of ids) changed(id);
  await vi.waitUntil(() => told.size === 1_000);
  // Two, and one more for each five seconds that this takes.
  expect(queries() - before).toBeLessThan(ids.length);
  for (const end of ends) end();
  const after = queries();
  changed(ids[0] ?? "");
  expect(queries()).toBe(after);
  expect(failures).toEqual([]);
});

test("a stream sends an event once, although its state is read again, and ends with its submission", async () => {
  const { submissions, changed, failures } = watched();
  const id = await addSubmission(db);
  await addEvent(db, id, { type: "accepted", message: "first" });
  const stream = eventStream(submissions, id, 0, AbortSignal.timeout(600_000));
  const parts: string[] = [];
  for await (const part of stream) {
    parts.push(part);
    if (part.includes("first")) changed(id);
    if (part.includes("event: progress") && parts.length < 4) {
      await addEvent(db, id, { type: "cancelled", message: "second" });
      changed(id);
    }
    if (part.includes("second")) {
      await db.deleteFrom("event").where("submission_id", "=", id).execute();
      await db.deleteFrom("submission_search").where("submission_id", "=", id).execute();
      await db.deleteFrom("submission").where("id", "=", id).execute();
      changed(id);
    }
  }
  expect(parts.filter((part) => part.includes("first"))).toHaveLength(1);
  expect(parts.filter((part) => part.includes("second"))).toHaveLength(1);
  expect(failures).toEqual([]);
});

test("a failed read is reported, and the next change is read", async () => {
  let isBroken = true;
  const { submissions, changed, failures } = watched(() => isBroken);
  const id = await addSubmission(db);
  const told: unknown[] = [];
  const end = submissions.watch(id, (state) => told.push(state?.id));
  await vi.waitUntil(() => failures.length > 0);
  expect(told).toEqual([]);
  isBroken = false;
  changed(id);
  await vi.waitUntil(() => told.length > 0);
  expect(told).toEqual([id]);
  end();
});
