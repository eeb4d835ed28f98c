import { sql } from "kysely";
import type { Queries } from "../database.ts";
import type { EntryKey } from "./entries.ts";
import { datestampAt } from "./harvest.ts";

/** A range of numbers of entries, with its newest change. */
export interface EntryRange {
  /** From 0 on. */
  range: number;
  changedAt: Date;
}

/** A published dataset in a list for machines. */
export interface ListedDataset extends EntryKey {
  no: string;
  changed_at: Date;
}

/** The ranges of this many numbers in which a dataset is published. */
export async function publishedRanges(db: Queries, size: number, now: Date): Promise<EntryRange[]> {
  const { rows } = await sql<EntryRange>`
    select ((no - 1) / ${sql.lit(size)})::integer as range, max(${datestampAt(now)}) as "changedAt"
    from catalogue_entry where visible and newest group by 1 order by 1`.execute(db);
  return rows;
}

/** The published datasets after a number, in the order of their numbers, each with its newest version. */
export async function publishedAfter(
  db: Queries,
  { after, until, limit, now }: { after: string; until?: string; limit: number; now: Date },
): Promise<ListedDataset[]> {
  const end = until === undefined ? sql`` : sql` and no <= ${until}::bigint`;
  const { rows } = await sql<ListedDataset>`
    select no, dataset_id, version, ${datestampAt(now)} as changed_at from catalogue_entry
    where visible and newest and no > ${after}::bigint${end} order by no limit ${limit}`.execute(db);
  return rows;
}
