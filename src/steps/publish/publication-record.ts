import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { PackageFacts } from "../../archive/metadata/facts.ts";
import { type PublicationRecord, recordName } from "../../archive/receipts/publication-record.ts";
import { receiptOf, recordOf, signPublicationRecord } from "../../archive/receipts/signing.ts";
import { findDataset, latestReceipt } from "../../db/datasets/datasets.ts";
import { addRecord, markRecordStored, type PublicationRow, recordsOf } from "../../db/publication/publications.ts";
import { announceChange } from "../archive-change.ts";
import type { StepContext } from "../context.ts";

/** What a record states besides the publication itself. */
interface RecordFacts {
  facts: PackageFacts;
  identifier: string;
  /** As URL. */
  conceptDoi?: string | undefined;
  publishedAt: Date;
}

/**
 * Signs a record of the present state of a publication, unless the newest record says the same, and stores all records that
 * are not in the archive yet. Numbers are assigned in the database first, so that a repeated call continues the same record.
 */
export async function keepPublicationRecord(
  context: StepContext,
  row: PublicationRow,
  { facts, ...known }: RecordFacts,
): Promise<void> {
  // The files and logs of a withdrawn dataset are being deleted. Its tombstone keeps the records until then.
  if ((await findDataset(context.db, row.dataset_id))?.withdrawn_at !== null) return;
  const { db, store } = context;
  const { dataset_id, version } = row;
  const records = await recordsOf(db, dataset_id, version);
  const last = records.at(-1);
  const stated = statementOf(row, facts, { ...known, inventory: await inventoryOf(context, row) });
  if (last === undefined || !states(recordOf(last.jws), stated)) {
    const issuedAt = new Date();
    const record: PublicationRecord = {
      number: (last?.no ?? 0) + 1,
      ...stated,
      ...(last !== undefined && { previous: createHash("sha512").update(last.jws).digest("hex") }),
      issuedAt: issuedAt.toISOString(),
      issuer: { publisher: context.publisher.name, url: context.publicUrl() },
    };
    const jws = await signPublicationRecord(record, context.signingKey);
    await addRecord(db, { dataset_id, version, no: record.number, issued_at: issuedAt, jws });
  }
  for (const { no, jws, stored_at } of await recordsOf(db, dataset_id, version)) {
    if (stored_at !== null) continue;
    await announceChange(context);
    await store.addPublicationRecord(dataset_id, recordName(version, no), jws);
    await markRecordStored(db, dataset_id, version, no);
  }
}

type Statement = Omit<PublicationRecord, "number" | "previous" | "issuedAt" | "issuer">;

function statementOf(
  row: PublicationRow,
  { metadata, revision = 1 }: PackageFacts,
  of: Omit<RecordFacts, "facts"> & { inventory: { path: string; sha512: string } },
): Statement {
  const { withdrawn_at } = row;
  return {
    dataset: { id: row.dataset_id, version: row.version, revision },
    identifier: of.identifier,
    ...(of.conceptDoi !== undefined && { conceptDoi: of.conceptDoi }),
    title: metadata.title,
    state: row.state === "withdrawn" ? "withdrawn" : "published",
    access: row.access,
    ...(row.embargo_date !== null && { embargoDate: row.embargo_date }),
    digests: { inventory: of.inventory, reviewed: row.reviewed_sha512 ?? of.inventory.sha512 },
    publishedAt: of.publishedAt.toISOString(),
    ...(withdrawn_at !== null && {
      withdrawn: { at: withdrawn_at.toISOString(), reason: row.withdrawn_reason ?? "" },
    }),
  };
}

/** Whether a record makes this statement. The first record is signed before the time of publication is committed. */
function states(record: PublicationRecord, { publishedAt: _, ...stated }: Statement): boolean {
  const { number, previous, issuedAt, issuer, publishedAt, ...same } = record;
  return isDeepStrictEqual(same, stated);
}

async function inventoryOf({ db }: StepContext, { dataset_id, version }: PublicationRow) {
  return receiptOf(await latestReceipt(db, dataset_id, version)).digests.inventory;
}
