import { join } from "node:path";
import { openInventory } from "../../../packages/ocfl/src/index.ts";
import { unwritable, writeDurably } from "../../archive/folder/durable-writes.ts";
import { type LoggedRevision, RECEIPT, REVISION, writeLogsManifest } from "../../archive/receipts/logs.ts";
import { receiptOf, signReceipt } from "../../archive/receipts/signing.ts";
import type { PackageArea } from "../../archive/store.ts";
import { inventoryOf, logsOf } from "../../archive/versions.ts";
import { everyObject } from "../../db/chunks/chunks.ts";
import { pathOfObject } from "../../db/chunks/objects.ts";
import { latestReceipt, requireSubmissionOfVersion } from "../../db/datasets/datasets.ts";
import {
  commitRevision,
  findRevision,
  finishRevision,
  type RevisionDocuments,
  type RevisionRow,
  revisionDocuments,
  takeRevisionFence,
} from "../../db/datasets/revisions.ts";
import { findPublication } from "../../db/publication/publications.ts";
import { addEvent } from "../../db/submissions/events.ts";
import type { SubmissionRow } from "../../db/submissions/submissions.ts";
import { Crate } from "../../describe/formats/ro-crate/ro-crate.ts";
import { MediaTypes } from "../../describe/metadata/media-types.ts";
import type { VersionFacts } from "../../describe/version-facts.ts";
import { Problem } from "../../domain/problems.ts";
import { metadataChanged } from "../../domain/submission/archive-events.ts";
import { within } from "../../platform/telemetry/tracing.ts";
import { factsOfPublication } from "../../publication/service/publication-facts.ts";
import { announceChange } from "../archive-change.ts";
import type { StepContext } from "../context.ts";
import { discardStaged } from "../discard-staging.ts";
import { describeFile, MANIFEST } from "../seal/contents.ts";
import { type EarlierVersions, readEarlierVersions } from "../seal/earlier-versions.ts";
import { CRATE, metadataFile, writeInventories, writeMetadata } from "../seal/metadata-files.ts";
import { factsOf, withNamedVersions } from "../seal/package-dataset.ts";
import { noteInReview } from "./note-in-review.ts";

/** The staging area of a revision has one attempt, which any number of workers may take over. */
const ATTEMPT = 1;

/**
 * Publishes a metadata revision: a version of the OCFL object with the same files, new metadata documents and a new
 * receipt. No content is copied or read. As with packages, everything is written to the staging area, then publication is
 * committed in the database, then the version is made visible. May be run again after any crash.
 */
export async function revise(context: StepContext, id: string): Promise<void> {
  const { db, tracing } = context;
  const row = await findRevision(db, id);
  if (row === undefined) return;
  // A worker that was killed after the revision was replaced has left files.
  if (row.finished_at !== null) return discardStaged(context, id);
  if (row.published_at === null && !(await within(tracing, "build revision", () => buildAndCommit(context, row)))) {
    return;
  }
  await within(tracing, "publish revision", () => finish(context, id));
}

/** @returns false if another worker has the revision, or it was given up */
async function buildAndCommit(context: StepContext, row: RevisionRow): Promise<boolean> {
  const { db, store } = context;
  const staging = store.staging(row.id, row.dataset_id, row.ocfl_version);
  await staging.begin(ATTEMPT).catch(hasBegun);
  const fence = await takeRevisionFence(db, row.id);
  if (fence === undefined) {
    // Its removal, if it was replaced meanwhile, may have run before the staging area was begun.
    await discardStaged(context, row.id);
    return false;
  }
  const area = await staging.package(fence, ATTEMPT);
  try {
    const built = await build(context, row, area).catch((error: unknown) => {
      throw unwritable(error);
    });
    return await db.transaction().execute((trx) => commitRevision(trx, row, { fence, ...built }));
  } catch (error) {
    // If the revision was replaced meanwhile, its files were removed while they were written.
    if ((await findRevision(db, row.id))?.finished_at === null) throw error;
    return false;
  } finally {
    await area.close();
    // Files that were written after that removal.
    await discardStaged(context, row.id);
  }
}

/** A worker that continues another one's revision finds its staging area in use, which is not a problem. */
function hasBegun(error: unknown): void {
  if (!(error instanceof Problem) || error.code !== "wrong_state") throw error;
}

async function build(context: StepContext, row: RevisionRow, area: PackageArea) {
  const { folder } = area;
  const submission = await requireSubmissionOfVersion(context.db, row.dataset_id, row.version);
  const documents = await revisionDocuments(context.db, row.id);
  const facts = await revisedFacts(context, submission, row, documents);
  const previous = await latestReceipt(context.db, row.dataset_id, row.version);
  const scratch = await area.scratch();
  const inventory = await openInventory(scratch);
  let earlier: EarlierVersions | undefined;
  try {
    earlier = await readEarlierVersions({ base: submission, receipt: previous }, { area, inventory, scratch });
    const target = { folder, ocflVersion: row.ocfl_version, inventory };
    const mediaTypes = await addFiles(context, submission, { ...target, facts, earlier });
    await writeMetadata(target, { ...facts, mediaTypes }, submission);
    const publishedAt = new Date();
    const sha512 = await writeInventories(target, facts, {
      message: `Metadata revision ${row.revision} of version ${row.version}${row.note === "" ? "" : `: ${row.note}`}`,
      created: publishedAt.toISOString(),
      address: context.publicUrl(),
    });
    const receipt = await issueReceipt(context, row, { previous, title: facts.metadata.title, sha512 });
    await writeLogs(row, documents, { folder, receipt, publishedAt });
    await area.finalize();
    return { receipt, publishedAt };
  } finally {
    earlier?.content.discard();
    await inventory.discard();
  }
}

/**
 * What the package states: the facts of the version's submission, with the metadata of the revision. If the version was published
 * before, they are those of its publication.
 */
async function revisedFacts(
  context: StepContext,
  submission: SubmissionRow,
  { dataset_id, version, revision }: RevisionRow,
  { metadata }: RevisionDocuments,
): Promise<VersionFacts> {
  const facts = factsOf(context, submission, metadata);
  const publication = await findPublication(context.db, dataset_id, version);
  if (publication === undefined || publication.published_at === null) {
    const archivedAt = (submission.published_at ?? new Date()).toISOString();
    return withNamedVersions(context, { ...facts, archivedAt, version, revision });
  }
  // A local address must not become permanent in an archive.
  const { url } = facts;
  return { ...(await factsOfPublication(context, publication, submission, { metadata, revision })), url };
}

/** Adds the files of the version, which earlier versions of the object store, and its new RO-Crate. */
async function addFiles(
  { db }: StepContext,
  submission: SubmissionRow,
  target: Parameters<typeof writeMetadata>[0] & { facts: VersionFacts; earlier: EarlierVersions },
): Promise<string[]> {
  const { inventory, earlier, facts, folder } = target;
  const crate = new Crate(facts);
  const mediaTypes = new MediaTypes();
  for await (const objects of everyObject(db, submission.id, submission.attempt)) {
    for (const object of objects) {
      if (object.state !== "stored" || object.sha512 === null) continue;
      const path = pathOfObject(object);
      const { sha512 } = object;
      const waiting = inventory.add({ path, contentPath: storedAt(earlier, sha512, path), sha512 });
      if (waiting !== undefined) await waiting;
      describeFile(object, sha512, crate, mediaTypes);
    }
  }
  const { sha512 } = receiptOf(submission.receipt ?? "").digests.sourceManifest;
  const manifest = storedAt(earlier, sha512, MANIFEST);
  await inventory.add({ path: MANIFEST, contentPath: manifest, sha512 });
  const [bytes = 0] = await earlier.sizes([manifest]);
  const file = metadataFile(target.ocflVersion, CRATE);
  const written = await crate.write(join(folder, file.contentPath), { sha512, bytes });
  await inventory.add({ ...file, sha512: written.sha512 });
  return mediaTypes.list();
}

function storedAt({ content }: EarlierVersions, sha512: string, path: string): string {
  const found = content.find(sha512);
  if (found === undefined) {
    throw new Problem("verification_failed", `The archive no longer holds the content of “${path}”`);
  }
  return found;
}

/** The receipt of the version, for the new inventory. It names the receipt before it, so that receipts form a chain. */
async function issueReceipt(
  { signingKey, publisher, publicUrl }: StepContext,
  { revision, ocfl_version }: RevisionRow,
  { previous, title, sha512 }: { previous: string; title: string; sha512: string },
): Promise<string> {
  const before = receiptOf(previous);
  const receipt = {
    ...before,
    dataset: { ...before.dataset, revision },
    title,
    digests: { ...before.digests, inventory: { path: inventoryOf(ocfl_version), sha512 } },
    previous: { inventory: before.digests.inventory },
    issuedAt: new Date().toISOString(),
    issuer: { publisher: publisher.name, url: publicUrl() },
  };
  return signReceipt(receipt, signingKey);
}

async function writeLogs(
  row: RevisionRow,
  { sent, metadata, warnings }: RevisionDocuments,
  { folder, receipt, publishedAt }: { folder: string; receipt: string; publishedAt: Date },
): Promise<void> {
  const logs = join(folder, logsOf(row.ocfl_version));
  const logged: LoggedRevision = {
    id: row.id,
    version: row.version,
    revision: row.revision,
    changedBy: row.changed_by,
    note: row.note,
    createdAt: row.created_at.toISOString(),
    publishedAt: publishedAt.toISOString(),
    sent,
    metadata,
    warnings,
  };
  const digests = new Map([[RECEIPT, await writeDurably(join(logs, RECEIPT), receipt)]]);
  digests.set(REVISION, await writeDurably(join(logs, REVISION), `${JSON.stringify(logged, null, 2)}\n`));
  await writeLogsManifest(logs, digests);
}

/** Makes a committed revision visible, and records that it is. */
async function finish(context: StepContext, id: string): Promise<void> {
  const { db, store } = context;
  const row = await findRevision(db, id);
  if (row?.published_at == null || row.receipt === null || row.finished_at !== null) return;
  const { dataset_id: dataset, ocfl_version: version, fence, receipt, published_at: at } = row;
  await announceChange(context);
  await store.publish({ submission: id, dataset, version, fence, receipt });
  const submission = await requireSubmissionOfVersion(context.db, row.dataset_id, row.version);
  const documents = await revisionDocuments(db, id);
  await db.transaction().execute(async (trx) => {
    if (!(await finishRevision(trx, row, submission.id, documents))) return;
    const review = await noteInReview(trx, row);
    await addEvent(trx, submission.id, metadataChanged({ ...row, by: row.changed_by, ...(review && { review }) }), at);
  });
}
