import { recordName } from "../../archive/receipts/publication-record.ts";
import { markRecordStored, type RecordSubject, unstoredRecords } from "../../db/publication/records.ts";
import { announceChange } from "../../steps/archive-change.ts";
import type { StepContext } from "../../steps/context.ts";

/** Stores all signed records of a kind that are not in the archive yet. May be repeated after any crash. */
export async function storeRecords(context: StepContext, subject: RecordSubject): Promise<void> {
  const { db, store } = context;
  const { dataset_id, version, kind } = subject;
  for (const { no, jws } of await unstoredRecords(db, subject)) {
    await announceChange(context);
    await store.addRecord(dataset_id, kind, recordName(version, no), jws);
    await markRecordStored(db, { ...subject, no });
  }
}
