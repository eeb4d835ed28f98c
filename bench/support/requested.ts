import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { datasetFolder, makeStorageRoot } from "../../src/archive/layout.ts";
import type { Queries } from "../../src/db/database.ts";
import { privatePublication } from "../../src/db/publication/publications.ts";
import { searchTextOf } from "../../src/domain/submission/search.ts";
import type { PublicationState } from "../../src/publication/rules/states.ts";
import { chance, idOf, metadataOf } from "./published.ts";

/** Datasets of one transaction. */
const BATCH = 500;
const OWNERS = 200;
const CURATORS = 8;
const HOUR_MS = 3_600_000;
/** Entries of the history of each dataset: a request, and comments of which every second one is resolved. */
const COMMENTS = 6;

/** Six of ten wait for a curator, two for their owner, and two are published. */
const STATES: PublicationState[] = [
  ...(Array(6).fill("in_review") as PublicationState[]),
  "changes_requested",
  "approved",
  "published",
  "published",
];

/** Fills an empty database with archived datasets whose publication was requested, each with a history. */
export async function requestPublications(db: Queries, archive: string, datasets: number): Promise<void> {
  for (let from = 0; from < datasets; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, datasets - from) }, (_, n) => from + n);
    await db.transaction().execute(async (trx) => {
      for (const number of numbers) await archived(trx, number);
      const rows = numbers.map(publicationOf);
      await trx.insertInto("publication").values(rows).execute();
      for (const { dataset_id: id, since } of rows) {
        await sql`
          insert into publication_entry (dataset_id, version, no, at, actor, action, state, comment, answers, revision, data)
          select ${id}, 1, no, ${since}::timestamptz + no * interval '1 minute', 'cleo',
            case when no = 1 then 'request' when no % 2 = 0 then 'comment' else 'resolve' end, 'in_review',
            case when no % 2 = 0 then 'Which depth?' else '' end,
            case when no > 1 and no % 2 = 1 then no - 1 end, 1,
            case when no > 1 and no % 2 = 1 then '{"resolved": true}'::jsonb end
          from generate_series(1, ${COMMENTS * 2}::int) as no`.execute(trx);
      }
    });
  }
  // A server does so within a minute, and the service for the embedded database.
  await sql`analyze`.execute(db);
  // The service starts only if the archive has the newest dataset.
  const newest = join(archive, datasetFolder(`urn:uuid:${idOf(datasets - 1)}`));
  await makeStorageRoot(join(archive, "ocfl"));
  await mkdir(newest, { recursive: true });
  await writeFile(join(newest, "inventory.json"), "{}");
}

function publicationOf(number: number) {
  const since = new Date(Date.UTC(2026, 0, 1) + Math.floor(chance(`since ${number}`) * 5_000) * HOUR_MS);
  const assignee = number % 3 === 0 ? `curator ${number % CURATORS}` : null;
  const state = STATES[number % STATES.length] ?? "in_review";
  const row = privatePublication(idOf(number), 1, since);
  const found = { changes: 1, check_errors: 0, check_warnings: 2 };
  return { ...row, ...found, state, assignee, agreement: null, problem: null };
}

/** One archived dataset with what lists and searches read of it. */
async function archived(db: Queries, number: number): Promise<void> {
  const metadata = metadataOf(number);
  const { title, words } = searchTextOf(metadata);
  const [id, owner] = [idOf(number), `owner ${number % OWNERS}`];
  const at = new Date(Date.UTC(2025, 0, 1) + number * HOUR_MS);
  const text = JSON.stringify(metadata);
  await sql`
    with new_dataset as (
      insert into dataset (id, owner, title, latest_version, latest_ocfl_version, created_at)
      values (${id}, ${owner}, ${metadata.title}, 1, 1, ${at})),
    new_submission as (
      insert into submission (id, owner, status, title, sent, metadata, summary, metadata_bytes, warnings, endpoint, bucket,
        addressing, selection, anonymous, dataset_id, dataset_version, created_at, updated_at, finished_at)
      values (${id}, ${owner}, 'completed', ${metadata.title}, ${text}, ${text}, '{}', ${text.length}, '[]',
        'https://s3.example.org', 'bench', 'path', '{}', false, ${id}, 1, ${at}, ${at}, ${at})),
    new_version as (
      insert into dataset_version (dataset_id, version, ocfl_version, submission_id, published_at, objects, bytes)
      values (${id}, 1, 1, ${id}, ${at}, 10, 1000))
    insert into submission_search (submission_id, title, words)
    values (${id}, ${title}, array_to_tsvector(${words}::text[]))`.execute(db);
}
