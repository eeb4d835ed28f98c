import type { Insertable, Selectable } from "kysely";
import type { Queries } from "../database.ts";
import type { PublicationRecordTable } from "./publication-tables.ts";

export type RecordRow = Selectable<PublicationRecordTable>;

/** Signed records of a publication, oldest first. */
export async function recordsOf(db: Queries, dataset: string, version: number): Promise<RecordRow[]> {
  return db
    .selectFrom("publication_record")
    .selectAll()
    .where("dataset_id", "=", dataset)
    .where("version", "=", version)
    .orderBy("no")
    .execute();
}

/** Stores a signed record, once for each number. */
export async function addRecord(db: Queries, record: Insertable<PublicationRecordTable>): Promise<void> {
  await db
    .insertInto("publication_record")
    .values(record)
    .onConflict((conflict) => conflict.columns(["dataset_id", "version", "no"]).doNothing())
    .execute();
}

/** Records that the archive has a record. */
export async function markRecordStored(db: Queries, dataset: string, version: number, no: number): Promise<void> {
  await db
    .updateTable("publication_record")
    .set({ stored_at: new Date() })
    .where("dataset_id", "=", dataset)
    .where("version", "=", version)
    .where("no", "=", no)
    .execute();
}
