import type { JSONWebKeySet } from "jose";
import { type Static, Type } from "typebox";
import { objectFolder } from "./layout.ts";
import { ArchiveCorrupt, checkBytes, readBeginning, readJsonOf, readLines, readText } from "./read-archived.ts";
import type { ArchiveReader } from "./reader.ts";
import {
  EVENTS,
  LOGS_MANIFEST,
  LoggedEvent,
  LoggedRead,
  LoggedSubmission,
  READS,
  RECEIPT,
  readLogsManifest,
  SUBMISSION,
  Time,
} from "./receipts/logs.ts";
import type { Receipt } from "./receipts/receipt.ts";
import { verifyReceipt } from "./receipts/signing.ts";
import type { Tombstone } from "./receipts/tombstone.ts";
import { HEAD_BYTES, headOf, inventoryOf, logsOf, sourceManifestOf } from "./versions.ts";

/** With which the dataset is visible; the same as that of its newest version. */
const ROOT_INVENTORY = "inventory.json";

const OrNull = Type.Union([Type.String(), Type.Null()]);
/** A line of the source manifest, as far as others than people read it. */
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
  etagIsDigest: Type.Optional(Type.Literal(true)),
  verifiedIn: Type.Optional(Type.Integer({ minimum: 1 })),
  versionId: Type.Optional(Type.String()),
  contentType: Type.Optional(Type.String()),
  contentEncoding: Type.Optional(Type.String()),
  userMetadata: Type.Optional(Type.Record(Type.String(), Type.String())),
  checksums: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type ManifestLine = Static<typeof ManifestLine>;

/** A version of a dataset as it lies in an archive. */
export interface ArchivedPackage {
  receipt: Receipt;
  /** The receipt as it was signed. */
  jws: string;
  submission: LoggedSubmission;
  /** Reads the inventory that the receipt is about. @throws ArchiveCorrupt when it is another */
  checkInventory(): Promise<void>;
  /** The log up to publication, some entries at a time. @throws ArchiveCorrupt at its end, see `readLines` */
  events(): AsyncIterable<LoggedEvent[]>;
  /** The frozen listing, some lines at a time. @throws ArchiveCorrupt at its end */
  listing(): AsyncIterable<ManifestLine[]>;
  /** What is known of reads that were not simply one; undefined where that was not kept. @throws ArchiveCorrupt at its end */
  reads(): AsyncIterable<LoggedRead[]> | undefined;
}

/** The newest version of the dataset that lies in a folder. @throws ArchiveCorrupt when its inventory does not say it */
export async function newestVersion(reader: ArchiveReader, folder: string): Promise<number> {
  const path = `${folder}/${ROOT_INVENTORY}`;
  const head = headOf(await readBeginning(reader, path, HEAD_BYTES));
  if (head === undefined) throw new ArchiveCorrupt(`${path} is not of the form that this archive gives it`);
  return head;
}

/**
 * Reads the inventory in the root of a dataset, with which it is visible: it has to be that of its newest version.
 * @throws ArchiveCorrupt when it is another, or its sidecar is of another
 */
export async function checkRootInventory(
  reader: ArchiveReader,
  folder: string,
  newest: ArchivedPackage,
): Promise<void> {
  const { dataset, digests } = newest.receipt;
  const { sha512 } = digests.inventory;
  await checkBytes(reader, `${folder}/${ROOT_INVENTORY}`, sha512);
  const sidecar = `${folder}/${ROOT_INVENTORY}.sha512`;
  const text = await readText(reader, sidecar);
  if (text.split(/\s/)[0] === sha512) return;
  // In an object store a later version's sidecar comes right before its inventory, and what is visible is the one before.
  const next = await readText(reader, `${folder}/${inventoryOf(dataset.version + 1)}.sha512`).catch(() => undefined);
  if (text !== next) throw new ArchiveCorrupt(`${sidecar} is of another inventory`);
}

/**
 * Opens a version of a package and checks what can be had cheaply: the digests of its logs, the receipt's signature, and that both
 * speak of the dataset that lies here. Whatever is long is checked when it is read; the files of the dataset are not
 * looked at.
 *
 * @param folder below the archive, `ocfl/…`
 * @throws ArchiveCorrupt that names what does not hold
 */
export async function openPackage(
  reader: ArchiveReader,
  folder: string,
  version: number,
  keys: JSONWebKeySet,
): Promise<ArchivedPackage> {
  const logs = `${folder}/${logsOf(version)}`;
  const digests = readLogsManifest(await readText(reader, `${logs}/${LOGS_MANIFEST}`));
  if (digests === undefined) throw new ArchiveCorrupt(`${logs}/${LOGS_MANIFEST} is not of its form`);
  const digestOf = (name: string) => {
    const digest = digests.get(name);
    if (digest === undefined) throw new ArchiveCorrupt(`${logs}/${LOGS_MANIFEST} does not name ${name}`);
    return digest;
  };
  const { jws, receipt } = await readReceipt(reader, `${logs}/${RECEIPT}`, keys, digestOf(RECEIPT));
  const submission = await readJsonOf(LoggedSubmission, reader, `${logs}/${SUBMISSION}`, digestOf(SUBMISSION));
  checkAgreement({ folder, version }, receipt, submission);
  const { inventory, sourceManifest } = receipt.digests;
  const events = digestOf(EVENTS);
  const reads = digests.get(READS);
  return {
    receipt,
    jws,
    submission,
    checkInventory: () => checkBytes(reader, `${folder}/${inventoryOf(version)}`, inventory.sha512),
    events: () => readLines(LoggedEvent, reader, `${logs}/${EVENTS}`, events),
    listing: () => readLines(ManifestLine, reader, `${folder}/${sourceManifestOf(version)}`, sourceManifest.sha512),
    reads: () => (reads === undefined ? undefined : readLines(LoggedRead, reader, `${logs}/${READS}`, reads)),
  };
}

/** A receipt whose signature holds under one of the keys. @throws ArchiveCorrupt */
async function readReceipt(
  reader: ArchiveReader,
  path: string,
  keys: JSONWebKeySet,
  sha512?: string,
): Promise<{ jws: string; receipt: Receipt }> {
  const jws = (await readText(reader, path, sha512)).trim();
  const verified = await verifyReceipt(jws, keys);
  if (!verified.ok) throw new ArchiveCorrupt(`${path} does not hold: ${verified.detail}`);
  return { jws, receipt: verified.receipt };
}

function checkAgreement(
  { folder, version }: { folder: string; version: number },
  { dataset, submission, digests }: Receipt,
  logged: LoggedSubmission,
): void {
  if (dataset.version !== version || digests.inventory.path !== inventoryOf(version)) {
    throw new ArchiveCorrupt(`Its receipt of version ${version} is of version ${dataset.version}`);
  }
  const isOfHere =
    dataset.identifier === `urn:uuid:${dataset.id}` && folder === `ocfl/${objectFolder(dataset.identifier)}`;
  if (!isOfHere) throw new ArchiveCorrupt(`Its receipt is of another dataset, ${dataset.identifier}`);
  if (submission.id !== logged.id || submission.attempt !== logged.attempt) {
    throw new ArchiveCorrupt(`Its ${SUBMISSION} is of another submission than its receipt`);
  }
}

const Form = Type.Object({
  dataset: Type.Object({
    id: Type.String(),
    identifier: Type.String(),
    owner: Type.Optional(Type.String()),
    title: Type.String(),
    createdAt: Time,
  }),
  versions: Type.Array(
    Type.Object({
      version: Type.Integer(),
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

/** What stays of a withdrawn dataset; the receipts in the order of `tombstone.versions`. */
export interface ArchivedTombstone {
  tombstone: Tombstone;
  receipts: { jws: string; receipt: Receipt }[];
}

/** Reads a tombstone with its receipts, whose signatures hold. @throws ArchiveCorrupt that names what does not */
export async function openTombstone(
  reader: ArchiveReader,
  datasetId: string,
  keys: JSONWebKeySet,
): Promise<ArchivedTombstone> {
  const folder = `withdrawn/${datasetId}`;
  const tombstone: Tombstone = await readJsonOf(Form, reader, `${folder}/tombstone.json`);
  if (tombstone.dataset.id !== datasetId) throw new ArchiveCorrupt(`${folder}/tombstone.json is of another dataset`);
  const receipts: ArchivedTombstone["receipts"] = [];
  for (const { version, submission } of tombstone.versions) {
    const path = `${folder}/logs/v${version}/receipt.jws`;
    const found = await readReceipt(reader, path, keys);
    const { receipt } = found;
    if (receipt.dataset.id !== datasetId || receipt.submission.id !== submission) {
      throw new ArchiveCorrupt(`${path} is of another dataset or submission`);
    }
    receipts.push(found);
  }
  return { tombstone, receipts };
}
