import { type SqlBool, sql } from "kysely";
import { CONCEPT } from "../../publication/rules/doi.ts";
import type { Queries } from "../database.ts";
import type { Trx } from "../submissions/submissions.ts";
import type { DoiRow, KnownDoi } from "./dois.ts";
import { LONGEST_PAUSE_MS } from "./publications.ts";

/**
 * Whether a DOI that is not public can still be published: its version exists, or a submission can still become it, and neither
 * the version nor the dataset was withdrawn.
 */
const isAwaited = sql<SqlBool>`((doi.version = ${sql.lit(CONCEPT)} or exists (
    select from submission
    where submission.dataset_id = doi.dataset_id and coalesce(submission.dataset_version, 1) = doi.version
      and submission.status <> 'cancelled'))
  and not exists (select from dataset where dataset.id = doi.dataset_id and dataset.withdrawn_at is not null)
  and not exists (
    select from publication
    where publication.dataset_id = doi.dataset_id and publication.version = doi.version and state = 'withdrawn'))`;

/** Whether a publication that can have sent the DOI is still being ended: it asks DataCite whether the DOI became public. */
const isBeingEnded = sql<SqlBool>`exists (
    select from publication
    where publication.dataset_id = doi.dataset_id and doi.version in (publication.version, ${sql.lit(CONCEPT)})
      and publication.next_at is not null)`;

/** DOIs with which the service should continue now: new reservations, failed ones, and drafts that are no longer needed. */
export async function dueReservations(db: Queries, now: Date, limit: number): Promise<Pick<DoiRow, "doi">[]> {
  return db
    .selectFrom("doi")
    .select("doi")
    .where((eb) =>
      eb.or([
        // That of a registered DOI is the time of its next comparison.
        eb.and([
          eb.or([eb("next_at", "<=", now), eb("next_at", ">", new Date(now.getTime() + LONGEST_PAUSE_MS))]),
          eb("state", "!=", "findable"),
        ]),
        eb.and([
          eb("next_at", "is", null),
          eb.or([eb("reserved", "=", true), eb("sent_sha256", "is not", null)]),
          eb("state", "in", ["chosen", "draft"]),
          eb.not(isAwaited),
          eb.not(isBeingEnded),
        ]),
      ]),
    )
    .limit(limit)
    .execute();
}

/** The id of the submission that is or can become a version; undefined if there is none. */
export async function awaitedSubmission(db: Queries, dataset: string, version: number): Promise<string | undefined> {
  const found = await db
    .selectFrom("submission")
    .select("id")
    .where("dataset_id", "=", dataset)
    .where(sql`coalesce(dataset_version, 1)`, "=", version)
    .where("status", "!=", "cancelled")
    .executeTakeFirst();
  return found?.id;
}

/** Whether a DOI is not public, and can never be published. */
export async function isUnneeded(db: Queries, doi: string): Promise<boolean> {
  const found = await db
    .selectFrom("doi")
    .select("doi")
    .where("doi", "=", doi)
    .where("state", "in", ["chosen", "draft"])
    .where((eb) => eb.not(isAwaited))
    .where((eb) => eb.not(isBeingEnded))
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Marks a DOI as abandoned that can never be published, unless another attempt has sent a request for it since.
 * @param isOurs whether a draft of ours can exist, which is deleted afterwards
 * @returns whether it is abandoned now
 */
export async function abandonUnneeded(
  db: Queries,
  { doi, state, requests }: KnownDoi,
  isOurs: boolean,
): Promise<boolean> {
  const abandoned = await db
    .updateTable("doi")
    .set({ state: "abandoned", next_at: isOurs ? new Date() : null })
    .where((eb) => eb.and({ doi, state }))
    .where("state", "in", ["chosen", "draft"])
    .where("requests", "=", requests)
    .where((eb) => eb.not(isAwaited))
    .where((eb) => eb.not(isBeingEnded))
    .executeTakeFirst();
  return abandoned.numUpdatedRows === 1n;
}

/** Marks a reserved DOI as abandoned, because it belongs to another dataset. @returns false if it was sent for registration */
export async function abandonTaken(db: Queries, { doi, requests }: KnownDoi): Promise<boolean> {
  const abandoned = await db
    .updateTable("doi")
    .set({ state: "abandoned", reserved: false, next_at: null })
    .where((eb) => eb.and({ doi, state: "chosen" }))
    .where("sent_sha256", "is", null)
    .where("requests", "=", requests)
    .executeTakeFirst();
  return abandoned.numUpdatedRows === 1n;
}

/** Makes the service delete the draft of a DOI that was abandoned while the draft was being created. */
export async function deleteAbandoned(trx: Trx, doi: string): Promise<void> {
  await trx
    .updateTable("doi")
    .set({ next_at: new Date() })
    .where((eb) => eb.and({ doi, state: "abandoned" }))
    .execute();
}

/** Records that DataCite has a draft of a DOI. @returns false if that was recorded before, or the DOI is already registered */
export async function recordDraft(trx: Trx, doi: string): Promise<boolean> {
  const recorded = await trx
    .updateTable("doi")
    .set({ state: "draft" })
    .where((eb) => eb.and({ doi, state: "chosen" }))
    .executeTakeFirst();
  return recorded.numUpdatedRows === 1n;
}

/**
 * Records the outcome of an attempt to reserve a DOI, or to delete its draft, unless it is registered by now.
 * @param outcome.next_at null if there is nothing left to do
 */
export async function recordReservation(
  db: Queries,
  doi: string,
  outcome: Pick<DoiRow, "next_at" | "attempts" | "problem"> & Partial<Pick<DoiRow, "failure_told">>,
): Promise<void> {
  const problem = outcome.problem === null ? null : JSON.stringify(outcome.problem);
  await db
    .updateTable("doi")
    .set({ failure_told: false, ...outcome, problem })
    .where("doi", "=", doi)
    .where("state", "!=", "findable")
    .execute();
}

/** Stands for no dataset. */
const NO_DATASET = "00000000-0000-0000-0000-000000000000";

/**
 * Stores the DOI of a draft with which the account is tested. The draft is deleted at this time, unless it is forgotten before.
 * @returns false if the DOI is in use
 */
export async function keepTestDraft(db: Queries, doi: string, deleteAt: Date): Promise<boolean> {
  const kept = await db
    .insertInto("doi")
    .values({
      ...{ doi, dataset_id: NO_DATASET, version: 0, created_at: new Date() },
      ...{ reserved: true, state: "abandoned", next_at: deleteAt },
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return kept.numInsertedOrUpdatedRows === 1n;
}

/** Changes when the draft of a test is deleted. */
export async function postponeTestDraft(db: Queries, doi: string, deleteAt: Date): Promise<void> {
  await db
    .updateTable("doi")
    .set({ next_at: deleteAt })
    .where((eb) => eb.and({ doi, dataset_id: NO_DATASET }))
    .execute();
}

/** Removes the DOI of a test whose draft does not exist. */
export async function forgetTestDraft(db: Queries, doi: string): Promise<void> {
  await db.deleteFrom("doi").where("doi", "=", doi).where("dataset_id", "=", NO_DATASET).execute();
}
