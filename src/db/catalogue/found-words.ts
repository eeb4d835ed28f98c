import { type RawBuilder, sql } from "kysely";

/*
 * The words by which a search finds a dataset are one `tsvector` without positions, so that its index alone decides. It has
 * - the words of the metadata as they are stored;
 * - the words of names of files, while the files are open, after ` /`;
 * - two words of the metadata that follow each other as ` one two`, with a further space for each ignored word between them. Without these
 *   pairs, phrases of frequent words would be compared with the texts of most datasets. If the pairs are too many, there is a
 *   single space instead.
 * Other words do not begin with a space, so beginnings of words are found only in words.
 */

/** Bytes of a `tsvector`. PostgreSQL refuses more than 1 MiB of words. */
const MOST_BYTES = 1_000_000;
/** Bytes of a word in pairs and names, and of the longer word that PostgreSQL accepts. */
const LONGEST = 1_000;
/** Words between which more are ignored are not stored as a pair. */
const FARTHEST = 4;
/** PostgreSQL counts positions up to here. */
const LAST_POSITION = 16_383;

/**
 * A query for the columns `searches_files`, `has_pairs` and `found_words` of entries.
 * @param open whether the files of an entry are open
 * @param which a condition for entries
 */
export function foundWordsOf(open: RawBuilder<boolean>, which: RawBuilder<boolean>): RawBuilder<unknown> {
  // With an offset, the words are read once for each entry.
  return sql`
    select no, published_at, sort_title, access, embargo_date, terms, is_open as searches_files, has_pairs,
      strip(words) || case when has_names then names else '' end
        || array_to_tsvector(case when has_pairs then pairs else array[' '] end) as found_words
    from (
      select *, ${open} as is_open,
        array(select ' ' || lexeme || repeat(' ', distance) || next from (
          select lexeme, lead(lexeme) over place as next, lead(position) over place - position as distance
          from unnest(words) as word (lexeme, positions, weights), unnest(positions) as position
          where position < ${sql.lit(LAST_POSITION)} window place as (order by position)) as follower
          where distance between 1 and ${sql.lit(FARTHEST)}
            and octet_length(lexeme) < ${sql.lit(LONGEST)} and octet_length(next) < ${sql.lit(LONGEST)}) as pairs,
        case when ${open} then array_to_tsvector(array(
          select ' /' || lexeme from unnest(file_words) where octet_length(lexeme) < ${sql.lit(LONGEST)})) else '' end as names
      from catalogue_entry where ${which} offset 0) as entry,
    lateral (select pg_column_size(strip(words)) + pg_column_size(names) as bytes) as size,
    lateral (select bytes < ${sql.lit(MOST_BYTES)} as has_names,
      bytes + octet_length(array_to_string(pairs, '')) < ${sql.lit(MOST_BYTES)} as has_pairs) as fitting`;
}

const LEXEME = String.raw`'((?:[^'\\]|''|\\.)*)'(:\*)?`;
/** A word, or words of a phrase, in the text of a `tsquery`. */
const WORDS = new RegExp(String.raw`${LEXEME}(?: <(?:-|\d+)> ${LEXEME})*`, "g");
const WORD = new RegExp(String.raw`(?: <(-|\d+)> )?${LEXEME}`, "g");

/** A `tsquery` for `found_words`. */
export interface FoundQuery {
  query: string;
  /** Whether it also finds datasets with pairs that do not match: those with all pairs of a phrase, but at different places. */
  isWider: boolean;
}

/**
 * Converts the text of a `tsquery` for words with positions. All words of a phrase may also be in names of files, which have no positions.
 * @param isExcluded whether datasets that it finds are left out: then phrases are only those of pairs
 */
export function foundQueryOf(query: string, isExcluded: boolean): FoundQuery {
  let isWider = false;
  const converted = query.replace(WORDS, (chain) => {
    const words = [...chain.matchAll(WORD)].map(([, distance = "-", word = "", rest = ""]) => ({
      distance: distance === "-" ? 1 : Number(distance),
      word,
      rest,
    }));
    const inNames = words.map(({ word, rest }) => `' /${word}'${rest}`).join(" & ");
    const [first, ...others] = words;
    const alone = first !== undefined && others.length === 0;
    if (alone) return `('${first.word}'${first.rest} | ${inNames})`;
    if (others.length > 1) isWider = true;
    const pairs = others.map(({ distance, word, rest }, n) => {
      const before = words[n]?.word ?? "";
      if (distance <= FARTHEST) return `' ${before}${" ".repeat(distance)}${word}'${rest}`;
      isWider = true;
      return `'${before}' & '${word}'${rest}`;
    });
    if (isExcluded) return `(${pairs.join(" & ")})`;
    const all = words.map(({ word, rest }) => `'${word}'${rest}`).join(" & ");
    return `(${pairs.join(" & ")} | ' ' & ${all} | ${inNames})`;
  });
  return { query: converted, isWider };
}
