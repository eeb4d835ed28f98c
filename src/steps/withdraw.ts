import type { Tombstone } from "../archive/receipts/tombstone.ts";
import { findDataset, recordRemoved, tombstoneOf } from "../db/datasets/datasets.ts";
import { newestDocuments } from "../db/datasets/revisions.ts";
import { removeAccess } from "../db/publication/access-grants.ts";
import { publicationsOf } from "../db/publication/publications.ts";
import { addEvent } from "../db/submissions/events.ts";
import { creatorsOf } from "../describe/metadata/normalized.ts";
import { removed } from "../domain/submission/archive-events.ts";
import { keepRetractions } from "../publication/service/retract.ts";
import { announceChange } from "./archive-change.ts";
import type { StepContext } from "./context.ts";

/**
 * Deletes the files of a dataset whose withdrawal is decided, and leaves its tombstone. May be run again after any crash:
 * until the tombstone is written the dataset is complete; afterwards only the remaining work is done.
 */
export async function withdrawDataset(context: StepContext, id: string): Promise<void> {
  const dataset = await findDataset(context.db, id);
  if (dataset === undefined || dataset.withdrawn_at === null || dataset.removed_at !== null) return;
  await keepRetractions(context, id);
  const tombstone = await withAuthors(context, await tombstoneOf(context.db, dataset));
  await announceChange(context);
  await context.store.withdraw(tombstone);
  await context.db.transaction().execute(async (trx) => {
    if (!(await recordRemoved(trx, id))) return;
    await removeAccess(trx, id);
    for (const { submission } of tombstone.versions) {
      await addEvent(trx, submission, removed());
    }
  });
}

/** Adds the authors of the newest version that was published: a DOI leads to the tombstone, which names them. */
async function withAuthors({ db }: StepContext, tombstone: Tombstone): Promise<Tombstone> {
  const { dataset } = tombstone;
  const published = (await publicationsOf(db, dataset.id)).find(({ published_at }) => published_at !== null);
  if (published === undefined) return tombstone;
  const { metadata } = await newestDocuments(db, dataset.id, published.version);
  return { ...tombstone, dataset: { ...dataset, authors: creatorsOf(metadata.authors) } };
}
