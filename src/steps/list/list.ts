import type { BaseVersion } from "../../db/chunks/unchanged.ts";
import { changeStatus, lockSubmission, type SubmissionRow, stillActive } from "../../db/submissions/submissions.ts";
import { QUEUES } from "../../domain/submission/queues.ts";
import { compileSelection } from "../../domain/submission/selection.ts";
import type { Source } from "../../source/source.ts";
import {
  type AttemptRef,
  baseOf,
  ocflVersionOf,
  SLICE_MS,
  type StepContext,
  selectionOf,
  stagingOf,
} from "../context.ts";
import { readDigestLists } from "../digests/read-lists.ts";
import type { ListingState } from "../listing-state.ts";
import { recordingSilence } from "../source-silence.ts";
import { haveSameSource, sourceInWords, sourceOf } from "../submission-source.ts";
import { freezeListing } from "./freeze.ts";
import { joinPages } from "./join-pages.ts";
import { recordPage } from "./record.ts";

/**
 * Lists the bucket page by page. Pages are recorded when they arrive, at most two at a time, together with the jobs that
 * transfer their objects, so that transfers run during the listing. After a crash only unrecorded pages are listed again. At
 * the end the listing is frozen.
 */
export async function list(context: StepContext, work: AttemptRef, signal: AbortSignal): Promise<void> {
  const until = Date.now() + SLICE_MS;
  let row = await begin(context, work);
  if (row === undefined || row.listing_complete) return;
  await stagingOf(context, row).begin(work.attempt);
  const source = sourceOf(context, row);
  const selection = selectionOf(row);
  const selects = compileSelection(selection);
  const unread = await unreadBase(context, row);
  while (row !== undefined && Date.now() < until) {
    const state = row.listing_position as ListingState | null;
    if (state !== null && state.source === undefined) {
      await freezeListing(context, work, signal);
      return;
    }
    const how = { source, prefix: selection.prefix, selects, unread, until, signal, begun: row };
    row = await recordPages(context, work, state, how);
  }
}

/** Records pages from the last recorded position until the listing ends, the slice ends, or another worker has recorded further pages. */
async function recordPages(
  context: StepContext,
  work: AttemptRef,
  from: ListingState | null,
  how: {
    source: Source;
    prefix: string | undefined;
    selects: (key: string) => boolean;
    unread: BaseVersion | undefined;
    until: number;
    signal: AbortSignal;
    begun: SubmissionRow;
  },
): Promise<SubmissionRow | undefined> {
  let state = from;
  let row: SubmissionRow | undefined;
  const left = new AbortController();
  const stop = AbortSignal.any([how.signal, left.signal]);
  const pages = how.source.pages({ prefix: how.prefix, position: from?.source }, stop);
  try {
    for await (const page of joinPages(recordingSilence(context, work, pages))) {
      if (state === null) await readDigestLists(context, work, how.begun, page, how.signal);
      row = await recordPage(context, work, {
        source: how.source,
        objects: page.objects.filter(({ key }) => how.selects(key)),
        next: page.next,
        pages: state?.source?.pages ?? 0,
        progress: state?.progress,
        unread: how.unread,
      });
      context.jobs.wake(QUEUES.transfer);
      if (row !== undefined) context.tracing.note({ "accession.objects.listed": row.objects_listed });
      if (row === undefined || Date.now() >= how.until) break;
      state = row.listing_position as ListingState;
      if (state.source?.pages !== page.next?.pages) break;
    }
  } finally {
    left.abort();
  }
  return row;
}

/** The version whose unchanged objects are not read again; undefined if all objects are read. */
async function unreadBase(context: StepContext, row: SubmissionRow): Promise<BaseVersion | undefined> {
  const base = selectionOf(row).refetch ? undefined : await baseOf(context.db, row);
  if (base === undefined || !haveSameSource(base, row)) return undefined;
  return { id: base.id, attempt: base.attempt, version: ocflVersionOf(base) };
}

async function begin(context: StepContext, work: AttemptRef): Promise<SubmissionRow | undefined> {
  return context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row === undefined || row.attempt !== work.attempt) return undefined;
    if (row.status === "accepted") {
      await changeStatus(
        trx,
        row,
        "listing",
        { type: "listing", message: `Listing of ${sourceInWords(row)} started` },
        { transfer_started_at: new Date(), transfer_started_bytes: 0 },
      );
    }
    return stillActive(trx, work.id, work.attempt);
  });
}
