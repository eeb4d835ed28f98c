import type { JSONWebKeySet } from "jose";
import { type Static, Type } from "typebox";
import { datasetUrn } from "../domain/uuid.ts";
import { type ArchivedRecord, readPublicationRecords } from "./archived-records.ts";
import { datasetFolder } from "./layout.ts";
import { ArchiveCorrupt, checkBytes, readBeginning, readJsonOf, readLines, readText } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";
import {
  EVENTS,
  LOGS_MANIFEST,
  LoggedEvent,
  LoggedRead,
  LoggedRevision,
  LoggedSubmission,
  READS,
  RECEIPT,
  REVISION,
  readLogsManifest,
  SUBMISSION,
  Time,
} from "./receipts/logs.ts";
import type { Receipt } from "./receipts/receipt.ts";
import { verifyReceipt } from "./receipts/signing.ts";
import type { Tombstone } from "./receipts/tombstone.ts";
import { HEAD_BYTES, headOf, inventoryOf, logsOf, sourceManifestOf } from "./versions.ts";

/** The inventory that makes the dataset visible. It is a copy of the newest version's inventory. */
const ROOT_INVENTORY = "inventory.json";

const OrNull = Type.Union([Type.String(), Type.Null()]);
/** A line of the source manifest. Contains only the members that programs read. */
export const ManifestLine = Type.Object({
  key: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  etag: OrNull,
  lastModified: OrNull,
  storageClass: OrNull,
  path: Type.String(),
  excluded: Type.Optional(Type.Object({ reason: Type.String(), code: OrNull })),
  contentPath: Type.Optional(Type.String({ pattern: "^v[1-9][0-9]*/content/." })),
  sha512: Type.Optional(Type.String({ pattern: "^[0-9a-f]{128}$" })),
  verifiedBy: Type.Optional(Type.String()),
  verifiedWith: Type.Optional(Type.String()),
  stated: Type.Optional(Type.Record(Type.String(), Type.String())),
  etagIsDigest: Type.Optional(Type.Literal(true)),
  verifiedIn: Type.Optional(Type.Integer({ minimum: 1 })),
  versionId: Type.Optional(Type.String()),
  contentType: Type.Optional(Type.String()),
  contentEncoding: Type.Optional(Type.String()),
  userMetadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  userMetadataBytes: Type.Optional(Type.Record(Type.String(), Type.String())),
  checksums: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type ManifestLine = Static<typeof ManifestLine>;

/** A version of an OCFL object as the archive stores it. */
interface ArchivedVersion {
  /** Its number in the OCFL object. */
  ocflVersion: number;
  receipt: Receipt;
  /** The receipt as it was signed. */
  jws: string;
  /** Reads the inventory that the receipt refers to. @throws ArchiveCorrupt if it differs from the receipt */
  checkInventory(): Promise<void>;
}

/** A metadata revision. */
export interface ArchivedRevision extends ArchivedVersion {
  kind: "revision";
  revision: LoggedRevision;
}

/** A version of the dataset. */
export interface ArchivedPackage extends ArchivedVersion {
  kind: "package";
  submission: LoggedSubmission;
  /** The events up to publication, in batches. @throws ArchiveCorrupt at the end, see `readLines` */
  events(): AsyncIterable<LoggedEvent[]>;
  /** The frozen listing, in batches. @throws ArchiveCorrupt at the end */
  listing(): AsyncIterable<ManifestLine[]>;
  /**
   * Details of objects that were not read exactly once; undefined for packages without them. @throws ArchiveCorrupt at
   * the end
   */
  reads(): AsyncIterable<LoggedRead[]> | undefined;
}

/** The newest version of the dataset in a folder. @throws ArchiveCorrupt if its inventory does not state a version */
export async function newestVersion(reader: ArchiveReader, folder: string): Promise<number> {
  const path = `${folder}/${ROOT_INVENTORY}`;
  const head = headOf(await readBeginning(reader, path, HEAD_BYTES));
  if (head === undefined) throw new ArchiveCorrupt(`${path} does not have the format that this service writes`);
  return head;
}

/**
 * Reads the inventory in a dataset's root, which makes the dataset visible. It must be the inventory of its newest
 * version.
 * @throws ArchiveCorrupt if it is another inventory, or its sidecar belongs to another inventory
 */
export async function checkRootInventory(
  reader: ArchiveReader,
  folder: string,
  newest: ArchivedVersion,
): Promise<void> {
  const { sha512 } = newest.receipt.digests.inventory;
  await checkBytes(reader, `${folder}/${ROOT_INVENTORY}`, sha512);
  const sidecar = `${folder}/${ROOT_INVENTORY}.sha512`;
  const text = await readText(reader, sidecar);
  if (text.split(/\s/)[0] === sha512) return;
  // In an object store the sidecar of a later version is written just before its inventory. Until then the earlier
  // version is visible.
  const next = await readText(reader, `${folder}/${inventoryOf(newest.ocflVersion + 1)}.sha512`).catch(() => undefined);
  if (text !== next) throw new ArchiveCorrupt(`${sidecar} belongs to another inventory`);
}

/**
 * Opens a version of the OCFL object of a dataset and makes the inexpensive checks: the digests of its logs, the receipt's signature, and
 * that both refer to the dataset in this folder. Long files are checked when they are read. The dataset's files are not
 * read.
 *
 * @param folder relative to the archive, `ocfl/…`
 * @throws ArchiveCorrupt that names the check that failed
 */
export async function openPackage(
  reader: ArchiveReader,
  folder: string,
  version: number,
  keys: JSONWebKeySet,
): Promise<ArchivedPackage | ArchivedRevision> {
  const logs = `${folder}/${logsOf(version)}`;
  const digests = readLogsManifest(await readText(reader, `${logs}/${LOGS_MANIFEST}`));
  if (digests === undefined) throw new ArchiveCorrupt(`${logs}/${LOGS_MANIFEST} does not have the expected format`);
  const digestOf = (name: string) => {
    const digest = digests.get(name);
    if (digest === undefined) throw new ArchiveCorrupt(`${logs}/${LOGS_MANIFEST} does not name ${name}`);
    return digest;
  };
  const { jws, receipt } = await readReceipt(reader, `${logs}/${RECEIPT}`, keys, digestOf(RECEIPT));
  checkAgreement({ folder, version }, receipt);
  const { inventory, sourceManifest } = receipt.digests;
  const checkInventory = () => checkBytes(reader, `${folder}/${inventoryOf(version)}`, inventory.sha512);
  if (digests.has(REVISION)) {
    const revision = await readJsonOf(LoggedRevision, reader, `${logs}/${REVISION}`, digestOf(REVISION));
    if (revision.version !== receipt.dataset.version || revision.revision !== receipt.dataset.revision) {
      throw new ArchiveCorrupt(`${logs}/${REVISION} and the receipt name different revisions`);
    }
    return { kind: "revision", ocflVersion: version, receipt, jws, revision, checkInventory };
  }
  const submission = await readJsonOf(LoggedSubmission, reader, `${logs}/${SUBMISSION}`, digestOf(SUBMISSION));
  if (receipt.submission.id !== submission.id || receipt.submission.attempt !== submission.attempt) {
    throw new ArchiveCorrupt(`${SUBMISSION} and the receipt name different submissions`);
  }
  const events = digestOf(EVENTS);
  const reads = digests.get(READS);
  return {
    kind: "package",
    ocflVersion: version,
    receipt,
    jws,
    submission,
    checkInventory,
    events: () => readLines(LoggedEvent, reader, `${logs}/${EVENTS}`, events),
    listing: () => readLines(ManifestLine, reader, `${folder}/${sourceManifestOf(version)}`, sourceManifest.sha512),
    reads: () => (reads === undefined ? undefined : readLines(LoggedRead, reader, `${logs}/${READS}`, reads)),
  };
}

/** Reads a receipt and verifies its signature with the keys. @throws ArchiveCorrupt if it is invalid */
async function readReceipt(
  reader: ArchiveReader,
  path: string,
  keys: JSONWebKeySet,
  sha512?: string,
): Promise<{ jws: string; receipt: Receipt }> {
  const jws = (await readText(reader, path, sha512)).trim();
  const verified = await verifyReceipt(jws, keys);
  if (!verified.ok) throw new ArchiveCorrupt(`${path} is not a valid receipt: ${verified.detail}`);
  return { jws, receipt: verified.receipt };
}

function checkAgreement({ folder, version }: { folder: string; version: number }, { dataset, digests }: Receipt): void {
  if (dataset.version > version || digests.inventory.path !== inventoryOf(version)) {
    throw new ArchiveCorrupt(`The receipt stored for version ${version} is for ${digests.inventory.path}`);
  }
  const isOfHere = dataset.identifier === datasetUrn(dataset.id) && folder === datasetFolder(dataset.id);
  if (!isOfHere)
    throw new ArchiveCorrupt(`The receipt stored for this dataset is for another one, ${dataset.identifier}`);
}

const Form = Type.Object({
  dataset: Type.Object({
    id: Type.String(),
    identifier: Type.String(),
    owner: Type.Optional(Type.String()),
    title: Type.String(),
    authors: Type.Optional(Type.Array(Type.Object({ role: Type.String() }))),
    createdAt: Time,
  }),
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
      ocflVersion: Type.Optional(Type.Integer()),
      submission: Type.String(),
      acceptedAt: Type.Optional(Time),
      publishedAt: Time,
      objects: Type.Integer(),
      bytes: Type.Integer(),
    }),
    { minItems: 1 },
  ),
  withdrawn: Type.Object({ at: Time, by: Type.String(), reason: Type.String() }),
});

/** The record of a withdrawn dataset. The receipts are in the order of `tombstone.versions`. */
export interface ArchivedTombstone {
  tombstone: Tombstone;
  receipts: { jws: string; receipt: Receipt }[];
  records: ArchivedRecord[];
}

/**
 * Reads a tombstone with its receipts and verifies their signatures. @throws ArchiveCorrupt that names what is invalid
 */
export async function openTombstone(
  reader: ArchiveReader,
  datasetId: string,
  keys: JSONWebKeySet,
): Promise<ArchivedTombstone> {
  const folder = `withdrawn/${datasetId}`;
  const tombstone: Tombstone = await readJsonOf(Form, reader, `${folder}/tombstone.json`);
  if (tombstone.dataset.id !== datasetId) throw new ArchiveCorrupt(`${folder}/tombstone.json names another dataset`);
  const receipts: ArchivedTombstone["receipts"] = [];
  for (const { version, ocflVersion = version, submission } of tombstone.versions) {
    const path = `${folder}/logs/v${ocflVersion}/receipt.jws`;
    const found = await readReceipt(reader, path, keys);
    const { receipt } = found;
    if (receipt.dataset.id !== datasetId || receipt.submission.id !== submission) {
      throw new ArchiveCorrupt(`${path} names another dataset or submission`);
    }
    receipts.push(found);
  }
  return { tombstone, receipts, records: await readPublicationRecords({ reader, folder, dataset: datasetId, keys }) };
}
