import type { Insertable, Selectable } from "kysely";
import type { RecordKind } from "../../publication/rules/publication.ts";
import type { Queries } from "../database.ts";
import type { PublicationRecordTable } from "../tables/publication-tables.ts";
import { LONGEST_PAUSE_MS, type PublicationRow } from "./publications.ts";

export type RecordRow = Selectable<PublicationRecordTable>;

/** The version of a dataset to which records belong, and their kind. */
export interface RecordSubject {
  dataset_id: string;
  version: number;
  kind: RecordKind;
}

/** Signed records of a publication, oldest first. */
export async function recordsOf(db: Queries, dataset: string, version: number): Promise<RecordRow[]> {
  return recordsOfKind(db, { dataset_id: dataset, version, kind: "publication" });
}

/** Signed records of one kind, oldest first. */
export async function recordsOfKind(db: Queries, subject: RecordSubject): Promise<RecordRow[]> {
  return selectRecords(db, subject).orderBy("no").execute();
}

/** The newest record of a kind; undefined if there is none. */
export async function newestRecord(db: Queries, subject: RecordSubject): Promise<RecordRow | undefined> {
  return selectRecords(db, subject).orderBy("no", "desc").limit(1).executeTakeFirst();
}

/** The records of one kind that the archive does not have yet, oldest first. */
export async function unstoredRecords(db: Queries, subject: RecordSubject): Promise<RecordRow[]> {
  return selectRecords(db, subject).where("stored_at", "is", null).orderBy("no").execute();
}

function selectRecords(db: Queries, { dataset_id, version, kind }: RecordSubject) {
  return db
    .selectFrom("publication_record")
    .selectAll()
    .where((eb) => eb.and({ dataset_id, version, kind }));
}

/** Stores a signed record, once for each number. */
export async function addRecord(db: Queries, record: Insertable<PublicationRecordTable>): Promise<void> {
  await db
    .insertInto("publication_record")
    .values(record)
    .onConflict((conflict) => conflict.columns(["dataset_id", "version", "kind", "no"]).doNothing())
    .execute();
}

/** Records that the archive has a record. */
export async function markRecordStored(
  db: Queries,
  { dataset_id, version, kind, no }: RecordSubject & { no: number },
): Promise<void> {
  await db
    .updateTable("publication_record")
    .set({ stored_at: new Date() })
    .where((eb) => eb.and({ dataset_id, version, kind, no }))
    .execute();
}

type Publication = Pick<PublicationRow, "dataset_id" | "version">;

/** Makes the service store what is new of a review, soon. */
export async function storeReviewSoon(db: Queries, { dataset_id, version }: Publication): Promise<void> {
  await db
    .updateTable("publication")
    .set({ review_due_at: new Date() })
    .where((eb) => eb.and({ dataset_id, version }))
    .execute();
}

/** A failed try is repeated after this time, so that archives that cannot be written do not delay other reviews. */
const REVIEW_PAUSE_MS = 60_000;

/** Begins to store a review. @returns the time of the next try, unless {@link reviewStored} follows; undefined if nothing is due */
export async function beginReview(db: Queries, { dataset_id, version }: Publication): Promise<Date | undefined> {
  const next = new Date(Date.now() + REVIEW_PAUSE_MS);
  const begun = await db
    .updateTable("publication")
    .set({ review_due_at: next })
    .where((eb) => eb.and({ dataset_id, version }))
    .where("review_due_at", "is not", null)
    .executeTakeFirst();
  return begun.numUpdatedRows === 1n ? next : undefined;
}

/** Records that a review is stored, unless more of it is to be stored since it was begun. @param begun as `beginReview` returned it */
export async function reviewStored(db: Queries, { dataset_id, version }: Publication, begun: Date): Promise<void> {
  await db
    .updateTable("publication")
    .set({ review_due_at: null })
    .where((eb) => eb.and({ dataset_id, version, review_due_at: begun }))
    .execute();
}

/** Publications of which the archive lacks a decision, those that have waited longest first. */
export async function dueReviews(db: Queries, now: Date, limit: number): Promise<Publication[]> {
  return db
    .selectFrom("publication")
    .select(["dataset_id", "version"])
    .where((eb) =>
      eb.or([
        eb("review_due_at", "<=", now),
        // The clock was set back.
        eb("review_due_at", ">", new Date(now.getTime() + LONGEST_PAUSE_MS)),
      ]),
    )
    .orderBy("review_due_at")
    .limit(limit)
    .execute();
}
