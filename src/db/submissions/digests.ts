import { type Selectable, sql } from "kysely";
import type { DigestFormat } from "../../domain/digest-lists/format.ts";
import type { StatedDigest } from "../../domain/digest-lists/parse-list.ts";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import { type DigestState, MOST_NAMED_FILES, type NamedFiles } from "../../domain/submission/digest-state.ts";
import type { Queries } from "../database.ts";
import type { DigestListTable } from "../tables/submission-tables.ts";
import type { Trx } from "./submissions.ts";

/** A list of digests as the request names it. */
export type DigestListRow = Omit<Selectable<DigestListTable>, "submission_id" | "format"> & {
  format: DigestFormat | null;
};

/** Lower-case hex by algorithm. */
export type DigestsByAlgorithm = Record<string, string>;

/** Digests that one statement inserts. */
const AT_ONCE = 5_000;
/** Digests that one statement removes, so that others wait for a second at most. */
const REMOVED_AT_ONCE = 20_000;

/** Records the lists of a request, and the digests of those that it contains. */
export async function insertDigestLists(
  trx: Trx,
  id: string,
  lists: readonly DigestListRow[],
  digests: readonly StatedDigest[],
): Promise<void> {
  if (lists.length > 0)
    await trx
      .insertInto("digest_list")
      .values(lists.map((list) => ({ ...list, submission_id: id })))
      .execute();
  for (let at = 0; at < digests.length; at += AT_ONCE)
    await insertStatedDigests(trx, id, 0, digests.slice(at, at + AT_ONCE));
}

/** The lists of a request, in order. */
export async function digestListsOf(db: Queries, id: string): Promise<DigestListRow[]> {
  const rows = await db
    .selectFrom("digest_list")
    .select(["no", "name", "format", "base", "key", "content"])
    .where("submission_id", "=", id)
    .orderBy("no")
    .execute();
  return rows as DigestListRow[];
}

/**
 * Records digests, each file and algorithm once. Those that are recorded already are left as they are.
 * @param reading 0 for those of the request
 */
export async function insertStatedDigests(
  db: Queries,
  id: string,
  reading: number,
  digests: readonly StatedDigest[],
): Promise<void> {
  const { keys, algorithms, values } = columnsOf(digests);
  await sql`
    insert into stated_digest (submission_id, reading, key, algorithm, digest)
    select ${id}::uuid, ${reading}::integer, key, algorithm, digest
    from unnest(${keys}::text[], ${algorithms}::text[], ${values}::text[]) as given(key, algorithm, digest)
    on conflict do nothing`.execute(db);
}

/** The keys of digests that differ from recorded ones of the same file and algorithm, in this reading or the request. */
export async function contradictedKeys(
  db: Queries,
  id: string,
  reading: number,
  digests: readonly StatedDigest[],
): Promise<Set<string>> {
  const { keys, algorithms, values } = columnsOf(digests);
  const { first, last } = rangeOf(keys);
  const { rows } = await sql<{ key: string }>`
    select given.key
    from unnest(${keys}::text[], ${algorithms}::text[], ${values}::text[]) as given(key, algorithm, digest)
    join stated_digest as known on known.key = given.key and known.algorithm = given.algorithm
    where known.submission_id = ${id} and known.key between ${first} and ${last}
      and known.reading in (0, ${reading}) and known.digest <> given.digest`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

/**
 * The least and the greatest key. Statements name this range, because a new table has no statistics: without it, they would read all
 * digests of the submission for each page of keys.
 */
function rangeOf(keys: readonly string[]): { first: string; last: string } {
  let [first = ""] = keys;
  let last = first;
  for (const key of keys) {
    if (compareKeys(key, first) < 0) first = key;
    if (compareKeys(key, last) > 0) last = key;
  }
  return { first, last };
}

function columnsOf(digests: readonly StatedDigest[]) {
  return {
    keys: digests.map(({ key }) => key),
    algorithms: digests.map(({ algorithm }) => algorithm),
    values: digests.map(({ digest }) => digest),
  };
}

/** The stated digests of these keys. Keys without one are not in the result. */
export async function statedDigestsOf(
  db: Queries,
  id: string,
  reading: number,
  keys: readonly string[],
): Promise<Map<string, DigestsByAlgorithm>> {
  // PostgreSQL has no text with NUL, and no list has such a path.
  const wanted = keys.filter((key) => !key.includes("\0"));
  const { first, last } = rangeOf(wanted);
  const { rows } = await sql<StatedDigest>`
    select key, algorithm, digest from stated_digest
    where submission_id = ${id} and key between ${first} and ${last}
      and reading in (0, ${reading}) and key = any(${wanted}::text[])`.execute(db);
  const found = new Map<string, DigestsByAlgorithm>();
  for (const { key, algorithm, digest } of rows) found.set(key, { ...found.get(key), [algorithm]: digest });
  return found;
}

/** The keys of all stated digests in the order of their bytes, each once, a bounded number at a time. */
export async function* statedKeys(
  db: Queries,
  id: string,
  reading: number,
  { after: first = "", limit = AT_ONCE, isMissing = false } = {},
): AsyncGenerator<string[]> {
  for (let after = first; ; ) {
    const { rows } = await sql<{ key: string }>`
      select key from stated_digest
      where submission_id = ${id} and key > ${after} and reading in (0, ${reading}) ${isMissing ? sql`and is_missing` : sql``}
      order by submission_id, key limit ${limit}`.execute(db);
    // A file has a row for each algorithm. The next page begins after the last key, so that none is repeated.
    const keys = [...new Set(rows.map(({ key }) => key))];
    if (keys.length > 0) yield keys;
    after = keys.at(-1) ?? after;
    if (rows.length < limit) return;
  }
}

/** Marks which of these keys are missing in the source, and which not. */
export async function markMissing(
  db: Queries,
  id: string,
  reading: number,
  keys: readonly string[],
  missing: ReadonlySet<string>,
): Promise<void> {
  const { first, last } = rangeOf(keys);
  await sql`
    update stated_digest set is_missing = key = any(${[...missing]}::text[])
    where submission_id = ${id} and key between ${first} and ${last}
      and reading in (0, ${reading}) and key = any(${keys}::text[])
      and is_missing <> (key = any(${[...missing]}::text[]))`.execute(db);
}

/**
 * Updates the statistics of the digests. To be called after many were recorded: otherwise the database expects few, and sorts all of
 * them for each page of keys.
 */
export async function analyzeDigests(db: Queries): Promise<void> {
  await sql`analyze stated_digest`.execute(db);
}

/** The keys below a folder that a reading does not state with all of these algorithms: their number, and the first of them. */
export async function incompleteKeys(
  db: Queries,
  id: string,
  { reading, folder, algorithms }: { reading: number; folder: string; algorithms: readonly string[] },
): Promise<NamedFiles> {
  const { rows } = await sql<{ key: string; total: string }>`
    select key, count(*) over () as total from stated_digest
    where submission_id = ${id} and reading = ${reading} and algorithm = any(${algorithms}::text[])
      and starts_with(key, ${folder})
    group by key having count(*) < ${algorithms.length}::integer order by key limit ${MOST_NAMED_FILES}`.execute(db);
  return { total: Number(rows[0]?.total ?? 0), keys: rows.map(({ key }) => key) };
}

/** Sets what is known of the lists of a submission. The caller holds its lock. */
export async function setDigestState(trx: Trx, id: string, state: DigestState | null): Promise<void> {
  await trx
    .updateTable("submission")
    .set({ digests: state === null ? null : JSON.stringify(state) })
    .where("id", "=", id)
    .execute();
}

/** Removes the digests of other readings than these. */
export async function dropReadings(db: Queries, id: string, except: readonly number[]): Promise<void> {
  await db.deleteFrom("stated_digest").where("submission_id", "=", id).where("reading", "not in", except).execute();
}

/** Removes the lists, and their digests, of submissions that are over, in short statements. */
export async function removeEndedDigests(db: Queries): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from submission
    where digests is not null and not staged and status in ('completed', 'cancelled', 'failed')
      and (exists (select from stated_digest where submission_id = id) or exists (select from digest_list where submission_id = id))`.execute(
    db,
  );
  for (const { id } of rows) {
    for (let removed = REMOVED_AT_ONCE; removed >= REMOVED_AT_ONCE; ) {
      const { numAffectedRows = 0n } = await sql`
        delete from stated_digest where ctid in (
          select ctid from stated_digest where submission_id = ${id} limit ${REMOVED_AT_ONCE}
        )`.execute(db);
      removed = Number(numAffectedRows);
    }
    await db.deleteFrom("digest_list").where("submission_id", "=", id).execute();
  }
}
