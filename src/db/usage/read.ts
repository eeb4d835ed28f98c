import { type RawBuilder, sql } from "kysely";
import { ACCESS_METHODS, type AccessMethod } from "../../public/usage/clicks.ts";
import type { Queries } from "../database.ts";

/** The four metrics of COUNTER for datasets. */
export interface UsageCounts {
  totalInvestigations: number;
  uniqueInvestigations: number;
  totalRequests: number;
  uniqueRequests: number;
}

export type Usage = Record<AccessMethod, UsageCounts>;

/** The use in a month, `YYYY-MM`. */
export type MonthUsage = Usage & { month: string };

/** A range of months, `YYYY-MM`, both included. */
export interface Months {
  from: string;
  until: string;
}

/** Versions of a dataset; undefined for all of them. */
export interface UsedVersions {
  dataset: string;
  versions: readonly number[] | undefined;
}

const NO_COUNTS: UsageCounts = { totalInvestigations: 0, uniqueInvestigations: 0, totalRequests: 0, uniqueRequests: 0 };
export const NO_USAGE: Usage = { regular: NO_COUNTS, machine: NO_COUNTS };

/** The use of a dataset by month, oldest first. Months without use are left out. */
export async function usageOfDataset(db: Queries, used: UsedVersions): Promise<MonthUsage[]> {
  return usageRows<{ month: string }, MonthUsage>(
    db,
    sql`select ${MONTH} as month, ${counts("dataset")} from usage_day where ${isOf(used)} group by 1 order by 1`,
  );
}

/** The use of one version by month, oldest first. */
export async function usageOfVersion(db: Queries, dataset: string, version: number): Promise<MonthUsage[]> {
  return usageRows<{ month: string }, MonthUsage>(
    db,
    sql`select ${MONTH} as month, ${counts("version")} from usage_day
      where dataset_id = ${dataset}::uuid and version = ${version} group by 1 order by 1`,
  );
}

/** The use of all datasets that are or were published, by month, oldest first. */
export async function usageOfAll(db: Queries, months: Months): Promise<MonthUsage[]> {
  return usageRows<{ month: string }, MonthUsage>(
    db,
    sql`select ${MONTH} as month, ${counts("dataset")} from usage_day
      where ${isWithin(months)} and ${IS_PUBLIC} group by 1 order by 1`,
  );
}

/** The use of one dataset among all. */
export type DatasetUsage = Usage & { dataset: string; title: string | null };

/** The use of each dataset that is or was published, in the order of the ids. Datasets without use are left out. */
export async function usageByDataset(
  db: Queries,
  months: Months,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<DatasetUsage[]> {
  return usageRows<{ dataset: string; title: string | null }, DatasetUsage>(
    db,
    sql`select used.*, (${TITLE}) as title from (
        select dataset_id as dataset, ${counts("dataset")} from usage_day
        where ${isWithin(months)} and ${isAfter(after)} and ${IS_PUBLIC} group by 1 order by 1 limit ${limit}
      ) as used order by dataset`,
  );
}

/** The same by dataset and month, for these datasets. */
export async function usageByMonth(
  db: Queries,
  months: Months,
  datasets: readonly string[],
): Promise<(DatasetUsage & MonthUsage)[]> {
  return usageRows<{ dataset: string; month: string }, DatasetUsage & MonthUsage>(
    db,
    sql`select used.*, (${TITLE}) as title from (
        select dataset_id as dataset, ${MONTH} as month, ${counts("dataset")} from usage_day
        where dataset_id = any(${datasets}::uuid[]) and ${isWithin(months)} and ${IS_PUBLIC} group by 1, 2
      ) as used order by dataset, month`,
  );
}

/** The sum of the use in several months. */
export function sumOf(all: readonly Usage[]): Usage {
  const add = (one: UsageCounts, other: UsageCounts): UsageCounts => ({
    totalInvestigations: one.totalInvestigations + other.totalInvestigations,
    uniqueInvestigations: one.uniqueInvestigations + other.uniqueInvestigations,
    totalRequests: one.totalRequests + other.totalRequests,
    uniqueRequests: one.uniqueRequests + other.uniqueRequests,
  });
  return all.reduce<Usage>(
    (sum, { regular, machine }) => ({ regular: add(sum.regular, regular), machine: add(sum.machine, machine) }),
    NO_USAGE,
  );
}

const MONTH = sql`to_char(day, 'YYYY-MM')`;

/** The title of the newest published version. */
const TITLE = sql`select title from catalogue_entry where dataset_id = used.dataset and visible and newest`;

/** Whether the public knows of the version: it is published, or the identifier leads to its withdrawal. */
const IS_PUBLIC = sql`exists (
  select from publication where publication.dataset_id = usage_day.dataset_id and publication.version = usage_day.version
    and published_at is not null)`;

function isOf({ dataset, versions }: UsedVersions): RawBuilder<unknown> {
  const isKnown = versions === undefined ? sql`true` : sql`version = any(${versions}::integer[])`;
  return sql`dataset_id = ${dataset}::uuid and ${isKnown}`;
}

function isWithin({ from, until }: Months): RawBuilder<unknown> {
  return sql`day >= ${`${from}-01`}::date and day < ${`${until}-01`}::date + interval '1 month'`;
}

function isAfter(after: string | undefined): RawBuilder<unknown> {
  return after === undefined ? sql`true` : sql`dataset_id > ${after}::uuid`;
}

/** Sums of the columns for each access method, in the order of {@link ACCESS_METHODS}. */
function counts(unique: "version" | "dataset"): RawBuilder<unknown> {
  const columns =
    unique === "version"
      ? ["investigations", "unique_investigations", "requests", "unique_requests"]
      : ["investigations", "dataset_investigations", "requests", "dataset_requests"];
  const sums = ACCESS_METHODS.flatMap((access) =>
    columns.map((column) => sql`coalesce(sum(${sql.ref(column)}) filter (where access = ${access}), 0)::float8`),
  );
  return sql`array[${sql.join(sums)}] as counts`;
}

/** Runs a query that returns `counts`, and names them. */
async function usageRows<Row extends object, Named extends Usage & Row>(
  db: Queries,
  query: RawBuilder<unknown>,
): Promise<Named[]> {
  const { rows } = await query.execute(db);
  return (rows as (Row & { counts: number[] })[]).map(({ counts, ...row }) => {
    const [regular, machine] = [named(counts.slice(0, 4)), named(counts.slice(4))];
    return { ...row, regular, machine } as unknown as Named;
  });
}

function named([
  totalInvestigations = 0,
  uniqueInvestigations = 0,
  totalRequests = 0,
  uniqueRequests = 0,
]: number[]): UsageCounts {
  return { totalInvestigations, uniqueInvestigations, totalRequests, uniqueRequests };
}
