import { type Selectable, type SqlBool, sql } from "kysely";
import { CONCEPT } from "../../publication/rules/doi.ts";
import type { RegistrationProblem } from "../../publication/rules/publication.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { DoiTable } from "./publication-tables.ts";

export type DoiRow = Selectable<DoiTable>;

/** The DOI of a version; undefined if none was chosen. */
export async function doiOf(db: Queries, dataset: string, version: number): Promise<DoiRow | undefined> {
  return db
    .selectFrom("doi")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("version", "=", version)
    .where("state", "!=", "abandoned")
    .executeTakeFirst();
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

/** Stores what is known of a DOI. */
export async function updateDoi(
  db: Queries | Trx,
  doi: string,
  known: Partial<Omit<DoiRow, "doi" | "dataset_id" | "version" | "differences" | "problem">> & {
    differences?: string[] | null;
    problem?: RegistrationProblem | null;
  },
): Promise<void> {
  const { differences, problem, ...columns } = known;
  await db
    .updateTable("doi")
    .set({
      ...columns,
      ...(differences !== undefined && { differences: differences === null ? null : JSON.stringify(differences) }),
      ...(problem !== undefined && { problem: problem === null ? null : JSON.stringify(problem) }),
    })
    .where("doi", "=", doi)
    .execute();
}

/**
 * Stores the digest of what is sent to DataCite, before it is sent.
 * @returns false if the DOI was replaced by another one
 */
export async function markSent(db: Queries, doi: string, sha256: string): Promise<boolean> {
  const marked = await db
    .updateTable("doi")
    .set({ sent_sha256: sha256 })
    .where("doi", "=", doi)
    .where("state", "!=", "abandoned")
    .executeTakeFirst();
  return marked.numUpdatedRows === 1n;
}

/** Gives a DOI up that belongs to another dataset. @returns false if DataCite has created it for us */
export async function abandonChosen(db: Queries, doi: string): Promise<boolean> {
  const abandoned = await db
    .updateTable("doi")
    .set({ state: "abandoned" })
    .where("doi", "=", doi)
    .where("state", "=", "chosen")
    .executeTakeFirst();
  return abandoned.numUpdatedRows === 1n;
}

/** Stores a DOI that was registered, according to the archive. It is `hidden` if the publication ended before it was complete. */
export async function restoreDoi(
  trx: Trx,
  registered: Pick<DoiRow, "doi" | "dataset_id" | "version" | "created_at"> & { state: "findable" | "hidden" },
): Promise<void> {
  // A reservation of the same version becomes the registered DOI, or was replaced by it.
  const { doi, dataset_id, version, created_at, state } = registered;
  await trx
    .deleteFrom("doi")
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("doi", "!=", doi)
    .execute();
  const values = { ...registered, reserved: false, registered_at: created_at };
  await trx
    .insertInto("doi")
    .values(values)
    .onConflict((conflict) => conflict.column("doi").doUpdateSet({ dataset_id, version, state }))
    .execute();
}

/** Stores a DOI that was reserved with a submission, according to the archive. */
export async function restoreReservedDoi(
  trx: Trx,
  reserved: Pick<DoiRow, "doi" | "dataset_id" | "version" | "created_at">,
): Promise<void> {
  await trx
    .insertInto("doi")
    .values({ ...reserved, reserved: true, state: "draft" })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Makes the service compare all registered DOIs with DataCite soon. @returns their number */
export async function requestDoiCheck(db: Queries, repair: boolean): Promise<number> {
  const asked = await db
    .updateTable("doi")
    .set((eb) => ({
      ...{ checked_at: null, next_at: new Date(), attempts: 0, problem: null },
      repair: repair ? true : eb.ref("repair"),
    }))
    .where("state", "=", "findable")
    .executeTakeFirst();
  return Number(asked.numUpdatedRows);
}

/** Registered DOIs in order. @param isDifferent only those that differ from DataCite, or were not compared yet or without success */
export async function listDois(
  db: Queries,
  { isDifferent, after, limit }: { isDifferent: boolean; after: string | undefined; limit: number },
): Promise<DoiRow[]> {
  let query = db.selectFrom("doi").selectAll().where("state", "=", "findable");
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
