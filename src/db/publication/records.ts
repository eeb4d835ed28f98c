import type { Insertable, Selectable } from "kysely";
import type { RecordKind } from "../../publication/rules/publication.ts";
import type { Queries } from "../database.ts";
import type { PublicationRecordTable } from "./publication-tables.ts";
import type { PublicationRow } from "./publications.ts";

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
export async function recordsOfKind(db: Queries, { dataset_id, version, kind }: RecordSubject): Promise<RecordRow[]> {
  return db
    .selectFrom("publication_record")
    .selectAll()
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("kind", "=", kind)
    .orderBy("no")
    .execute();
}

/** The newest record of a kind; undefined if there is none. */
export async function newestRecord(
  db: Queries,
  { dataset_id, version, kind }: RecordSubject,
): Promise<RecordRow | undefined> {
  return db
    .selectFrom("publication_record")
    .selectAll()
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("kind", "=", kind)
    .orderBy("no", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Stores a signed record, once for each number. */
export async function addRecord(db: Queries, record: Insertable<PublicationRecordTable>): Promise<void> {
  await db
    .insertInto("publication_record")
    .values(record)
    .onConflict((conflict) => conflict.columns(["dataset_id", "version", "kind", "no"]).doNothing())
    .execute();
}

/** The records of one kind that the archive does not have yet, oldest first. */
export async function unstoredRecords(db: Queries, { dataset_id, version, kind }: RecordSubject): Promise<RecordRow[]> {
  return db
    .selectFrom("publication_record")
    .selectAll()
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("kind", "=", kind)
    .where("stored_at", "is", null)
    .orderBy("no")
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
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("kind", "=", kind)
    .where("no", "=", no)
    .execute();
}

/** Records that the archive has the history up to this entry. */
export async function markReviewKept(
  db: Queries,
  { dataset_id, version }: Pick<PublicationRow, "dataset_id" | "version">,
  through: number,
): Promise<void> {
  await db
    .updateTable("publication")
    .set({ review_kept: through })
    .where("dataset_id", "=", dataset_id)
    .where("version", "=", version)
    .where("review_kept", "<", through)
    .execute();
}

/** Publications of which the archive lacks a decision. */
export async function dueReviews(
  db: Queries,
  limit: number,
): Promise<Pick<PublicationRow, "dataset_id" | "version">[]> {
  return (
    db
      .selectFrom("publication")
      .innerJoin("dataset", "dataset.id", "publication.dataset_id")
      .select(["publication.dataset_id", "publication.version"])
      .whereRef("review_due", ">", "review_kept")
      // The logs of a withdrawn dataset are removed.
      .where("dataset.withdrawn_at", "is", null)
      .limit(limit)
      .execute()
  );
}
