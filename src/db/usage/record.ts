import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { type Click, DOUBLE_CLICK_MS, dayOf } from "../../public/usage/clicks.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";

/** Key of the advisory lock that orders records of usage, so that processes do not count the same click or session. */
const USAGE_LOCK = 0x75_73_65;
const SALT_BYTES = 32;
/** How long a click or session is kept after its end. Processes write with a delay. */
const KEPT_MS = 120_000;

/** The salt of the current day, the same for all processes. It is deleted by {@link forgetUsers}. */
export async function saltOf(db: Queries, now: number): Promise<Buffer> {
  const { rows } = await sql<{ salt: Buffer }>`
    with added as (
      insert into usage_salt (day, salt) values (${dayOf(now)}::date, ${randomBytes(SALT_BYTES)})
      on conflict (day) do nothing returning salt)
    select salt from added union all select salt from usage_salt where day = ${dayOf(now)}::date`.execute(db);
  const [row] = rows;
  // Another process has added it at the same moment.
  return row === undefined ? saltOf(db, now) : Buffer.from(row.salt);
}

/** Deletes the salts of earlier days, and the keys of clicks and sessions that have ended. */
export async function forgetUsers(db: Queries, now: number): Promise<void> {
  await sql`delete from usage_salt where day <> ${dayOf(now)}::date`.execute(db);
  await sql`delete from usage_key where expires_at < ${new Date(now)}`.execute(db);
}

/**
 * Adds clicks to the counts, except those that repeat a click which any process has recorded. If it is called again with the
 * same clicks, because the outcome was unknown, nothing is counted twice.
 *
 * @param clicks with different keys
 */
export async function recordClicks(db: Queries, clicks: readonly Click[]): Promise<void> {
  if (clicks.length === 0) return;
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${USAGE_LOCK})`.execute(trx);
    const counted = await notRepeated(trx, clicks);
    if (counted.length === 0) return;
    await addCounts(trx, countsOf(counted, await newSessions(trx, counted)));
  });
}

/** The clicks that are not within the double-click window of an earlier one. */
async function notRepeated(trx: Trx, clicks: readonly Click[]): Promise<Click[]> {
  const { rows } = await sql<{ no: number }>`
    with sent as (
      select no, key, first, last from unnest(
        ${clicks.map(({ key }) => key)}::bytea[], ${clicks.map(({ first }) => new Date(first).toISOString())}::timestamptz[],
        ${clicks.map(({ last }) => new Date(last).toISOString())}::timestamptz[]
      ) with ordinality as sent(key, first, last, no)
    ), saved as (
      insert into usage_key (key, at, expires_at)
      select key, last, last + ${DOUBLE_CLICK_MS + KEPT_MS} * interval '1 millisecond' from sent
      on conflict (key) do update set at = greatest(usage_key.at, excluded.at),
        expires_at = greatest(usage_key.expires_at, excluded.expires_at)
    )
    select no::integer from sent left join usage_key as earlier using (key)
    where earlier.at is null or earlier.at < first - ${DOUBLE_CLICK_MS} * interval '1 millisecond'`.execute(trx);
  return rows.flatMap(({ no }) => clicks[no - 1] ?? []);
}

/** Stores the sessions of the clicks. Returns the keys of those that are new. */
async function newSessions(trx: Trx, clicks: readonly Click[]): Promise<Set<string>> {
  const sent = clicks.flatMap(({ sessions, sessionEnd }) =>
    Object.values(sessions).map((key: Buffer) => ({ key, end: new Date(sessionEnd + KEPT_MS).toISOString() })),
  );
  const { rows } = await sql<{ key: Uint8Array }>`
    insert into usage_key (key, at, expires_at)
    select key, ends, ends
    from unnest(${sent.map(({ key }) => key)}::bytea[], ${sent.map(({ end }) => end)}::timestamptz[]) as sent(key, ends)
    on conflict (key) do nothing returning key`.execute(trx);
  return new Set(rows.map(({ key }) => Buffer.from(key).toString("base64")));
}

interface Counts extends Pick<Click, "dataset" | "version" | "day" | "access"> {
  /** In the order of {@link COUNTED}. */
  counts: number[];
}

const COUNTED = [
  "investigations",
  "requests",
  "unique_investigations",
  "unique_requests",
  "dataset_investigations",
  "dataset_requests",
] as const;

function countsOf(clicks: readonly Click[], sessions: Set<string>): Counts[] {
  const all = new Map<string, Counts>();
  // A session is new for the first of the clicks that belong to it.
  const isNew = (key: Buffer | undefined) => Number(key !== undefined && sessions.delete(key.toString("base64")));
  for (const { dataset, version, day, access, kind, sessions: keys } of clicks) {
    const id = `${dataset} ${version} ${day} ${access}`;
    const known = all.get(id) ?? { dataset, version, day, access, counts: COUNTED.map(() => 0) };
    all.set(id, known);
    const more = [
      1,
      Number(kind === "request"),
      isNew(keys.versionInvestigation),
      isNew(keys.versionRequest),
      isNew(keys.datasetInvestigation),
      isNew(keys.datasetRequest),
    ];
    known.counts = known.counts.map((count, index) => count + (more[index] ?? 0));
  }
  return [...all.values()];
}

async function addCounts(trx: Trx, rows: readonly Counts[]): Promise<void> {
  const columns = COUNTED.map((name) => sql.ref(name));
  const sums = COUNTED.map((name) => sql`${sql.ref(name)} = usage_day.${sql.ref(name)} + excluded.${sql.ref(name)}`);
  const values = COUNTED.map((_, index) => sql`${rows.map(({ counts }) => counts[index] ?? 0)}::integer[]`);
  await sql`
    insert into usage_day (dataset_id, version, day, access, ${sql.join(columns)})
    select * from unnest(${rows.map(({ dataset }) => dataset)}::uuid[], ${rows.map(({ version }) => version)}::integer[],
      ${rows.map(({ day }) => day)}::date[], ${rows.map(({ access }) => access)}::text[], ${sql.join(values)})
    on conflict (dataset_id, version, day, access) do update set ${sql.join(sums)}`.execute(trx);
}
