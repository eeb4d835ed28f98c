import { publishedVersions } from "../../db/catalogue/published-versions.ts";
import type { CollectionRow } from "../../db/collections/collections.ts";
import { addMember, lockForMembers, removeMember } from "../../db/collections/members.ts";
import { type DatasetRow, lockDataset, lockPresentDataset } from "../../db/datasets/datasets.ts";
import { addEntry } from "../../db/publication/history.ts";
import { publicationsOf } from "../../db/publication/publications.ts";
import type { Trx } from "../../db/submissions/submissions.ts";
import {
  ADDED_TO_COLLECTION,
  acceptsLicence,
  type CollectionEditor,
  decidesAbout,
  REMOVED_FROM_COLLECTION,
} from "../../domain/collection.ts";
import { Problem } from "../../domain/problems.ts";
import type { IntakeContext } from "../../intake/context.ts";

/** A decision about a member of a collection. */
export interface MemberChange extends CollectionEditor {
  collection: string;
  /** Id of the dataset. */
  dataset: string;
}

/**
 * Adds a published dataset to a collection, with an entry in the history of its newest published version. Repeating it has no
 * further effect.
 *
 * @throws Problem `not_found`, `dataset_withdrawn`, `collection_curators`, `not_published`, `collection_licence`
 */
export async function addToCollection({ db }: IntakeContext, change: MemberChange): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const dataset = await lockPresentDataset(trx, change.dataset);
    const collection = await requireCollection(trx, change);
    const version = await newestPublished(trx, dataset);
    if (version === undefined) throw new Problem("not_published", "No version of the dataset is published");
    const [published] = await publishedVersions(trx, [{ dataset_id: dataset.id, version }]);
    requireLicence(collection, published?.metadata.license);
    const isNew = await addMember(trx, { dataset: dataset.id, collection: collection.id, by: change.by });
    if (isNew) await record(trx, { ...change, dataset: dataset.id, version, action: ADDED_TO_COLLECTION });
  });
}

/**
 * Removes a dataset from a collection, with an entry in its history. Repeating it has no further effect. Its owner can do that, too:
 * owners decide where their datasets are listed.
 *
 * @param change.isCurator whether the person is a curator or an admin. Others learn nothing about the datasets of other owners
 * @throws Problem `not_found`, `collection_curators`
 */
export async function removeFromCollection(
  { db }: IntakeContext,
  change: MemberChange & { isCurator: boolean },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const dataset = await lockDataset(trx, change.dataset);
    const isOwner = dataset?.owner === change.by;
    if (dataset === undefined || !(isOwner || change.isCurator)) {
      throw new Problem("not_found", "The dataset does not exist");
    }
    const collection = isOwner ? await lockedCollection(trx, change.collection) : await requireCollection(trx, change);
    if (!(await removeMember(trx, dataset.id, collection.id))) return;
    const version = (await newestPublished(trx, dataset)) ?? dataset.latest_version;
    // A withdrawn dataset has no history any more to which something could be added.
    if (dataset.withdrawn_at !== null) return;
    await record(trx, { ...change, dataset: dataset.id, version, action: REMOVED_FROM_COLLECTION });
  });
}

/** @throws Problem `not_found`, `collection_curators` */
async function requireCollection(trx: Trx, change: MemberChange): Promise<CollectionRow> {
  const row = await lockedCollection(trx, change.collection);
  if (decidesAbout(row, change)) return row;
  throw new Problem(
    "collection_curators",
    `The collection “${row.name.en}” has these curators: ${row.curators.join(", ")}`,
  );
}

/** @throws Problem `not_found` */
async function lockedCollection(trx: Trx, id: string): Promise<CollectionRow> {
  const row = (await lockForMembers(trx, [id]))[0];
  if (row === undefined) throw new Problem("not_found", "The collection does not exist");
  return row;
}

/** @throws Problem `collection_licence` */
function requireLicence(collection: CollectionRow, license: { spdx?: string; name: string } | undefined): void {
  if (acceptsLicence(collection, license?.spdx)) return;
  const of =
    license === undefined
      ? "The dataset has no licence"
      : `The dataset has the licence ${license.spdx ?? license.name}`;
  throw new Problem(
    "collection_licence",
    `${of}. The collection “${collection.name.en}” accepts: ${collection.licences.join(", ")}`,
  );
}

async function newestPublished(trx: Trx, { id }: DatasetRow): Promise<number | undefined> {
  return (await publicationsOf(trx, id)).find(({ state }) => state === "published")?.version;
}

async function record(
  trx: Trx,
  { dataset, collection, by, version, action }: MemberChange & { version: number; action: string },
): Promise<void> {
  const row = (await publicationsOf(trx, dataset)).find((one) => one.version === version);
  if (row === undefined) return;
  await addEntry(trx, {
    ...{ dataset_id: dataset, version, actor: by, action, state: row.state },
    ...{ revision: row.revision ?? 1, data: { collection } },
  });
}
