import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { addSubmission, openTestDatabase } from "../../../tests/support/database/test-database.ts";
import type { Queries } from "../../db/database.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { eventStream } from "./event-stream.ts";
import { WatchedSubmissions } from "./watched-submissions.ts";

let db: Queries;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close());

/** Submissions that are watched through queries that are counted, and a way to announce a change. */
function watched() {
  let queries = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      queries++;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  let announce: (id: string) => void = () => undefined;
  const listen = (_: string, listener: (id: string) => void) => {
    announce = listener;
    return () => undefined;
  };
  const submissions = new WatchedSubmissions(db.withPlugin(counting), { listen });
  return { submissions, changed: (id: string) => announce(id), queries: () => queries };
}

test("the states of all submissions are read at once, however many streams follow them", async () => {
  const { submissions, changed, queries } = watched();
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
  expect(queries() - before).toBeLessThanOrEqual(2);
  for (const end of ends) end();
  changed(ids[0] ?? "");
  expect(queries() - before).toBeLessThanOrEqual(2);
});

test("a stream sends an event once, although its state is read again, and ends with its submission", async () => {
  const { submissions, changed } = watched();
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
});
