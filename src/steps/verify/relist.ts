import { addEvent } from "../../db/events.ts";
import { lockSubmission, type SubmissionRow } from "../../db/submissions.ts";
import { listPage } from "../../source/listing.ts";
import { withRetries } from "../../source/retry.ts";
import { several } from "../../submission/numbers.ts";
import { compileSelection } from "../../submission/selection.ts";
import { SLICE_MS, type StepContext, selectionOf, sourceOf, type Work } from "../context.ts";
import type { ListingState, RelistingState } from "../listing-state.ts";
import { type Change, changesInRange, changesOfPage, neverRelisted } from "./compare.ts";

/** Differences that are kept by name; the receipt says no to deletion from the first one on. */
const MAX_CHANGES = 10_000;

/**
 * Lists the bucket a second time and records what differs from the frozen listing. Goes on at the page where an
 * earlier slice left off.
 *
 * @returns true when the second listing is complete
 */
export async function relist(
  context: StepContext,
  work: Work,
  row: SubmissionRow,
  signal: AbortSignal,
): Promise<boolean> {
  const until = Date.now() + SLICE_MS;
  const source = sourceOf(context, row);
  const selection = selectionOf(row);
  const selects = compileSelection(selection);
  const { ordered } = (row.listing_position as ListingState).progress;
  let state = (row.relisting_position as RelistingState | null) ?? { done: false };
  while (!state.done) {
    if (Date.now() > until) return false;
    const before = state;
    const page = await withRetries(signal, () =>
      listPage(source, { prefix: selection.prefix, position: before.source, signal }),
    );
    const isLast = page.next === undefined;
    const lastKey = page.objects.at(-1)?.key ?? state.lastKey;
    const selected = page.objects.filter(({ key }) => selects(key));
    // Pages without a single key come before the first one on some servers: they say nothing about any object.
    const says = isLast || lastKey !== undefined;
    const changes = !says
      ? []
      : ordered
        ? await changesInRange(context.db, work, selected, { after: state.lastKey, upTo: isLast ? undefined : lastKey })
        : await changesOfPage(context.db, work, selected);
    if (isLast && !ordered) changes.push(...(await neverRelisted(context.db, work)));
    state = { done: isLast, ...(page.next && { source: page.next }), ...(lastKey !== undefined && { lastKey }) };
    if (!(await record(context, work, { before, changes, state }))) return false;
  }
  return true;
}

async function record(
  context: StepContext,
  work: Work,
  { before, changes, state }: { before: RelistingState; changes: Change[]; state: RelistingState },
): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row?.attempt !== work.attempt || row.status !== "verifying") return false;
    // Somebody else has recorded this page meanwhile.
    const position = (row.relisting_position as RelistingState | null) ?? { done: false };
    if (position.source?.pages !== before.source?.pages || position.done) return false;
    const drift = [...(row.drift as Change[]), ...changes].slice(0, MAX_CHANGES);
    await trx
      .updateTable("submission")
      .set((eb) => ({
        relisting_position: JSON.stringify(state),
        ...(changes.length > 0 && {
          drift: JSON.stringify(drift),
          drift_total: eb("drift_total", "+", changes.length),
        }),
        updated_at: new Date(),
      }))
      .where("id", "=", work.id)
      .execute();
    if (changes.length > 0) {
      await addEvent(trx, work.id, {
        type: "drift",
        message: `The bucket changed after it was read: ${several(changes.length, "difference")}`,
        data: { changes: changes.slice(0, 20) },
      });
    }
    return true;
  });
}
