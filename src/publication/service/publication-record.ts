import { isDeepStrictEqual } from "node:util";
import { type PublicationRecord, recordDigest } from "../../archive/receipts/publication-record.ts";
import { receiptOf, recordOf, signPublicationRecord } from "../../archive/receipts/signing.ts";
import { findDataset, latestReceipt, lockDataset } from "../../db/datasets/datasets.ts";
import { isCurrent, type PublicationRow } from "../../db/publication/publications.ts";
import { addRecord, recordsOf } from "../../db/publication/records.ts";
import type { VersionFacts } from "../../describe/version-facts.ts";
import type { StepContext } from "../../steps/context.ts";
import type { PublicationState } from "../rules/states.ts";
import { Superseded } from "./attempts.ts";
import { storeRecords } from "./store-records.ts";

/** What a record states besides the publication itself. */
interface RecordFacts {
  facts: VersionFacts;
  identifier: string;
  /** As URL. */
  conceptDoi?: string | undefined;
  /** Undefined if the version was not published. */
  publishedAt: Date | undefined;
  /** Whether the caller deletes the withdrawn dataset afterwards, so that its tombstone keeps the record. */
  isBeforeRemoval?: boolean;
}

/**
 * Signs a record of the state of a publication, unless the newest record says the same, and stores all records that are not in the
 * archive yet. The database assigns the number, and only while the row is current, so that an attempt that was overtaken by a
 * withdrawal cannot sign that the version is public.
 *
 * @throws Superseded if the service has something else to do since the row was read
 */
export async function keepPublicationRecord(
  context: StepContext,
  row: PublicationRow,
  { facts, isBeforeRemoval = false, ...known }: RecordFacts,
): Promise<void> {
  // The files and logs of a withdrawn dataset are being deleted. Its tombstone keeps the records until then.
  if (!isBeforeRemoval && (await findDataset(context.db, row.dataset_id))?.withdrawn_at !== null) return;
  const { db } = context;
  const { dataset_id, version } = row;
  const stated = statementOf(row, facts, { ...known, inventory: await inventoryOf(context, row) });
  await db.transaction().execute(async (trx) => {
    await lockDataset(trx, dataset_id);
    if (!(await isCurrent(trx, row))) throw new Superseded();
    const last = (await recordsOf(trx, dataset_id, version)).at(-1);
    if (last !== undefined && states(recordOf(last.jws), stated)) return;
    const issuedAt = new Date();
    const record: PublicationRecord = {
      number: (last?.no ?? 0) + 1,
      ...stated,
      ...(last !== undefined && { previous: recordDigest(last.jws) }),
      issuedAt: issuedAt.toISOString(),
      issuer: { publisher: context.publisher.name, url: context.publicUrl() },
    };
    const jws = await signPublicationRecord(record, context.signingKey);
    await addRecord(trx, { dataset_id, version, kind: "publication", no: record.number, issued_at: issuedAt, jws });
  });
  await storeRecords(context, { dataset_id, version, kind: "publication" });
}

type Statement = Omit<PublicationRecord, "number" | "previous" | "issuedAt" | "issuer">;

function statementOf(
  row: PublicationRow,
  { metadata, revision = 1 }: VersionFacts,
  of: Omit<RecordFacts, "facts" | "isBeforeRemoval"> & { inventory: { path: string; sha512: string } },
): Statement {
  const { withdrawn_at } = row;
  return {
    dataset: { id: row.dataset_id, version: row.version, revision },
    identifier: of.identifier,
    ...(of.conceptDoi !== undefined && { conceptDoi: of.conceptDoi }),
    title: metadata.title,
    state: recordedState(row.state),
    access: row.access,
    ...(row.embargo_date !== null && { embargoDate: row.embargo_date }),
    digests: { inventory: of.inventory, reviewed: row.reviewed_sha512 ?? of.inventory.sha512 },
    ...(of.publishedAt !== undefined && { publishedAt: of.publishedAt.toISOString() }),
    ...(withdrawn_at !== null && {
      withdrawn: { at: withdrawn_at.toISOString(), reason: row.withdrawn_reason ?? "" },
    }),
  };
}

/** What a record states of a version with work for the service: one that is being registered is published with this record. */
function recordedState(state: PublicationState): PublicationRecord["state"] {
  if (state === "withdrawn") return "withdrawn";
  return state === "published" || state === "registering" ? "published" : "taken_back";
}

/** Whether a record makes this statement. The first record is signed before the time of publication is committed. */
function states(record: PublicationRecord, { publishedAt: _, ...stated }: Statement): boolean {
  const { number, previous, issuedAt, issuer, publishedAt, ...same } = record;
  return isDeepStrictEqual(same, stated);
}

async function inventoryOf({ db }: StepContext, { dataset_id, version }: PublicationRow) {
  return receiptOf(await latestReceipt(db, dataset_id, version)).digests.inventory;
}
