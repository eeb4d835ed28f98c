import type { Selectable, UpdateQueryBuilder, UpdateResult } from "kysely";
import { isUuid } from "../../domain/uuid.ts";
import type { FoundByChecks } from "../../publication/rules/checks.ts";
import type { DatedPublication } from "../../publication/rules/dates.ts";
import { followPublication } from "../catalogue/entries.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { PublicationTable } from "../tables/publication-tables.ts";
import type { Tables } from "../tables/tables.ts";

export type PublicationRow = Selectable<PublicationTable>;

/** The publication of a version that was never requested for publication. */
export function privatePublication(dataset: string, version: number, since: Date): PublicationRow {
  return {
    dataset_id: dataset,
    version,
    state: "private",
    since,
    changes: 0,
    revision: null,
    requested_by: null,
    requested_at: null,
    agreement: null,
    access: "open",
    embargo_date: null,
    opened_on: null,
    access_reason: "",
    publish_on_approval: true,
    show_source: false,
    collections: [],
    assignee: null,
    approved_by: null,
    approved_at: null,
    reviewed_sha512: null,
    announced_at: null,
    published_at: null,
    retracted_at: null,
    withdrawn_at: null,
    withdrawn_reason: null,
    identifier: null,
    next_at: null,
    attempts: 0,
    problem: null,
    renewals: 0,
    reminded_at: null,
    reminders: 0,
    embargo_notice: null,
    catalogued: false,
    review_due_at: null,
    check_errors: null,
    check_warnings: null,
  };
}

/** What of a publication decides about its dates. */
export type DatedColumns = "state" | "announced_at" | "published_at" | "access" | "embargo_date" | "opened_on";

/**
 * What decides about the dates of a publication. A version that is being registered is published when the first request was sent
 * that can make its DOI findable: everything that states a date names this day, and also its record.
 */
export function datedPublication({
  state,
  announced_at,
  published_at,
  access,
  embargo_date: embargoDate,
  opened_on: openedOn,
}: Pick<PublicationRow, DatedColumns>): DatedPublication {
  const publishedAt = published_at ?? (state === "registering" ? announced_at : null);
  return { publishedAt, access, embargoDate, openedOn };
}

/** Undefined if the version was never requested for publication. */
export async function findPublication(
  db: Queries,
  dataset: string,
  version: number,
): Promise<PublicationRow | undefined> {
  return db
    .selectFrom("publication")
    .selectAll()
    .where((eb) => eb.and({ dataset_id: dataset, version }))
    .executeTakeFirst();
}

/** The publications of all versions of a dataset, newest version first. A text that is no id has none. */
export async function publicationsOf(db: Queries, dataset: string): Promise<PublicationRow[]> {
  if (!isUuid(dataset)) return [];
  return db
    .selectFrom("publication")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .orderBy("version", "desc")
    .execute();
}

/** Columns of a publication that change together. */
export type PublicationChange = Partial<
  Omit<PublicationRow, "dataset_id" | "version" | "changes" | "catalogued" | "renewals" | "review_due_at">
>;

/**
 * Changes these columns of a publication and no others, so that nothing that was read earlier is written back. The caller holds the
 * lock of the dataset, and has decided by the row as it is under this lock.
 *
 * @param row a publication that may be missing in the database: see {@link privatePublication}
 * @param change if it contains `next_at`, the service has something else to do than before, which is a new generation
 * @returns the row with its new number of changes
 */
export async function changePublication(
  trx: Trx,
  row: PublicationRow,
  { agreement, problem, ...columns }: PublicationChange,
): Promise<PublicationRow> {
  const { dataset_id, version } = row;
  if (row.changes === 0) {
    const values = { ...row, agreement: jsonOf(row.agreement), problem: jsonOf(row.problem) };
    await trx
      .insertInto("publication")
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  const isNew = columns.next_at !== undefined;
  const changed = await trx
    .updateTable("publication")
    .set((eb) => ({
      ...columns,
      ...(agreement !== undefined && { agreement: jsonOf(agreement) }),
      ...(problem !== undefined && { problem: jsonOf(problem) }),
      changes: eb("changes", "+", 1),
      renewals: isNew ? eb("renewals", "+", 1) : eb.ref("renewals"),
      catalogued: false,
    }))
    .where((eb) => eb.and({ dataset_id, version }))
    .returningAll()
    .executeTakeFirstOrThrow();
  await followPublication(trx, changed);
  return changed;
}

/** The columns of a publication whose service part begins again. */
export const NO_FAILURE = { attempts: 0, problem: null } as const;

/**
 * The change that ends a publication. The service has something to do only if the version was published, or while it was being
 * registered: then it withdraws a DOI that has become public meanwhile. Until it knows, a DOI that may be public leads to a notice.
 */
export function endOfPublication({ state, announced_at, retracted_at }: PublicationRow, now: Date): PublicationChange {
  const isWithService = state === "registering" || state === "published";
  const isUnknown = state === "registering" && announced_at !== null;
  return {
    announced_at: null,
    retracted_at: isUnknown ? now : retracted_at,
    ...NO_FAILURE,
    ...(isWithService && { next_at: now }),
  };
}

/** Records how many errors and warnings the automatic checks found, for lists. It is no change of the publication. */
export async function recordChecks(
  db: Queries,
  { dataset_id, version }: Pick<PublicationRow, "dataset_id" | "version">,
  found: FoundByChecks,
): Promise<void> {
  await db
    .updateTable("publication")
    .set(found)
    .where((eb) => eb.and({ dataset_id, version }))
    .execute();
}

/** The publication, locked until the end of the transaction. */
export async function lockPublication(trx: Trx, dataset: string, version: number): Promise<PublicationRow | undefined> {
  return trx
    .selectFrom("publication")
    .selectAll()
    .where((eb) => eb.and({ dataset_id: dataset, version }))
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/**
 * Records that a DOI may lead to the version from now on, unless the publication is no longer registering in the generation of
 * this row. The time is `announced_at` of the row: what is sent states its day.
 * @returns whether that was not recorded before; undefined if the row does not apply any more
 */
export async function announce(db: Queries, row: PublicationRow): Promise<boolean | undefined> {
  const announced = await sameGeneration(
    db.updateTable("publication").set({ announced_at: row.announced_at ?? new Date() }),
    row,
  )
    .where("announced_at", "is", null)
    .executeTakeFirst();
  if (announced.numUpdatedRows === 1n) return true;
  return (await isCurrent(db, row)) ? false : undefined;
}

/** Records that no DOI leads to a version that is being registered, unless the row does not apply any more. */
export async function unannounce(db: Queries, row: PublicationRow): Promise<void> {
  await sameGeneration(db.updateTable("publication").set({ announced_at: null }), row).execute();
}

/** Whether the service still has to do what it had to do when the row was read. */
export async function isCurrent(
  db: Queries,
  { dataset_id, version, state, renewals }: PublicationRow,
): Promise<boolean> {
  const now = await findPublication(db, dataset_id, version);
  return now?.state === state && now.renewals === renewals;
}

/**
 * Records the outcome of an attempt of the service, unless it has something else to do since the attempt began: then another
 * attempt follows.
 * @param outcome.next_at null if there is nothing left to do
 * @returns whether it was recorded
 */
export async function recordAttempt(
  db: Queries,
  row: PublicationRow,
  outcome: Pick<PublicationRow, "next_at" | "attempts" | "problem">,
): Promise<boolean> {
  const recorded = await sameGeneration(
    db.updateTable("publication").set({ ...outcome, problem: jsonOf(outcome.problem) }),
    row,
  ).executeTakeFirst();
  return recorded.numUpdatedRows === 1n;
}

type PublicationUpdate = UpdateQueryBuilder<Tables, "publication", "publication", UpdateResult>;

function sameGeneration(
  update: PublicationUpdate,
  { dataset_id, version, state, renewals }: PublicationRow,
): PublicationUpdate {
  return update.where((eb) => eb.and({ dataset_id, version, state, renewals }));
}

/** Makes the service continue with a publication again, whatever its state is now. */
export async function continueAgain(db: Queries, { dataset_id, version }: PublicationRow): Promise<void> {
  await db
    .updateTable("publication")
    .set((eb) => ({ next_at: new Date(), renewals: eb("renewals", "+", 1) }))
    .where((eb) => eb.and({ dataset_id, version }))
    .execute();
}

/**
 * Records whether a DOI has become public although the publication has ended, unless the row does not apply any more.
 * @param isPublic if not, the public no longer learns that the version exists
 */
export async function recordRetraction(db: Queries, row: PublicationRow, isPublic: boolean): Promise<void> {
  if (isPublic === (row.retracted_at !== null)) return;
  const retracted_at = isPublic ? new Date() : null;
  await sameGeneration(db.updateTable("publication").set({ retracted_at }), row).execute();
}

/**
 * Makes the service compare the published versions of a dataset with their DOIs and records, except one version, and describe
 * them in the catalogue again.
 */
export async function renewPublications(trx: Queries, dataset: string, except?: number): Promise<void> {
  let query = trx
    .updateTable("publication")
    .set((eb) => ({ next_at: new Date(), renewals: eb("renewals", "+", 1), catalogued: false }))
    .where("dataset_id", "=", dataset)
    .where("published_at", "is not", null);
  if (except !== undefined) query = query.where("version", "!=", except);
  await query.execute();
}

/** Longest time until a next attempt, in milliseconds. A later time was written before the clock was set back. */
export const LONGEST_PAUSE_MS = 3_600_000;

/** Publications with which the service should continue now, those that are due first at the beginning. */
export async function duePublications(
  db: Queries,
  now: Date,
  limit: number,
): Promise<Pick<PublicationRow, "dataset_id" | "version">[]> {
  return db
    .selectFrom("publication")
    .select(["dataset_id", "version"])
    .where((eb) => eb.or([eb("next_at", "<=", now), eb("next_at", ">", new Date(now.getTime() + LONGEST_PAUSE_MS))]))
    .orderBy("next_at")
    .limit(limit)
    .execute();
}

function jsonOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
