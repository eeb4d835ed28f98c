import { sql } from "kysely";
import { expect, inject, test } from "vitest";
import { database, useTestDatabase } from "../../tests/support/database/test-database.ts";
import type { Database } from "./database.ts";
import { BatchedReads, SharedReads } from "./shared-reads.ts";

useTestDatabase();

/** Holds the only connection until the returned function is called. */
async function holdConnection(): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await new Promise<void>((taken) => {
    void database.queries.connection().execute(() => {
      taken();
      return held;
    });
  });
  return release;
}

test("reads requested before one begins are done once; later requests cause a new read", async () => {
  const reads = new SharedReads<number>(database.urgent);
  let done = 0;
  const read = (key: string) =>
    reads.read(key, async (db) => {
      await sql`select 1`.execute(db);
      return ++done;
    });
  const release = await holdConnection();
  const all = [read("a"), read("a"), read("a"), read("b")];
  release();
  expect(await Promise.all(all)).toEqual([1, 1, 1, 2]);
  expect(await read("a")).toBe(3);
});

test("different keys that are requested before one read begins are read together", async () => {
  const asked: string[][] = [];
  const reads = new BatchedReads<number>(database.urgent, async (db, keys) => {
    await sql`select 1`.execute(db);
    asked.push([...keys]);
    if (keys.includes("broken")) throw new Error("broken");
    return new Map(keys.filter((key) => key !== "none").map((key) => [key, key.length]));
  });
  const release = await holdConnection();
  const all = [reads.read("a"), reads.read("bb"), reads.read("a"), reads.read("none")];
  release();
  expect(await Promise.all(all)).toEqual([1, 2, 1, undefined]);
  expect(asked).toEqual([["a", "bb", "none"]]);
  await expect(reads.read("broken")).rejects.toThrow("broken");
  expect(await reads.read("ccc")).toBe(3);
});

test("a failed read rejects for all callers that share it, and is not cached", async () => {
  const reads = new SharedReads<number>(database.urgent);
  const broken = () => reads.read("a", () => Promise.reject(new Error("broken")));
  const release = await holdConnection();
  const both = [broken(), broken()];
  release();
  for (const one of both) await expect(one).rejects.toThrow("broken");
  expect(await reads.read("a", async () => 7)).toBe(7);
});

// Only there do all calls share a connection.
test.skipIf(inject("onPostgres"))(
  "of the embedded database, urgent calls have priority, but do not block other calls indefinitely",
  async () => {
    const release = await holdConnection();
    const order: string[] = [];
    const ask = (name: string, queries: Database["queries"]) =>
      queries.connection().execute(async () => void order.push(name));
    const all = [
      ask("usual 1", database.queries),
      ask("usual 2", database.queries),
      ...Array.from({ length: 12 }, (_, i) => ask(`urgent ${i + 1}`, database.urgent)),
    ];
    release();
    await Promise.all(all);
    expect(order).toEqual([
      ...Array.from({ length: 10 }, (_, i) => `urgent ${i + 1}`),
      "usual 1",
      "urgent 11",
      "urgent 12",
      "usual 2",
    ]);
  },
);
