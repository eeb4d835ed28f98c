import { type Kysely, sql } from "kysely";

/**
 * The public catalogue: one entry for each version that was ever published. Whether an entry is visible, and whether its
 * files are open, changes in the transaction that changes the publication; everything else is written afterwards by the
 * service. `publication.catalogued` tells what it still has to write: after this migration, all that is published.
 */
const statements = [
  sql`alter table publication add column catalogued boolean not null default false`,
  sql`create index publication_uncatalogued on publication (since)
    where not catalogued and state in ('published', 'withdrawn')`,
  sql`create table catalogue_term (
    id integer generated always as identity primary key,
    kind text not null,
    value text not null,
    label text not null
  )`,
  // Values can be longer than an index entry may be.
  sql`create unique index catalogue_term_value on catalogue_term (kind, md5(value))`,
  sql`create table catalogue_entry (
    no bigint generated always as identity primary key,
    dataset_id uuid not null references dataset on delete cascade,
    version integer not null,
    changed_at timestamptz not null,
    visible boolean not null,
    newest boolean not null,
    access text not null,
    embargo_date text,
    published_at timestamptz not null,
    revision integer not null,
    title text not null,
    sort_title text collate "C" not null,
    summary jsonb not null,
    terms integer[] not null,
    heading tsvector not null,
    words tsvector not null,
    file_words tsvector,
    unique (dataset_id, version)
  )`,
  sql`create index catalogue_entry_words on catalogue_entry using gin (words)`,
  sql`create index catalogue_entry_file_words on catalogue_entry using gin (file_words)`,
  sql`create index catalogue_entry_terms on catalogue_entry using gin (terms)`,
  sql`create index catalogue_entry_newest on catalogue_entry (published_at, no) where visible and newest`,
  sql`create index catalogue_entry_title on catalogue_entry (sort_title, no) where visible and newest`,
  sql`create index catalogue_entry_changed on catalogue_entry (changed_at)`,
  sql`create index catalogue_entry_embargo on catalogue_entry (embargo_date) where access = 'embargoed'`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
