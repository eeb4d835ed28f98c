import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";
import { BETWEEN, readObject } from "./chunk-text.ts";
import type { ObjectRecord } from "./objects.ts";

/** How a line begins, before the key (`chunk-text.ts`). */
const START = '{"k":"';

/** The key of a line, escaped as in JSON. The size follows it. */
const KEY = keyAfter(START);

/** Stored objects of a chunk. */
export interface WantedLines {
  /** A condition on `line` for objects whose path is `data/` + key. */
  isIn: RawBuilder<boolean>;
  /** Whether all objects whose path is not `data/` + key are returned, too. Then the limit does not apply. */
  hasOdd: boolean;
  /** The sequence number after which objects are returned. */
  after: number;
  limit: number;
}

/**
 * Stored objects of a chunk. The database selects their lines, because the whole chunk takes several times longer to transfer.
 */
export async function linesIn(
  db: Queries,
  id: string,
  attempt: number,
  no: number,
  { isIn, hasOdd, after, limit }: WantedLines,
): Promise<ObjectRecord[]> {
  // Metadata of the object can have the same member, later in the line.
  const isOdd = sql<boolean>`position('"p":"' in split_part(line, ',"m":{', 1)) > 0`;
  // The limit applies to objects that are wanted, also if many odd ones have keys like theirs.
  const isWanted = hasOdd ? sql<boolean>`(${isIn} or ${isOdd})` : sql<boolean>`${isIn} and not ${isOdd}`;
  const { rows } = await sql<{ line: string; seq: number }>`
    select line, first_seq + place - 1 as seq
    from chunk, unnest(string_to_array(substr(objects, 2, length(objects) - 2), ${BETWEEN})) with ordinality as lines (line, place)
    where submission_id = ${id} and attempt = ${attempt} and no = ${no}
      and first_seq + place - 1 > ${after} and position('"s":1' in line) > 0 and ${isWanted}
    order by place ${hasOdd ? sql`` : sql`limit ${limit}`}`.execute(db);
  return rows.map(({ line, seq }) => readObject(line, seq));
}

/** The condition for keys in a folder itself. @param folder with a slash at the end; empty for all objects without one */
export function isKeyIn(folder: string): RawBuilder<boolean> {
  const start = START + inJson(folder);
  return sql<boolean>`starts_with(line, ${start}) and position('/' in ${keyAfter(start)}) = 0`;
}

/** The condition for keys that contain each of the words, regardless of case. */
export function hasWords(words: readonly string[]): RawBuilder<boolean> {
  return sql<boolean>`(${sql.join(
    words.map((word) => sql`${KEY} ~ ${patternOf(word)}`),
    sql` and `,
  )})`;
}

function keyAfter(start: string): RawBuilder<string> {
  return sql<string>`split_part(substr(line, ${sql.lit(start.length + 1)}), '","b":', 1)`;
}

/**
 * A regular expression for a word, because the database may not know the other case of letters outside ASCII.
 * (PostgreSQL, section 9.7.3: Advanced Regular Expressions.)
 */
function patternOf(word: string): string {
  const cases = (letter: string) => [...new Set([letter, letter.toLowerCase(), letter.toUpperCase()])].filter(isOne);
  return [...word].map((letter) => `(?:${cases(letter).map(literal).join("|")})`).join("");
}

function isOne(text: string): boolean {
  return [...text].length === 1;
}

function literal(letter: string): string {
  return inJson(letter).replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
