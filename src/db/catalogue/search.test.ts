import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { database, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { searchOpenedFiles, updateFoundWords } from "./found-words.ts";
import { type CatalogueFilter, prepareSearch } from "./prepare-search.ts";
import { type CataloguePage, findDatasets } from "./search.ts";

useTestDatabase();

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

async function search(filter: Partial<CatalogueFilter>, page: Partial<CataloguePage> = {}) {
  const whole = { q: "", terms: {}, access: [], now: new Date(), ...filter };
  const prepared = await prepareSearch(database.queries, whole);
  return findDatasets(database.queries, prepared, whole, { sort: "newest", limit: 10, facets: 10, ...page });
}

/** Adds published datasets with the words “wheat” and the number, every third of the type `Image`. */
async function addDatasets(number: number): Promise<void> {
  await database.queries.deleteFrom("dataset").execute();
  const owner = randomUUID();
  await sql`insert into dataset (id, owner, title, latest_version, latest_ocfl_version, created_at)
    select gen_random_uuid(), ${owner}, '', 1, 1, now() from generate_series(1, ${number}::integer)`.execute(
    database.queries,
  );
  await sql`insert into catalogue_term (kind, value, label) values ('type', 'Dataset', 'Dataset'), ('type', 'Image', 'Image')
    on conflict do nothing`.execute(database.queries);
  await sql`insert into catalogue_entry (dataset_id, version, changed_at, visible, newest, access, published_at, revision, title,
      sort_title, summary, terms, heading, words, file_words, searches_files, found_words)
    select id, 1, now(), true, true, 'open', now() - n * interval '1 second', 1, n::text, lpad(n::text, 9, '0'), '{}',
      array(select catalogue_term.id from catalogue_term where value = case when n % 3 = 0 then 'Image' else 'Dataset' end),
      'wheat:1A', to_tsvector('simple', 'wheat number ' || n), '', true, to_tsvector('simple', 'wheat number ' || n)
    from (select id, row_number() over () as n from dataset where owner = ${owner}) as numbered`.execute(
    database.queries,
  );
}

test("of many found datasets the number is exact, and those of their values are estimated", async () => {
  await addDatasets(20_500);
  for (const q of ["", "wheat", '"wheat number"']) {
    const { total, facets, found } = await search({ q });
    expect([q, total, found.map(({ title }) => title)]).toEqual([
      q,
      20_500,
      ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"],
    ]);
    expect(facets[0]).toEqual({ kind: "access", value: "open", label: "open", datasets: 20_500, isEstimated: false });
    const types = Object.fromEntries(facets.slice(1).map((facet) => [facet.value, facet]));
    expect(types.Dataset).toMatchObject({
      isEstimated: true,
      datasets: expect.toSatisfy((n) => n > 12_000 && n < 15_500),
    });
  }
  const few = await search({ q: "wheat 20001" });
  expect([few.total, few.facets.some(({ isEstimated }) => isEstimated)]).toEqual([1, false]);
  // Alternatives to a chosen value are counted among all.
  const chosen = await search({ terms: { type: ["Image"] } });
  expect(chosen.total).toBe(Math.floor(20_500 / 3));
  expect(chosen.facets.find(({ value }) => value === "Dataset")?.datasets).toBeGreaterThan(12_000);
  expect((await search({ access: ["restricted"] })).total).toBe(0);
});

test("names of files are found while they are open: also after an embargo that has ended by the clock", async () => {
  await addDatasets(1);
  const every = sql<boolean>`true`;
  const entry = (values: { access: string; embargo_date: string | null }) =>
    database.queries
      .updateTable("catalogue_entry")
      .set({ ...values, access: values.access as "open", file_words: "'secret':1" })
      .execute();
  await entry({ access: "embargoed", embargo_date: inDays(1) });
  await updateFoundWords(database.queries, every);
  await searchOpenedFiles(database.queries);
  expect((await search({ q: "secret" })).total).toBe(0);
  expect((await search({ q: "-secret" })).total).toBe(1);
  await entry({ access: "embargoed", embargo_date: inDays(0) });
  await searchOpenedFiles(database.queries);
  expect((await search({ q: "secret wheat" })).total).toBe(1);
  expect((await search({ q: "-secret" })).total).toBe(0);
  await entry({ access: "restricted", embargo_date: null });
  await updateFoundWords(database.queries, every);
  expect((await search({ q: "secret" })).total).toBe(0);
});

test("a dataset with more words than one index entry can have is found by those of its metadata", async () => {
  await addDatasets(1);
  const words = sql<string>`(select to_tsvector('simple', string_agg(repeat('x', 20) || n, ' ')) from generate_series(1, 24000) as n)`;
  const names = sql<string>`(select to_tsvector('simple', string_agg(repeat('y', 20) || n, ' ')) from generate_series(1, 24000) as n)`;
  await database.queries.updateTable("catalogue_entry").set({ words, file_words: names }).execute();
  await updateFoundWords(database.queries, sql<boolean>`true`);
  expect((await search({ q: `${"x".repeat(20)}24000` })).total).toBe(1);
  expect((await search({ q: `${"y".repeat(20)}24000` })).total).toBe(0);
});
