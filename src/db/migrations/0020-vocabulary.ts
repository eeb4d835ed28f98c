import { type Kysely, sql } from "kysely";

/**
 * Controlled vocabularies for the metadata form. Entries and names have no foreign keys, because checking them row by row
 * would take longer than the rest of an import, which inserts all rows of a vocabulary in one transaction.
 */
const statements = [
  sql`create table vocabulary (
    id integer generated always as identity primary key,
    name text not null unique,
    kind text not null,
    title text not null,
    language text,
    schemes jsonb not null,
    entries integer not null,
    imported_at timestamptz not null
  )`,
  sql`create table vocabulary_entry (
    vocabulary_id integer not null,
    no integer not null,
    kind text not null,
    id text not null,
    label text not null,
    acronyms text[] not null,
    alternatives text[] not null,
    language text,
    scheme text,
    scheme_uri text,
    notation text,
    city text,
    country text,
    folded text not null,
    words tsvector not null,
    primary key (vocabulary_id, no)
  )`,
  // Identifiers can be longer than an index entry may be.
  sql`create index vocabulary_entry_id on vocabulary_entry (md5(id), kind)`,
  sql`create index vocabulary_entry_words on vocabulary_entry using gin (words)`,
  // The collation orders by code point, so that a prefix is a range of the index.
  sql`create table vocabulary_name (
    vocabulary_id integer not null,
    no integer not null,
    kind text not null,
    rank smallint not null,
    term text collate "C" not null
  )`,
  sql`create index vocabulary_name_term on vocabulary_name (kind, rank, term)`,
  sql`create index vocabulary_name_entry on vocabulary_name (vocabulary_id)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await statement.execute(db);
}
