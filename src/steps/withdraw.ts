import { findDataset, recordRemoved, tombstoneOf } from "../db/datasets/datasets.ts";
import { removeAccess } from "../db/publication/access-grants.ts";
import { addEvent } from "../db/submissions/events.ts";
import { removed } from "../domain/archive-events.ts";
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
  const tombstone = await tombstoneOf(context.db, dataset);
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
