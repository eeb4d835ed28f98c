import type { JSONWebKeySet } from "jose";
import type { RecordKind } from "../publication/rules/publication.ts";
import { ArchiveCorrupt, readText } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";
import { type PublicationRecord, recordDigest, recordName } from "./receipts/publication-record.ts";
import type { ReviewRecord } from "./receipts/review-record.ts";
import { verifyPublicationRecord, verifyReviewRecord } from "./receipts/signing.ts";

/** A signed record with its text. */
export interface Archived<Statement> {
  jws: string;
  record: Statement;
}

export type ArchivedRecord = Archived<PublicationRecord>;
export type ArchivedReview = Archived<ReviewRecord>;

/** The place of the records of a dataset, and the keys that may have signed them. */
interface Source {
  reader: ArchiveReader;
  /** Of the object, relative to the archive. */
  folder: string;
  dataset: string;
  keys: JSONWebKeySet;
}

/**
 * Reads the publication records of a dataset, those of each version in order, and verifies their signatures.
 * @throws ArchiveCorrupt that names what is invalid
 */
export async function readPublicationRecords(source: Source): Promise<ArchivedRecord[]> {
  return readRecords(source, "publication", verifyPublicationRecord);
}

/**
 * Reads the review records of a dataset in the same way. They are absent if no publication was requested.
 * @throws ArchiveCorrupt also if one of them is missing between others
 */
export async function readReviewRecords(source: Source): Promise<ArchivedReview[]> {
  const reviews = await readRecords(source, "review", verifyReviewRecord);
  for (const [index, { record }] of reviews.entries()) {
    const before = record.number === 1 ? undefined : reviews[index - 1]?.jws;
    if (record.previous === (before && recordDigest(before))) continue;
    throw new ArchiveCorrupt(
      `The review record before ${recordName(record.dataset.version, record.number)} is missing`,
    );
  }
  return reviews;
}

interface Numbered {
  number: number;
  dataset: { id: string; version: number };
}

type Verify<Statement> = (
  jws: string,
  keys: JSONWebKeySet,
) => Promise<{ ok: true; record: Statement } | { ok: false; detail: string }>;

async function readRecords<Statement extends Numbered>(
  { reader, folder, dataset, keys }: Source,
  kind: RecordKind,
  verify: Verify<Statement>,
): Promise<Archived<Statement>[]> {
  const records: Archived<Statement>[] = [];
  for await (const path of reader.names(`${folder}/logs/${kind}`)) {
    // A crash can leave a file that was not renamed yet. The service writes its record again.
    if (!path.endsWith(".jws")) continue;
    const jws = await readText(reader, path);
    const verified = await verify(jws, keys);
    if (!verified.ok) throw new ArchiveCorrupt(`${path} is not a valid ${kind} record: ${verified.detail}`);
    const { record } = verified;
    if (record.dataset.id !== dataset || !path.endsWith(`/${recordName(record.dataset.version, record.number)}`)) {
      throw new ArchiveCorrupt(`${path} is the ${kind} record of another dataset or version`);
    }
    records.push({ jws, record });
  }
  return records.sort(
    ({ record: one }, { record: other }) => one.dataset.version - other.dataset.version || one.number - other.number,
  );
}
