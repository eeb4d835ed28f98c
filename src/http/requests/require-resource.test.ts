import type { FastifyRequest } from "fastify";
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from "kysely";
import { expect, test } from "vitest";
import type { Queries } from "../../db/database.ts";
import { privatePublication } from "../../db/publication/publications.ts";
import type { HttpContext } from "../context.ts";
import { requireReadableDataset } from "./require-resource.ts";

const PRIVATE = "7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d11";
const MISSING = "7f3c9c1e-3f3e-4a52-8f0b-0a4dcb8b2d12";
const TABLES: Record<string, object[]> = {
  dataset: [{ id: PRIVATE, owner: "ada", withdrawn_at: null }],
  publication: [{ ...privatePublication(PRIVATE, 1, new Date()), state: "in_review" }],
};

/** A database with one private dataset, and the queries that it was asked. */
function recorded(): { db: Queries; asked: string[] } {
  const asked: string[] = [];
  const driver = new DummyDriver();
  const connection = {
    async executeQuery({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) {
      asked.push(sql);
      const [, table = ""] = /from "(\w+)"/.exec(sql) ?? [];
      return { rows: parameters.includes(PRIVATE) ? (TABLES[table] ?? []) : [] };
    },
    async *streamQuery() {},
  };
  driver.acquireConnection = async () => connection as never;
  const dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  return { db: new Kysely({ dialect }) as unknown as Queries, asked };
}

/** What a reader learns of a dataset, and what the service had to ask the database for it. */
async function askedFor(id: string, caller: object | null) {
  const { db, asked } = recorded();
  const request = { params: { id }, caller } as unknown as FastifyRequest;
  const error = await requireReadableDataset({ db } as HttpContext, request).catch((one: Error) => one);
  return { error: String(error).replaceAll(id, "ID"), asked };
}

// The time of an answer depends on the number of queries, and tests do not measure times.
test.each([
  ["without a token", null, /Authentication is required/],
  ["with a token of somebody else", { owner: "bob", roles: ["submitter"] }, /does not exist/],
])("a reader %s gets the same answer after the same queries for a private dataset and for none", async (...of) => {
  const [, caller, message] = of;
  const secret = await askedFor(PRIVATE, caller);
  expect(secret.error).toMatch(message);
  expect(secret.asked.length).toBeGreaterThan(1);
  expect(secret).toEqual(await askedFor(MISSING, caller));
  expect((await askedFor("no id", caller)).asked).toEqual([]);
});
