import { type Selectable, type SqlBool, sql } from "kysely";
import { CONCEPT } from "../../publication/rules/doi.ts";
import type { RegistrationProblem } from "../../publication/rules/publication.ts";
import { MOST_UNCERTAIN, type UncertainRequest } from "../../publication/rules/uncertain-requests.ts";
import type { Queries } from "../database.ts";
import type { DoiTable } from "../tables/publication-tables.ts";

export type DoiRow = Selectable<DoiTable>;

/** The DOI of a version; undefined if none was chosen. */
export async function doiOf(db: Queries, dataset: string, version: number): Promise<DoiRow | undefined> {
  return db
    .selectFrom("doi")
    .selectAll()
    .where((eb) => eb.and({ dataset_id: dataset, version }))
    .where("state", "!=", "abandoned")
    .executeTakeFirst();
}

/** The DOI that is kept as a draft for a version that is not published; undefined without one, or until DataCite confirms it. */
export async function reservedDoiOf(db: Queries, dataset: string, version: number): Promise<string | undefined> {
  const found = await doiOf(db, dataset, version);
  return found?.state === "draft" ? found.doi : undefined;
}

/** Undefined if the database does not know it. */
export async function findDoi(db: Queries, doi: string): Promise<DoiRow | undefined> {
  return db.selectFrom("doi").selectAll().where("doi", "=", doi).executeTakeFirst();
}

/** The DOIs of all versions of a dataset that are in use. */
export async function doisOf(db: Queries, dataset: string): Promise<DoiRow[]> {
  return db.selectFrom("doi").selectAll().where("dataset_id", "=", dataset).where("state", "!=", "abandoned").execute();
}

/** The DOIs of datasets that the public may know: those of versions that are or were published, and then the concept DOI. */
export async function publicDois(
  db: Queries,
  datasets: readonly string[],
): Promise<Pick<DoiRow, "doi" | "dataset_id" | "version">[]> {
  if (datasets.length === 0) return [];
  return db
    .selectFrom("doi")
    .select(["doi", "dataset_id", "version"])
    .where("dataset_id", "in", datasets)
    .where("state", "=", "findable")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("publication")
          .select("publication.version")
          .whereRef("publication.dataset_id", "=", "doi.dataset_id")
          .where("publication.published_at", "is not", null)
          .where((eb) =>
            eb.or([eb("doi.version", "=", CONCEPT), eb("publication.version", "=", eb.ref("doi.version"))]),
          ),
      ),
    )
    .execute();
}

/**
 * Stores a DOI for a version before it is sent anywhere, so that a crash cannot leave a DOI that the database does not know.
 * @returns false if the DOI is in use, or the version has another one
 */
export async function chooseDoi(
  db: Queries,
  chosen: Pick<DoiRow, "doi" | "dataset_id" | "version" | "reserved"> & { next_at?: Date },
): Promise<boolean> {
  const added = await db
    .insertInto("doi")
    .values({ ...chosen, created_at: new Date(), state: "chosen" })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return added.numInsertedOrUpdatedRows === 1n;
}

/** Columns of a DOI that change together. */
type DoiChange = Partial<
  Omit<DoiRow, "doi" | "dataset_id" | "version" | "created_at" | "requests" | "uncertain" | "differences" | "problem">
> & {
  differences?: string[] | null;
  problem?: RegistrationProblem | null;
};

function columnsOf({ differences, problem, ...columns }: DoiChange) {
  return {
    ...columns,
    ...(differences !== undefined && { differences: differences === null ? null : JSON.stringify(differences) }),
    ...(problem !== undefined && { problem: problem === null ? null : JSON.stringify(problem) }),
  };
}

/** Changes these columns of a DOI, whatever others have changed since it was read. */
export async function updateDoi(db: Queries, doi: string, change: DoiChange): Promise<void> {
  await db.updateTable("doi").set(columnsOf(change)).where("doi", "=", doi).execute();
}

/** A DOI as an attempt knows it: as read at its beginning, or as the attempt itself has changed it since. */
export type KnownDoi = Pick<DoiRow, "doi" | "state" | "requests">;

/**
 * Changes a DOI, unless another attempt has changed its state or sent a request since.
 * @returns the changed row; undefined if nothing was changed, because the caller was overtaken
 */
export async function changeDoi(
  db: Queries,
  { doi, state, requests }: KnownDoi,
  change: DoiChange,
): Promise<DoiRow | undefined> {
  return db
    .updateTable("doi")
    .set(columnsOf(change))
    .where((eb) => eb.and({ doi, state, requests }))
    .returningAll()
    .executeTakeFirst();
}

/**
 * Records a request with metadata before it is sent. Until its effect is certain, nothing is regarded as confirmed.
 * @returns the changed row; undefined if the DOI was replaced, or another attempt has sent a request
 */
export async function markSent(
  db: Queries,
  { doi, state, requests }: KnownDoi,
  { sha256, attributes }: { sha256: string; attributes: object },
): Promise<DoiRow | undefined> {
  const request: UncertainRequest = { number: requests + 1, at: new Date().toISOString(), attributes };
  const known = sql`coalesce(uncertain, '[]')`;
  return db
    .updateTable("doi")
    .set({
      requests: request.number,
      sent_sha256: sha256,
      confirmed_sha256: null,
      uncertain: sql`(case when jsonb_array_length(${known}) >= ${sql.lit(MOST_UNCERTAIN)} then uncertain - 0 else ${known} end)
        || cast(${JSON.stringify([request])} as jsonb)`,
    })
    .where((eb) => eb.and({ doi, state }))
    .where("state", "!=", "abandoned")
    .where("requests", "=", requests)
    .returningAll()
    .executeTakeFirst();
}

/** Plans another comparison of a registered DOI, unless one is planned already. */
export async function planComparison(db: Queries, doi: string, at: Date): Promise<void> {
  await db
    .updateTable("doi")
    .set({ next_at: at })
    .where((eb) => eb.and({ doi, state: "findable" }))
    .where("next_at", "is", null)
    .execute();
}

/** Whether no other attempt has sent a request since. */
export async function isLatestRequest(db: Queries, { doi, requests }: KnownDoi): Promise<boolean> {
  return (await findDoi(db, doi))?.requests === requests;
}

/** Forgets requests whose effect is certain by now: one of this number, or those that were sent before a time. */
export async function forgetRequests(
  db: Queries,
  doi: string,
  settled: { number: number } | { before: Date },
): Promise<void> {
  const isSettled =
    "number" in settled
      ? sql`(request->>'number')::integer = ${settled.number}`
      : sql`(request->>'at')::timestamptz < ${settled.before}`;
  await db
    .updateTable("doi")
    .set({
      uncertain: sql`(select jsonb_agg(request order by (request->>'number')::integer)
        from jsonb_array_elements(uncertain) as request where not ${isSettled})`,
    })
    .where("doi", "=", doi)
    .where("uncertain", "is not", null)
    .execute();
}

/** Makes the service compare registered DOIs with DataCite soon: all, or those of a dataset. @returns their number */
export async function requestDoiCheck(
  db: Queries,
  { repair, dataset }: { repair: boolean; dataset: string | undefined },
): Promise<number> {
  let query = db
    .updateTable("doi")
    .set((eb) => ({
      ...{ checked_at: null, next_at: new Date(), attempts: 0, problem: null },
      repair: repair ? true : eb.ref("repair"),
    }))
    .where("state", "=", "findable");
  if (dataset !== undefined) query = query.where("dataset_id", "=", dataset);
  const asked = await query.executeTakeFirst();
  return Number(asked.numUpdatedRows);
}

interface DoiFilter {
  /** Only those that differ from DataCite, or were not compared yet or without success. */
  isDifferent: boolean;
  /** Only those of this dataset. */
  dataset: string | undefined;
  after: string | undefined;
  limit: number;
}

/** Registered DOIs in order, with the titles of their datasets. */
export async function listDois(
  db: Queries,
  { isDifferent, dataset, after, limit }: DoiFilter,
): Promise<(DoiRow & { title: string })[]> {
  let query = db
    .selectFrom("doi")
    .innerJoin("dataset", "dataset.id", "doi.dataset_id")
    .selectAll("doi")
    .select("dataset.title")
    .where("state", "=", "findable");
  if (dataset !== undefined) query = query.where("dataset_id", "=", dataset);
  if (isDifferent) {
    query = query.where((eb) =>
      eb.or([
        eb("checked_at", "is", null),
        eb("problem", "is not", null),
        eb(sql`jsonb_array_length(coalesce(differences, '[]'))`, ">", 0),
      ]),
    );
  }
  if (after !== undefined) query = query.where("doi", ">", after);
  return query.orderBy("doi").limit(limit).execute();
}

/** Registered DOIs whose next comparison is due, those that have been due for the longest time first. Failures delay the next one. */
export async function doisToCheck(
  db: Queries,
  { now, intervalMs, limit }: { now: Date; intervalMs: number; limit: number },
): Promise<Pick<DoiRow, "doi">[]> {
  const due = sql<Date>`coalesce(next_at, checked_at + ${intervalMs} * interval '1 ms', registered_at, created_at)`;
  // No time is later than the interval, unless the clock was set back.
  const latest = new Date(now.getTime() + intervalMs);
  return db
    .selectFrom("doi")
    .select("doi")
    .where("state", "=", "findable")
    .where(sql<SqlBool>`(${due} <= ${now} or ${due} > ${latest})`)
    .orderBy(due)
    .limit(limit)
    .execute();
}
