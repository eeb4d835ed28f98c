import { type Kysely, sql } from "kysely";

/**
 * What searches find is in the small rows of a separate table: a search for a frequent word reads most of the rows, and those
 * of entries are five times larger.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await statement.execute(db);
}

const STATEMENTS = [
  sql`create table catalogue_search (
    no bigint primary key references catalogue_entry on delete cascade,
    published_at timestamptz not null,
    sort_title text collate "C" not null,
    access text not null,
    embargo_date text,
    terms integer[] not null,
    searches_files boolean not null,
    has_pairs boolean not null,
    found_words tsvector not null
  )`,
  // Words are stored apart from the rows; everything else is in them.
  sql`alter table catalogue_search set (toast_tuple_target = 128),
    alter column terms set storage main, alter column sort_title set storage main`,
  // As in catalogue/found-words.ts.
  sql`insert into catalogue_search
    select no, published_at, sort_title, access, embargo_date, terms, searches_files, has_pairs,
      strip(words) || case when has_names then names else '' end
        || array_to_tsvector(case when has_pairs then pairs else array[' '] end)
    from (
      select *,
        array(select ' ' || lexeme || repeat(' ', distance) || next from (
          select lexeme, lead(lexeme) over place as next, lead(position) over place - position as distance
          from unnest(words) as word (lexeme, positions, weights), unnest(positions) as position
          where position < 16383 window place as (order by position)) as follower
          where distance between 1 and 4 and octet_length(lexeme) < 1000 and octet_length(next) < 1000) as pairs,
        case when searches_files then array_to_tsvector(array(
          select ' /' || lexeme from unnest(file_words) where octet_length(lexeme) < 1000)) else '' end as names
      from catalogue_entry where visible and newest offset 0) as entry,
    lateral (select pg_column_size(strip(words)) + pg_column_size(names) as bytes) as size,
    lateral (select bytes < 1000000 as has_names,
      bytes + octet_length(array_to_string(pairs, '')) < 1000000 as has_pairs) as fitting`,
  // Without a list of pending entries, which each search would read.
  sql`create index catalogue_search_words on catalogue_search using gin (found_words) with (fastupdate = off)`,
  sql`create index catalogue_search_terms on catalogue_search using gin (terms) with (fastupdate = off)`,
  sql`drop index catalogue_entry_found, catalogue_entry_newest, catalogue_entry_title`,
  sql`alter table catalogue_entry drop column found_words, drop column searches_files`,
  // Without statistics, searches would be slow until the database collects them.
  sql`analyze catalogue_search`,
];
