import { type Kysely, sql } from "kysely";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import type { Remark } from "../../domain/problems.ts";
import { searchTextOf } from "../../domain/submission/search.ts";
import { summarize } from "../../domain/submission/summary.ts";

/** Summaries for lists and words for the search, so that neither reads the complete metadata. */
const before = [
  sql`alter table submission add column summary jsonb, add column metadata_bytes integer`,
  // A separate table, because the row of the submission is rewritten with each progress update.
  sql`create table submission_search (
    submission_id uuid primary key references submission on delete cascade,
    title text not null,
    words tsvector not null
  )`,
  // A title can be longer than an index entry may be.
  sql`drop index submission_title`,
  sql`create index submission_title on submission (owner, md5(title))`,
  sql`create index dataset_newest on dataset (owner, created_at desc, id desc)`,
  sql`create index dataset_newest_of_all on dataset (created_at desc, id desc)`,
];
const after = [
  sql`alter table submission alter column summary set not null, alter column metadata_bytes set not null`,
  // Created last, because filling an existing index row by row takes longer.
  sql`create index submission_search_words on submission_search using gin (words)`,
];

interface Row {
  id: string;
  sent: unknown;
  metadata: Partial<NormalizedMetadata>;
  selection: unknown;
  warnings: Remark[];
}

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of before) await statement.execute(db);
  for (let last = "00000000-0000-0000-0000-000000000000"; ; ) {
    // One at a time to bound memory: the documents of one submission can have 16 MiB.
    const { rows } = await sql<Row>`
      select id, sent, metadata, selection, warnings from submission where id > ${last}::uuid order by id limit 1
    `.execute(db);
    const [row] = rows;
    if (row === undefined) break;
    await fill(db, row);
    last = row.id;
  }
  for (const statement of after) await statement.execute(db);
}

async function fill(db: Kysely<unknown>, { id, metadata, ...row }: Row): Promise<void> {
  const { title, words } = searchTextOf(metadata);
  await sql`
    update submission set summary = ${JSON.stringify(summarize(row))}::jsonb,
      metadata_bytes = ${Buffer.byteLength(JSON.stringify(row.sent))}
    where id = ${id}::uuid`.execute(db);
  await sql`
    insert into submission_search (submission_id, title, words)
    values (${id}::uuid, ${title}, array_to_tsvector(${words}::text[]))`.execute(db);
}
