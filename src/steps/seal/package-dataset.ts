import { join } from "node:path";
import { type InventoryWriter, openInventory, writeObjectDeclaration } from "../../../packages/ocfl/src/index.ts";
import { unwritable } from "../../archive/folder/durable-writes.ts";
import type { Drift } from "../../archive/receipts/receipt.ts";
import type { PackageArea } from "../../archive/store.ts";
import { inventoryOf } from "../../archive/versions.ts";
import { readChunk, recordDisplaced } from "../../db/chunks/chunks.ts";
import { editObjects, notableChunks } from "../../db/chunks/edit.ts";
import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { latestReceipt } from "../../db/datasets/datasets.ts";
import { takeFence } from "../../db/datasets/sealing.ts";
import { publicationsOf } from "../../db/publication/publications.ts";
import { digestListsOf } from "../../db/submissions/digests.ts";
import { documentsOf } from "../../db/submissions/documents.ts";
import { lockSubmission, type SubmissionRow, stillActive } from "../../db/submissions/submissions.ts";
import { factsOfVersion } from "../../describe/compose-version-facts.ts";
import { Crate } from "../../describe/formats/ro-crate/ro-crate.ts";
import type { NormalizedMetadata } from "../../describe/metadata/normalized.ts";
import type { VersionFacts } from "../../describe/version-facts.ts";
import { Problem } from "../../domain/problems.ts";
import { within } from "../../platform/telemetry/tracing.ts";
import { namedVersions } from "../../publication/rules/named-versions.ts";
import {
  type AttemptRef,
  baseOf,
  datasetIdOf,
  ocflVersionOf,
  type StepContext,
  stagingOf,
  versionOf,
} from "../context.ts";
import { inventoryMessage } from "../submission-source.ts";
import { type Contents, writeContents } from "./contents.ts";
import { comparedLists } from "./digest-lists.ts";
import { type EarlierVersions, readEarlierVersions } from "./earlier-versions.ts";
import { writeLogs } from "./logs.ts";
import { type BuiltPackage, commitPackage, makeVisible, requireClaim } from "./make-visible.ts";
import { CRATE, metadataFile, writeInventories, writeMetadata } from "./metadata-files.ts";
import { PlacedFiles } from "./placed-files.ts";
import { issueReceipt } from "./receipt.ts";

/**
 * Packages a verified attempt and publishes it. All files are written to the staging area beside the content; then
 * publication is committed in the database; then the package is made visible. May be run again after any crash: before
 * the commit all files are written again, after it only the remaining work is done.
 */
export async function packageDataset(context: StepContext, work: AttemptRef, signal: AbortSignal): Promise<void> {
  const row = await stillActive(context.db, work.id, work.attempt);
  if (row?.status !== "packaging") return;
  if (row.published_at === null) {
    const fence = await takeFence(context.db, work.id, work.attempt);
    if (fence === undefined) return;
    const building = within(context.tracing, "build package", () => build(context, work, { row, fence, signal }));
    const built = await building.catch(async (error: unknown) => {
      await requireClaim(context, work, fence);
      throw unwritable(error);
    });
    if (!(await commitPackage(context, work, fence, built))) return;
  }
  await within(context.tracing, "publish package", () => makeVisible(context, work));
}

/** Writes the whole package into the staging area. */
async function build(
  context: StepContext,
  work: AttemptRef,
  { row, fence, signal }: { row: SubmissionRow; fence: number; signal: AbortSignal },
): Promise<BuiltPackage> {
  const area = await stagingOf(context, row).package(fence, row.attempt);
  try {
    return await buildIn({ area, fence }, context, work, row, signal);
  } finally {
    await area.close();
  }
}

async function buildIn(
  { area, fence }: { area: PackageArea; fence: number },
  context: StepContext,
  work: AttemptRef,
  row: SubmissionRow,
  signal: AbortSignal,
): Promise<BuiltPackage> {
  const { folder } = area;
  await resolvePathCollisions(context, work, area);
  const documents = await documentsOf(context.db, row.id);
  const facts = await withNamedVersions(context, factsOf(context, row, documents.metadata));
  const ocflVersion = ocflVersionOf(row);
  const scratch = await area.scratch();
  const inventory = await openInventory(scratch);
  let earlier: EarlierVersions | undefined;
  try {
    const base = await baseOf(context.db, row);
    if (base !== undefined) {
      const newest = await latestReceipt(context.db, facts.datasetId, versionOf(base));
      earlier = await readEarlierVersions({ base, receipt: newest }, { area, inventory, scratch });
    }
    const contents = await writeFiles(context, work, row, { area, fence, facts, inventory, earlier, signal });
    const inventorySha512 = await writeInventories({ folder, ocflVersion, inventory }, facts, {
      message: inventoryMessage(row),
      created: facts.archivedAt,
      address: context.publicUrl(),
    });
    if (ocflVersion === 1) await writeObjectDeclaration(folder);
    const lists = await digestListsOf(context.db, row.id);
    const receipt = await issueReceipt(context, row, {
      facts,
      contents,
      digestLists: comparedLists(row, lists),
      drift: row.drift as Drift[],
      inventory: { path: inventoryOf(ocflVersion), sha512: inventorySha512 },
    });
    const publishedAt = new Date();
    const { readsSha512 } = contents;
    await writeLogs(context, row, folder, { receipt, publishedAt, readsSha512, documents, lists });
    await area.finalize();
    return { receipt, publishedAt };
  } finally {
    earlier?.content.discard();
    await inventory.discard();
  }
}

/** Writes every file of the package except its inventories, and adds each to the inventory. */
async function writeFiles(
  context: StepContext,
  work: AttemptRef,
  row: SubmissionRow,
  target: {
    area: PackageArea;
    fence: number;
    facts: VersionFacts;
    inventory: InventoryWriter;
    earlier: EarlierVersions | undefined;
    signal: AbortSignal;
  },
): Promise<Contents> {
  const { area, facts, inventory, earlier, signal } = target;
  const { folder } = area;
  const version = ocflVersionOf(row);
  const crate = new Crate(facts);
  const placed = new PlacedFiles(context, work, { ...target, version });
  const contents = await writeContents(context, work, { folder, version, inventory, crate, placed, earlier, signal });
  await placed.finish();
  checkSum(row, contents);
  const file = metadataFile(version, CRATE);
  await inventory.add({
    ...file,
    sha512: (await crate.write(join(folder, file.contentPath), contents.manifest)).sha512,
  });
  await writeMetadata(
    { folder, ocflVersion: version, inventory },
    { ...facts, mediaTypes: contents.mediaTypes.list() },
    row,
  );
  return contents;
}

/** What the package of a submission states. @param metadata with personal data, which is removed */
export function factsOf(context: StepContext, row: SubmissionRow, metadata: NormalizedMetadata): VersionFacts {
  const datasetId = datasetIdOf(row);
  const url = context.publicBaseUrl === undefined ? undefined : `${context.publicBaseUrl}/dataset/${datasetId}`;
  const now = new Date();
  const sources = {
    ...{ datasetId, number: versionOf(row), versions: [], revision: undefined, archivedAt: now },
    ...{ submission: row, objects: row.objects_stored, bytes: row.bytes_stored, metadata },
    ...{ publication: undefined, dois: [] },
  };
  return factsOfVersion(sources, { publisher: context.publisher, url }, now);
}

/** The facts with the versions that can be named when the package is written. Later exports name those of their own time. */
export async function withNamedVersions({ db, publication }: StepContext, facts: VersionFacts): Promise<VersionFacts> {
  const { datasetId, version } = facts;
  return { ...facts, versions: namedVersions(await publicationsOf(db, datasetId), publication.mode, version) };
}

/** Throws if the submission's counters differ from the totals of the package. */
function checkSum(row: SubmissionRow, contents: Contents): void {
  const same =
    contents.stored + contents.excluded === row.objects_listed &&
    contents.stored === row.objects_stored &&
    contents.excluded === row.objects_excluded &&
    contents.bytes === row.bytes_stored;
  if (same) return;
  throw new Problem(
    "verification_failed",
    `Of ${row.objects_listed} listed objects, the package contains ${contents.stored} (${contents.bytes} bytes) and excludes ${contents.excluded}; ` +
      `the database counts ${row.objects_stored} stored (${row.bytes_stored} bytes) and ${row.objects_excluded} excluded`,
  );
}

/**
 * Moves content whose path is also a folder of other objects. This only occurs in an object store: there, an object can be
 * stored before the listing shows that other keys are below it. May be run again after a crash.
 */
async function resolvePathCollisions(
  context: StepContext,
  { id, attempt }: AttemptRef,
  area: PackageArea,
): Promise<void> {
  const { db } = context;
  for await (const no of notableChunks(db, id, attempt, "odd")) {
    const objects = (await readChunk(db, id, attempt, no))?.objects ?? [];
    const moved = new Map<number, string>();
    for (const { seq, key, odd, state, contentPath, verifiedIn } of objects) {
      // Content of an earlier version is not moved.
      if (!odd || state !== "stored" || contentPath !== null || verifiedIn !== null) continue;
      const place = `data/${key}`;
      const aside = await area.moveAside(place);
      if (aside !== place) moved.set(seq, aside);
    }
    if (moved.size === 0) continue;
    await db.transaction().execute(async (trx) => {
      const row = await lockSubmission(trx, id);
      if (row?.attempt !== attempt || row.status !== "packaging") throw new Problem("wrong_state");
      const changed: ObjectRecord[] = [];
      await editObjects(trx, id, attempt, [...moved.keys()], (object) => {
        object.contentPath = moved.get(object.seq) ?? null;
        changed.push(object);
        return true;
      });
      await recordDisplaced(trx, id, attempt, no, changed);
    });
  }
}
