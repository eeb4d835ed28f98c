import type { JSONWebKeySet } from "jose";
import { ArchiveCorrupt, readText } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";
import { type PublicationRecord, RECORDS, recordName } from "./receipts/publication-record.ts";
import { verifyPublicationRecord } from "./receipts/signing.ts";

/** A publication record with its signed text. */
export interface ArchivedRecord {
  jws: string;
  record: PublicationRecord;
}

/**
 * Reads the publication records of a dataset, those of each version in order, and verifies their signatures.
 * @throws ArchiveCorrupt that names what is invalid
 */
export async function readPublicationRecords(
  reader: ArchiveReader,
  folder: string,
  dataset: string,
  keys: JSONWebKeySet,
): Promise<ArchivedRecord[]> {
  const records: ArchivedRecord[] = [];
  for await (const path of reader.names(`${folder}/logs/${RECORDS}`)) {
    // A crash can leave a file that was not renamed yet. The service writes its record again.
    if (!path.endsWith(".jws")) continue;
    const jws = await readText(reader, path);
    const verified = await verifyPublicationRecord(jws, keys);
    if (!verified.ok) throw new ArchiveCorrupt(`${path} is not a valid publication record: ${verified.detail}`);
    const { record } = verified;
    if (record.dataset.id !== dataset || !path.endsWith(`/${recordName(record.dataset.version, record.number)}`)) {
      throw new ArchiveCorrupt(`${path} is the publication record of another dataset or version`);
    }
    records.push({ jws, record });
  }
  return records.sort(
    ({ record: one }, { record: other }) => one.dataset.version - other.dataset.version || one.number - other.number,
  );
}
