import { type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import {
  ALTERNATIVE,
  LABEL,
  type VocabularyEntry,
  type VocabularyKind,
  vocabularyQueryOf,
  vocabularySearchTextOf,
} from "../describe/vocabulary/vocabulary.ts";
import type { Queries } from "./database.ts";
import type { Tables, VocabularyEntryTable } from "./tables/tables.ts";

/** An imported vocabulary. */
export interface Vocabulary {
  name: string;
  kind: VocabularyKind;
  title: string;
  language: string | null;
  entries: number;
  importedAt: Date;
}

/** The vocabularies by name. */
export async function listVocabularies(db: Queries): Promise<Vocabulary[]> {
  const rows = await db.selectFrom("vocabulary").selectAll().orderBy("name").execute();
  return rows.map(({ name, kind, title, language, entries, imported_at }) => {
    return { name, kind: kind as VocabularyKind, title, language, entries, importedAt: imported_at };
  });
}

/** The kinds of which there is a vocabulary. */
export async function vocabularyKinds(db: Queries): Promise<VocabularyKind[]> {
  const rows = await db.selectFrom("vocabulary").select("kind").distinct().orderBy("kind").execute();
  return rows.map(({ kind }) => kind as VocabularyKind);
}

/** An entry that a search found. */
export type FoundEntry = Pick<
  Selectable<VocabularyEntryTable>,
  "id" | "label" | "acronyms" | "alternatives" | "language" | "scheme_uri" | "notation" | "city" | "country"
> & { scheme: string | null; vocabulary: string };

/** Number of matching entries that are sorted, if a search by words has more. */
const SORTED_MATCHES = 1_000;
/** The last code point. No term contains it, because it is not a letter. */
const LAST = "\u{10ffff}";

/** Where a match was found, best first. */
const EXACT = 0;
const BEGINNING = 1;
const WORDS = 10;

/**
 * The entries of a kind that match a query, best first: those with this identifier or name, those with a label, acronym or
 * other name that begins with it, and those with words that begin with its words.
 */
export async function searchVocabulary(
  db: Queries,
  kind: VocabularyKind,
  q: string,
  limit: number,
): Promise<FoundEntry[]> {
  const { term, words } = vocabularyQueryOf(q);
  if (words.length === 0) return [];
  const named = await matches(db, namesBeginning(kind, term, q, limit), limit);
  if (named.length === limit) return entriesOf(db, named);
  const found = new Set(named.map(({ vocabulary_id, no }) => `${vocabulary_id} ${no}`));
  const worded = await matches(db, wordsBeginning(kind, words), limit + named.length);
  const others = worded.filter(({ vocabulary_id, no }) => !found.has(`${vocabulary_id} ${no}`));
  return entriesOf(db, [...named, ...others].slice(0, limit));
}

interface Match {
  vocabulary_id: number;
  no: number;
}

/** The best matches, each entry once. The query has the columns place and sort_key. */
async function matches(db: Queries, query: RawBuilder<unknown>, limit: number): Promise<Match[]> {
  const { rows } = await sql<Match>`
    select vocabulary_id, no from (
      select distinct on (vocabulary_id, no) vocabulary_id, no, place, size, sort_key from (${query}) as match
      order by vocabulary_id, no, place, size, sort_key
    ) as best order by place, size, sort_key collate "C", vocabulary_id, no limit ${limit}`.execute(db);
  return rows;
}

/** Each part reads at most `limit` entries of an index. */
function namesBeginning(kind: VocabularyKind, term: string, q: string, limit: number): RawBuilder<unknown> {
  const ids = [q.trim(), `https://ror.org/${q.trim()}`, `https://doi.org/${q.trim()}`];
  const beginning = (rank: number) => sql`(
    select vocabulary_id, no, ${sql.lit(BEGINNING)} + rank as place, 0 as size, term as sort_key from vocabulary_name
    where kind = ${kind} and rank = ${sql.lit(rank)} and term >= ${term} and term < ${term + LAST}
    order by term limit ${limit})`;
  const ranks = Array.from({ length: ALTERNATIVE + 1 }, (_, rank) => rank);
  return sql`(
    select vocabulary_id, no, ${sql.lit(EXACT)} as place, 0 as size, id as sort_key from vocabulary_entry
    where md5(id) in (${sql.join(ids.map((id) => sql`md5(${id})`))}) and kind = ${kind} and id in (${sql.join(ids)})
    limit ${limit}
  ) union all (
    select vocabulary_id, no, ${sql.lit(EXACT)}, rank, term from vocabulary_name
    where kind = ${kind} and rank in (${sql.join(ranks.map((rank) => sql.lit(rank)))}) and term = ${term} limit ${limit}
  ) union all ${sql.join(ranks.map(beginning), sql` union all `)}`;
}

/** Entries with all words are better if these are words of the label, and if the label is short. */
function wordsBeginning(kind: VocabularyKind, words: readonly string[]): RawBuilder<unknown> {
  const wanted = words.map((word) => `'${lexeme(kind, word)}':*`).join(" & ");
  const inLabel = words.map((word) => sql`position(${` ${word}`} in ' ' || folded) > 0`);
  return sql`
    select vocabulary_id, no, case when ${sql.join(inLabel, sql` and `)} then ${sql.lit(WORDS)}
      else ${sql.lit(WORDS + 1)} end as place, length(folded) as size, folded as sort_key
    from (select vocabulary_id, no, folded from vocabulary_entry where words @@ ${wanted}::tsquery
      limit ${sql.lit(SORTED_MATCHES)}) as matching`;
}

async function entriesOf(db: Queries, found: readonly Match[]): Promise<FoundEntry[]> {
  if (found.length === 0) return [];
  const rows = await db
    .selectFrom("vocabulary_entry as entry")
    .innerJoin("vocabulary", "vocabulary.id", "entry.vocabulary_id")
    .select(["entry.id", "entry.label", "entry.acronyms", "entry.alternatives", "entry.language"])
    .select(["entry.scheme_uri", "entry.notation", "entry.city", "entry.country", "vocabulary.name as vocabulary"])
    .select(["entry.vocabulary_id", "entry.no"])
    .select(
      sql<string | null>`coalesce(entry.scheme, vocabulary.schemes ->> entry.scheme_uri, case entry.kind
        when 'subjects' then vocabulary.title end)`.as("scheme"),
    )
    .where(
      sql<boolean>`(entry.vocabulary_id, entry.no) in (${sql.join(
        found.map(({ vocabulary_id, no }) => sql`(${vocabulary_id}::integer, ${no}::integer)`),
      )})`,
    )
    .execute();
  const byKey = new Map(rows.map((row) => [`${row.vocabulary_id} ${row.no}`, row]));
  return found.flatMap(({ vocabulary_id, no }) => byKey.get(`${vocabulary_id} ${no}`) ?? []);
}

/** Words are letters and digits, so they need no escaping within the quotes of a tsquery. */
function lexeme(kind: VocabularyKind, word: string): string {
  return `${kind} ${word}`;
}

/** What is known of a vocabulary before and after its entries are read. */
export interface NewVocabulary {
  name: string;
  kind: VocabularyKind;
  language: string | null;
  /** Batches of entries. */
  batches: AsyncIterable<readonly VocabularyEntry[]>;
  /** Called after the last batch. */
  description(): { title: string; schemes: Record<string, string> };
}

/** Another process imports or removes a vocabulary. */
export class VocabularyInUse extends Error {
  override readonly name = "VocabularyInUse";
}

/** The vocabulary of this name has entries of another kind. */
export class VocabularyOfOtherKind extends Error {
  override readonly name = "VocabularyOfOtherKind";
}

/**
 * Imports a vocabulary in one transaction, and replaces the one with this name, which must have the same kind. If
 * `batches` throws, nothing changes.
 *
 * @returns the imported vocabulary, and whether it replaced one
 * @throws VocabularyInUse, VocabularyOfOtherKind, and the errors of `batches`
 */
export async function replaceVocabulary(
  db: Queries,
  { name, kind, language, batches, description }: NewVocabulary,
): Promise<Vocabulary & { replaced: boolean }> {
  const importedAt = new Date();
  const imported = await db.transaction().execute(async (trx) => {
    await lock(trx);
    await requireKind(trx, name, kind);
    // The file may be read from a slow disk.
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
    const replaced = await remove(trx, name);
    const row = { name, kind, language, title: name, schemes: "{}", entries: 0, imported_at: importedAt };
    const { id } = await trx.insertInto("vocabulary").values(row).returning("id").executeTakeFirstOrThrow();
    let entries = 0;
    for await (const batch of batches) {
      await insertEntries(trx, { id, kind }, batch, entries + 1);
      entries += batch.length;
    }
    const { title, schemes } = description();
    await trx
      .updateTable("vocabulary")
      .set({ title, entries, schemes: JSON.stringify(schemes) })
      .where("id", "=", id)
      .execute();
    return { title, entries, replaced };
  });
  await reclaim(db);
  return { name, kind, language, importedAt, ...imported };
}

/** @returns whether there was such a vocabulary @throws VocabularyInUse */
export async function removeVocabulary(db: Queries, name: string): Promise<boolean> {
  const removed = await db.transaction().execute(async (trx) => {
    await lock(trx);
    return remove(trx, name);
  });
  if (removed) await reclaim(db);
  return removed;
}

/** Lets one process at a time change vocabularies. Searches continue. */
async function lock(trx: Transaction<Tables>): Promise<void> {
  try {
    await sql`lock table vocabulary in share row exclusive mode nowait`.execute(trx);
  } catch (error) {
    if ((error as { code?: unknown }).code !== LOCK_NOT_AVAILABLE) throw error;
    throw new VocabularyInUse("Another import or removal of a vocabulary is in progress. Wait until it has ended", {
      cause: error,
    });
  }
}

const LOCK_NOT_AVAILABLE = "55P03";

/** A list of subjects must not replace the organisations because of a mistaken name. */
async function requireKind(trx: Transaction<Tables>, name: string, kind: VocabularyKind): Promise<void> {
  const present = await trx.selectFrom("vocabulary").select("kind").where("name", "=", name).executeTakeFirst();
  if (present === undefined || present.kind === kind) return;
  throw new VocabularyOfOtherKind(
    `The vocabulary “${name}” contains ${present.kind}, and the file contains ${kind}. Choose another name with --name. To ` +
      `replace the vocabulary, remove it first with “accession vocabulary remove ${name}”`,
  );
}

async function remove(trx: Transaction<Tables>, name: string): Promise<boolean> {
  const gone = await trx.deleteFrom("vocabulary").where("name", "=", name).returning("id").executeTakeFirst();
  if (gone === undefined) return false;
  await trx.deleteFrom("vocabulary_name").where("vocabulary_id", "=", gone.id).execute();
  await trx.deleteFrom("vocabulary_entry").where("vocabulary_id", "=", gone.id).execute();
  return true;
}

async function insertEntries(
  trx: Transaction<Tables>,
  vocabulary: { id: number; kind: VocabularyKind },
  entries: readonly VocabularyEntry[],
  first: number,
): Promise<void> {
  const { id, kind } = vocabulary;
  const found = entries.map((entry) => vocabularySearchTextOf(entry));
  const rows = entries.map((entry, index) => ({
    ...entry,
    no: first + index,
    scheme_uri: entry.schemeUri,
    folded: found[index]?.names.find(({ rank }) => rank === LABEL)?.term ?? "",
    words: found[index]?.words.map((word) => lexeme(kind, word)) ?? [],
  }));
  // One JSON parameter, because a list of arrays of different lengths has no other form as a parameter.
  await sql`
    insert into vocabulary_entry (vocabulary_id, no, kind, id, label, acronyms, alternatives, language, scheme, scheme_uri,
      notation, city, country, folded, words)
    select ${id}::integer, no, ${kind}, id, label, acronyms, alternatives, language, scheme, scheme_uri, notation, city,
      country, folded, array_to_tsvector(words)
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as row (no integer, id text, label text, acronyms text[],
      alternatives text[], language text, scheme text, scheme_uri text, notation text, city text, country text, folded text,
      words text[])`.execute(trx);
  const names = found.flatMap(({ names }, index) => names.map((name) => ({ ...name, no: first + index })));
  await sql`
    insert into vocabulary_name (vocabulary_id, no, kind, rank, term)
    select ${id}::integer, no, ${kind}, rank, term
    from unnest(${names.map(({ no }) => no)}::integer[], ${names.map(({ rank }) => rank)}::smallint[],
      ${names.map(({ term }) => term)}::text[]) as name (no, rank, term)`.execute(trx);
}

/** Frees the disk space of deleted rows, and updates the statistics. The embedded database never does so itself. */
async function reclaim(db: Queries): Promise<void> {
  await sql`vacuum analyze vocabulary_entry`.execute(db);
  await sql`vacuum analyze vocabulary_name`.execute(db);
}
