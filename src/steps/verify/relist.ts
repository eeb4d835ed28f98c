import type { ObjectRecord } from "../../db/chunks/objects.ts";
import { markRelisted, neverRelisted, OrderedListing, objectsOfKeys } from "../../db/chunks/unordered-keys.ts";
import type { Queries } from "../../db/database.ts";
import { addToCounts } from "../../db/submissions/counts.ts";
import { addEvent } from "../../db/submissions/events.ts";
import { lockSubmission, type SubmissionRow } from "../../db/submissions/submissions.ts";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import { several } from "../../domain/numbers.ts";
import { compileSelection } from "../../domain/submission/selection.ts";
import type { ListedObject } from "../../source/source.ts";
import { type AttemptRef, SLICE_MS, type StepContext, selectionOf } from "../context.ts";
import type { ListingState, RelistingState } from "../listing-state.ts";
import { recordingSilence } from "../source-silence.ts";
import { sourceAsSubject, sourceOf } from "../submission-source.ts";

/** A difference between the first and the second listing of an object. */
interface Change {
  key: string;
  change: "changed" | "vanished" | "appeared";
}

/** Maximum number of differences recorded by name. Already one difference makes the receipt advise against deletion. */
const MAX_CHANGES = 10_000;
/** Interval at which the position is recorded from which a later slice continues. */
const RECORD_MS = 1_000;

/**
 * Lists the bucket a second time and records the differences from the frozen listing. Continues at the page where an
 * earlier slice ended.
 *
 * @returns true when the second listing is complete
 */
export async function relist(
  context: StepContext,
  work: AttemptRef,
  row: SubmissionRow,
  signal: AbortSignal,
): Promise<boolean> {
  const until = Date.now() + SLICE_MS;
  const source = sourceOf(context, row);
  const selection = selectionOf(row);
  const selects = compileSelection(selection);
  const { ordered } = (row.listing_position as ListingState).progress;
  let state = (row.relisting_position as RelistingState | null) ?? { done: false };
  if (state.done) return true;
  let recorded = state;
  let recordedAt = Date.now();
  let changes: Changes = { named: [], total: 0 };
  const pages = source.pages({ prefix: selection.prefix, position: state.source }, signal);
  const frozen = new OrderedListing(context.db, work.id, work.attempt, state.lastKey);
  for await (const page of recordingSilence(context, work, pages)) {
    const isLast = page.next === undefined;
    const lastKey = greatest(page.objects, state.lastKey);
    const selected = page.objects.filter(({ key }) => selects(key));
    // Some servers send empty pages before the first key. They carry no information about objects.
    const says = isLast || lastKey !== undefined;
    if (says && ordered) {
      const { lastKey: after } = state;
      const isBehind = ({ key }: ListedObject) => after === undefined || compareKeys(key, after) > 0;
      const upTo = isLast ? undefined : lastKey;
      await collect(changes, changesInRange(frozen, selected.filter(isBehind), upTo));
      // The server repeats keys after a restart, or lists them out of order.
      const again = selected.filter((object) => !isBehind(object));
      if (again.length > 0) await collect(changes, changesOfPage(context.db, work, again));
    } else if (says) await collect(changes, changesOfPage(context.db, work, selected));
    if (isLast && !ordered) await collect(changes, changesAtEnd(context.db, work));
    state = { done: isLast, ...(page.next && { source: page.next }), ...(lastKey !== undefined && { lastKey }) };
    if (!isLast && Date.now() - recordedAt < RECORD_MS) continue;
    if (!(await record(context, work, { before: recorded, changes, state }))) return false;
    recorded = state;
    recordedAt = Date.now();
    changes = { named: [], total: 0 };
    if (!isLast && recordedAt > until) return false;
  }
  return state.done;
}

/** The greatest key so far, in byte order. */
function greatest(objects: readonly ListedObject[], before: string | undefined): string | undefined {
  const last = objects.at(-1)?.key;
  return last === undefined || (before !== undefined && compareKeys(last, before) < 0) ? before : last;
}

/** The first changes by name, and how many there are. */
interface Changes {
  named: Change[];
  total: number;
}

async function collect(changes: Changes, found: AsyncIterable<Change>): Promise<void> {
  for await (const change of found) {
    changes.total++;
    if (changes.named.length < MAX_CHANGES) changes.named.push(change);
  }
}

async function record(
  context: StepContext,
  work: AttemptRef,
  { before, changes, state }: { before: RelistingState; changes: Changes; state: RelistingState },
): Promise<boolean> {
  return context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row?.attempt !== work.attempt || row.status !== "verifying") return false;
    // Another worker has recorded this page in the meantime.
    const position = (row.relisting_position as RelistingState | null) ?? { done: false };
    if (position.source?.pages !== before.source?.pages || position.done) return false;
    const drift = [...(row.drift as Change[]), ...changes.named].slice(0, MAX_CHANGES);
    await addToCounts(
      trx,
      work.id,
      { drift_total: changes.total },
      {
        relisting_position: JSON.stringify(state),
        ...(changes.total > 0 && { drift: JSON.stringify(drift) }),
        updated_at: new Date(),
      },
    );
    if (changes.total > 0) {
      await addEvent(trx, work.id, {
        type: "drift",
        message: `${sourceAsSubject(row)} changed after the first listing: ${several(changes.total, "difference")}`,
        data: { changes: changes.named.slice(0, 20) },
      });
    }
    return true;
  });
}

/**
 * Compares one page of the second listing with the part of the frozen listing between the same keys; both are in byte
 * order. Excluded objects are not compared, because the dataset does not contain them.
 */
async function* changesInRange(
  frozen: OrderedListing,
  page: ListedObject[],
  upTo: string | undefined,
): AsyncGenerator<Change> {
  const now = new Map(page.map((object) => [object.key, object]));
  for await (const objects of frozen.upTo(upTo)) {
    for (const before of objects) {
      const again = now.get(before.key);
      now.delete(before.key);
      const change = compare(before, again);
      if (change !== undefined) yield { key: before.key, change };
    }
  }
  for (const key of now.keys()) yield { key, change: "appeared" };
}

/** The same for a server without a listing order: compares key by key, and marks the keys that were listed again. */
async function* changesOfPage(db: Queries, work: AttemptRef, page: ListedObject[]): AsyncGenerator<Change> {
  const keys = page.map(({ key }) => key);
  const frozen = await objectsOfKeys(db, work.id, work.attempt, keys);
  const before = new Map(frozen.map((object) => [object.key, object]));
  await markRelisted(db, work.id, work.attempt, keys);
  for (const object of page) {
    const old = before.get(object.key);
    const change = old === undefined ? "appeared" : compare(old, object);
    if (change !== undefined) yield { key: object.key, change };
  }
}

/** After the last page of an unordered listing: the objects that were not listed again. */
async function* changesAtEnd(db: Queries, work: AttemptRef): AsyncGenerator<Change> {
  for await (const objects of neverRelisted(db, work.id, work.attempt)) {
    for (const { key, state } of objects) if (state === "stored") yield { key, change: "vanished" };
  }
}

function compare(before: ObjectRecord, again: ListedObject | undefined): Change["change"] | undefined {
  if (before.state === "excluded") return undefined;
  if (again === undefined) return "vanished";
  const same = before.bytes === again.bytes && before.etag === again.etag;
  // Without an ETag, the time of the last change is compared.
  const sameTime = before.etag !== null || before.lastModified === again.lastModified;
  return same && sameTime ? undefined : "changed";
}
