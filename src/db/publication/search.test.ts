import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { db, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { listPublications, type PublicationListRow, publicationPosition } from "./list.ts";

useTestDatabase();

const ISSUER = "https://id.example.org/realms/library#";
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** The numbers of the publications that a search finds, page after page. */
async function search(q: string, owner?: string, sort: "since" | "title" = "title"): Promise<number[]> {
  const found: PublicationListRow[] = [];
  for (let rows: PublicationListRow[] = []; ; found.push(...rows)) {
    const last = found.at(-1);
    const after = last && publicationPosition(last, sort);
    const all = { owner, state: undefined, queue: undefined, account: "cleo", collections: undefined };
    rows = (await listPublications(db, "tokens", { ...all, q, sort, limit: 500, after })) ?? [];
    if (rows.length === 0) break;
  }
  return found.map((row) => Number(row.dataset_id.slice(-12)));
}

/** Publications 1 to `last`; all have a word and a part of the title in common, and the first two another owner. */
async function fill(last: number): Promise<void> {
  await sql`truncate dataset, submission, doi cascade`.execute(db);
  const numbers = sql`(select no, '00000000-0000-4000-8000-' || lpad(no::text, 12, '0') as id,
    ${ISSUER} || case when no < 3 then 'Zoë' else 'ada' end as owner from generate_series(1, ${last}::int) as no) as numbers`;
  await sql`insert into dataset (id, owner, title, latest_version, latest_ocfl_version, created_at)
    select id::uuid, owner, 't', 1, 1, now() from ${numbers}`.execute(db);
  await sql`insert into submission (id, owner, status, title, sent, metadata, summary, metadata_bytes, warnings, endpoint, bucket,
      addressing, selection, anonymous, dataset_id, dataset_version, created_at, updated_at, finished_at)
    select id::uuid, owner, 'completed', 't', '{}', '{}', '{}', 2, '[]', 'https://s3.example.org', 'b', 'path', '{}', false,
      id::uuid, 1, now(), now(), now() from ${numbers}`.execute(db);
  await sql`insert into dataset_version (dataset_id, version, ocfl_version, submission_id, published_at, objects, bytes)
    select id::uuid, 1, 1, id::uuid, now(), 1, 1 from ${numbers}`.execute(db);
  await sql`insert into submission_search (submission_id, title, words)
    select id::uuid, 'soil moisture ' || no, array_to_tsvector(array['soil', 'moisture', 'plot' || no || 'x']) from ${numbers}`.execute(
    db,
  );
  await sql`insert into publication (dataset_id, version, state, since, changes, access, access_reason, publish_on_approval, attempts)
    select id::uuid, 1, 'in_review', timestamptz '2026-01-01' + no * interval '1 hour', 1, 'open', '', true, 0 from ${numbers}`.execute(
    db,
  );
  await sql`insert into doi (doi, dataset_id, version, created_at, reserved, state) values
    ('10.5072/soil7', ${id(7)}::uuid, 1, now(), true, 'draft'), ('10.5072/gone', ${id(8)}::uuid, 1, now(), true, 'abandoned')`.execute(
    db,
  );
}

describe.each([10, 1_100])("of %d publications, a search finds", (last) => {
  beforeAll(() => fill(last));
  const all = Array.from({ length: last }, (_, index) => index + 1);

  test("all with a word or a part of the title, in order", async () => {
    expect(await search("mois", undefined, "since")).toEqual(all);
    expect((await search("oil moist")).sort((a, b) => a - b)).toEqual(all);
    const byTitle = all.map(String).sort();
    expect((await search("soil")).map(String)).toEqual(byTitle);
  });

  test("owners by a part of the name, and not by the address of their provider", async () => {
    expect((await search("AD")).sort((a, b) => a - b)).toEqual(all.slice(2));
    expect(await search("zoë")).toEqual([1, 2]);
    expect(await search(`${ISSUER}Zoë`)).toEqual([1, 2]);
    expect(await search("realms")).toEqual([]);
    expect(await search("soil", `${ISSUER}Zoë`)).toEqual([1, 2]);
  });

  test("single ones by a word, their id, or a part of a DOI that is in use", async () => {
    expect(await search("plot9x")).toEqual([9]);
    expect(await search(`urn:uuid:${id(5).toUpperCase()}`)).toEqual([5]);
    expect(await search("https://doi.org/10.5072/SOIL7")).toEqual([7]);
    for (const q of ["10.5072/gone", "zzzz", id(999_999)]) expect(await search(q)).toEqual([]);
  });
});

test("the id of a dataset also finds those whose metadata name it", async () => {
  await fill(10);
  await sql`update submission_search set title = ${`Follow-up of ${id(3)}`} where submission_id = ${id(4)}::uuid`.execute(
    db,
  );
  expect((await search(id(3))).sort()).toEqual([3, 4]);
});
