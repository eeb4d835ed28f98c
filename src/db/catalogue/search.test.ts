import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { database, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { KeptCounts } from "./kept-counts.ts";
import { type CatalogueFilter, prepareSearch } from "./prepare-search.ts";
import { type CataloguePage, findDatasets } from "./search.ts";
import { followEntries, searchOpenedFiles } from "./searched.ts";

useTestDatabase();

const sha256 = (text: string) => createHash("sha256").update(text).digest();

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

const counts = new KeptCounts();

async function search(filter: Partial<CatalogueFilter>, page: Partial<CataloguePage> = {}) {
  const whole = { q: "", terms: {}, access: [], now: new Date(), ...filter };
  const prepared = await prepareSearch(database.queries, whole);
  const wanted = { sort: "newest" as const, limit: 10, facets: 10, ...page };
  return findDatasets(database.queries, prepared, whole, wanted, counts);
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
      sort_title, summary, terms, heading, words, file_words)
    select id, 1, now(), true, true, 'open', now() - n * interval '1 second', 1, n::text, lpad(n::text, 9, '0'), '{}',
      array(select catalogue_term.id from catalogue_term where value = case when n % 3 = 0 then 'Image' else 'Dataset' end),
      'wheat:1A', to_tsvector('simple', 'wheat number ' || n), ''
    from (select id, row_number() over () as n from dataset where owner = ${owner}) as numbered`.execute(
    database.queries,
  );
  await followEntries(database.queries, sql`true`);
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
  // Numbers are kept, but not after a change.
  const before = await search({ q: "wheat" });
  expect(await search({ q: "wheat" }, { offset: 10 })).toMatchObject({ total: before.total, facets: before.facets });
  await sql`update catalogue_entry set visible = false, changed_at = clock_timestamp() where title = '7'`.execute(
    database.queries,
  );
  await followEntries(database.queries, sql`title = '7'`);
  expect((await search({ q: "wheat" })).total).toBe(20_499);
  expect((await search({ q: "wheat" })).facets[0]).toMatchObject({ value: "open", datasets: 20_499 });
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
  await followEntries(database.queries, every);
  await searchOpenedFiles(database.queries);
  expect((await search({ q: "secret" })).total).toBe(0);
  expect((await search({ q: "-secret" })).total).toBe(1);
  await entry({ access: "embargoed", embargo_date: inDays(0) });
  await database.queries
    .updateTable("catalogue_search")
    .set({ embargo_date: inDays(0) })
    .execute();
  await searchOpenedFiles(database.queries);
  expect((await search({ q: "secret wheat" })).total).toBe(1);
  expect((await search({ q: "-secret" })).total).toBe(0);
  await entry({ access: "restricted", embargo_date: null });
  await followEntries(database.queries, every);
  expect((await search({ q: "secret" })).total).toBe(0);
});

test("a dataset with more words than one index entry can have is found by those of its metadata", async () => {
  await addDatasets(1);
  const words = sql<string>`(select to_tsvector('simple', string_agg(repeat('x', 20) || n, ' ')) from generate_series(1, 24000) as n)`;
  const names = sql<string>`(select to_tsvector('simple', string_agg(repeat('y', 20) || n, ' ')) from generate_series(1, 24000) as n)`;
  await database.queries.updateTable("catalogue_entry").set({ words, file_words: names }).execute();
  await followEntries(database.queries, sql<boolean>`true`);
  expect((await search({ q: `${"x".repeat(20)}24000` })).total).toBe(1);
  expect((await search({ q: `${"y".repeat(20)}24000` })).total).toBe(0);
});

describe("phrases", () => {
  const WORDS = ["wheat", "yield", "of", "the", "der", "und", "plants", "plant", "soil's", "über"];
  /** A text that is the same in every run. */
  const textOf = (seed: number, length: number) =>
    Array.from({ length }, (_, n) => WORDS[sha256(`${seed} ${n}`).readUInt8() % WORDS.length]).join(" ");

  test("are found where their words follow each other", async () => {
    await addDatasets(80);
    const vector = (text: unknown) =>
      sql`to_tsvector('simple', ${text}) || to_tsvector('english', ${text}) || to_tsvector('german', ${text})`;
    for (let n = 1; n <= 80; n++) {
      await sql`update catalogue_entry set words = ${vector(sql`${textOf(n, n === 1 ? 3 : 9)}::text`)} where title = ${String(n)}`.execute(
        database.queries,
      );
    }
    await followEntries(database.queries, sql`true`);
    // As if there were too many pairs.
    await sql`update catalogue_search set has_pairs = false, found_words = array_to_tsvector(array(
      select case when lexeme like ' %' then ' ' else lexeme end from unnest(found_words))) where no % 3 = 0`.execute(
      database.queries,
    );
    const found = new Set<number>();
    for (let n = 0; n < 120; n++) {
      const phrase = textOf(n + 13, 2 + (n % 3));
      const filter = { q: `"${phrase}"`, terms: {}, access: [], now: new Date() };
      const { query } = await prepareSearch(database.queries, filter);
      const { rows } = await sql<{ number: number }>`
        select count(*)::integer as number from catalogue_entry where words @@ ${query}::tsquery`.execute(
        database.queries,
      );
      const [{ number } = { number: -1 }] = rows;
      const { total } = await search({ q: `"${phrase}"` });
      // The database compares only how far words are from each other, and not whether all words between them are ignored.
      const isExact = !query?.includes("<2>") && !query?.includes("<3>");
      expect([phrase, total]).toEqual([phrase, isExact ? number : expect.toSatisfy((n) => n <= number)]);
      expect([phrase, (await search({ q: `-"${phrase}"` })).total]).toEqual([phrase, 80 - total]);
      if (isExact) found.add(number);
    }
    expect(found.size).toBeGreaterThan(5);
  });

  test("of names of files are found by all their words, but only while the files are open", async () => {
    await addDatasets(2);
    await sql`update catalogue_entry set file_words = to_tsvector('simple', '02 plot csv')`.execute(database.queries);
    await sql`update catalogue_entry set access = 'restricted' where title = '2'`.execute(database.queries);
    await followEntries(database.queries, sql`true`);
    for (const q of ["plot-02.csv", '"plot 02"', '"plot 02 csv"', "plo", "csv -image"]) {
      expect([q, (await search({ q })).found.map(({ title }) => title)]).toEqual([q, ["1"]]);
    }
    expect((await search({ q: '"plot wheat"' })).total).toBe(0);
  });
});
