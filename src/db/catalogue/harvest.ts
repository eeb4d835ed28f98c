import { type RawBuilder, sql } from "kysely";
import type { AccessKind } from "../../../packages/rules/src/index.ts";
import type { TermKind } from "../../public/catalogue/entry.ts";
import type { Queries } from "../database.ts";
import type { EntryKey } from "./entries.ts";
import { accessAt, dayOf } from "./entry-access.ts";

/** An entry as harvesters learn of it. */
export interface HarvestedEntry extends EntryKey {
  no: string;
  /** When the entry last changed, which includes the end of its embargo. */
  datestamp: Date;
  /** False for a version that was withdrawn: harvesters learn that it is deleted. */
  visible: boolean;
  /** According to the clock; of a withdrawn version, as it was at the withdrawal. */
  access: AccessKind;
  /** General resource types. */
  types: string[];
  /** Ids of its collections. */
  collections: string[];
}

/** What a harvester asks for. */
export interface HarvestFilter {
  /** Only entries with this datestamp or a later one. */
  from: Date | undefined;
  /** Only entries with an earlier datestamp. */
  before: Date | undefined;
  access: AccessKind | undefined;
  type: string | undefined;
  /** Id of a collection, or null for entries in any. */
  collection: string | null | undefined;
  /** Access and embargoes are those of this moment: the `harvestTime` of the response, so that the next harvest continues there. */
  now: Date;
}

/** The entries after a number, in the order of their numbers. Deletions are included. */
export async function harvest(
  db: Queries,
  filter: HarvestFilter,
  { after, limit }: { after: string; limit: number },
): Promise<HarvestedEntry[]> {
  const { rows } = await sql<HarvestedEntry>`
    select ${columns(filter.now)} from catalogue_entry
    where no > ${after}::bigint and ${conditionOf(filter)} order by no limit ${limit}`.execute(db);
  return rows;
}

/** The number of entries that {@link harvest} returns, from the first one on. */
export async function countHarvest(db: Queries, filter: HarvestFilter): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select count(*)::integer as number from catalogue_entry where ${conditionOf(filter)}`.execute(db);
  return rows[0]?.number ?? 0;
}

/** The entry of a version, also if it was withdrawn; undefined if it was never published. */
export async function findHarvested(
  db: Queries,
  { dataset_id, version }: EntryKey,
  now: Date,
): Promise<HarvestedEntry | undefined> {
  const { rows } = await sql<HarvestedEntry>`
    select ${columns(now)} from catalogue_entry
    where dataset_id = ${dataset_id} and version = ${version}`.execute(db);
  return rows[0];
}

/** The earliest time at which an entry changed, deletions included; undefined without entries. */
export async function earliestChange(db: Queries): Promise<Date | undefined> {
  const { rows } = await sql<{ earliest: Date | null }>`
    select min(changed_at) as earliest from catalogue_entry`.execute(db);
  return rows[0]?.earliest ?? undefined;
}

/** Values of a kind that entries have, deletions included. */
export async function harvestedValues(db: Queries, kind: TermKind): Promise<string[]> {
  const { rows } = await sql<{ value: string }>`
    select value from catalogue_term where kind = ${kind}
      and exists (select 1 from catalogue_entry where terms && array[catalogue_term.id]) order by value`.execute(db);
  return rows.map(({ value }) => value);
}

/** The datestamp of an entry at a moment: the end of an embargo is a change of the entry. */
export function datestampAt(now: Date): RawBuilder<Date> {
  return sql<Date>`case when ${isOpened(now)} then greatest(changed_at, ${OPENING}) else changed_at end`;
}

/** Midnight in UTC at which the files of an embargoed entry open. */
const OPENING = sql<Date>`(embargo_date::date::timestamp at time zone 'UTC')`;

/** Whether the entry is visible, and its embargo has ended. */
function isOpened(now: Date): RawBuilder<boolean> {
  return sql`(visible and access = 'embargoed' and embargo_date <= ${dayOf(now)})`;
}

function columns(now: Date): RawBuilder<unknown> {
  return sql`no, dataset_id, version, visible, ${datestampAt(now)} as datestamp, ${accessAt(now)} as access,
    array(select value from catalogue_term where id = any(terms) and kind = 'type' order by value) as types,
    array(select value from catalogue_term where id = any(terms) and kind = 'collection' order by value) as collections`;
}

function conditionOf({ from, before, access, type, collection, now }: HarvestFilter): RawBuilder<boolean> {
  const all: RawBuilder<unknown>[] = [sql`true`];
  // Without the expression of the datestamp, so that the indexes of both columns can be used.
  if (from !== undefined) {
    all.push(sql`(changed_at >= ${from} or (${isOpened(now)} and ${OPENING} >= ${from}))`);
  }
  if (before !== undefined) {
    all.push(sql`changed_at < ${before} and not (${isOpened(now)} and ${OPENING} >= ${before})`);
  }
  if (access !== undefined) all.push(sql`${accessAt(now)} = ${access}`);
  if (type !== undefined) {
    all.push(sql`terms && array(select id from catalogue_term where kind = 'type' and md5(value) = md5(${type}))`);
  }
  if (collection !== undefined) {
    const named = collection === null ? sql`` : sql` and md5(value) = md5(${collection})`;
    all.push(sql`terms && array(select id from catalogue_term where kind = 'collection'${named})`);
  }
  return sql<boolean>`${sql.join(all, sql` and `)}`;
}
