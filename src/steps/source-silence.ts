import { type SubmissionRow, setSourceActivity, stillActive } from "../db/submissions/submissions.ts";
import { SOURCE_STALLED_MS } from "../domain/source-access/source-time-limits.ts";
import type { FlowState } from "../source/reading/flow.ts";
import type { AttemptRef, StepContext } from "./context.ts";

/** Minimum interval between records of the source's activity. */
const HEARD_MS = 5_000;
const LOOK_MS = 1_000;

type Known = Pick<SubmissionRow, "source_heard_at" | "source_silent_since">;

/**
 * Records when the source last sent data, or since when it sends none. Several tasks of a submission do this, also on
 * several machines: the source counts as silent only if it is silent to all of them.
 */
export async function recordSourceActivity(
  { db }: Pick<StepContext, "db">,
  { id, attempt }: AttemptRef,
  known: Known,
  { heardAt = 0, silentSince }: Partial<FlowState>,
): Promise<void> {
  const lastHeard = known.source_heard_at?.getTime() ?? 0;
  const isSilent = known.source_silent_since !== null;
  const note = (set: { source_heard_at?: Date; source_silent_since: Date | null }) =>
    setSourceActivity(db, { id, attempt }, set);
  if (heardAt > lastHeard && (isSilent || heardAt - lastHeard >= HEARD_MS)) {
    await note({ source_heard_at: new Date(heardAt), source_silent_since: null });
  } else if (silentSince !== undefined && !isSilent) {
    const since = Math.max(silentSince, lastHeard);
    if (Date.now() - since >= SOURCE_STALLED_MS) await note({ source_silent_since: new Date(since) });
  }
}

/** The pages of a listing. If a page takes too long, the silence of the source is recorded. */
export async function* recordingSilence<Page>(
  context: Pick<StepContext, "db" | "log">,
  work: AttemptRef,
  pages: AsyncGenerator<Page>,
): AsyncGenerator<Page> {
  const note = async (flow: Partial<FlowState>) => {
    try {
      const row = await stillActive(context.db, work.id, work.attempt);
      if (row !== undefined) await recordSourceActivity(context, work, row, flow);
    } catch (error) {
      context.log.warn({ err: error }, "cannot record the activity of the source");
    }
  };
  try {
    for (;;) {
      const silentSince = Date.now();
      let noting = Promise.resolve();
      const timer = setInterval(() => {
        if (Date.now() - silentSince >= SOURCE_STALLED_MS) noting = noting.then(() => note({ silentSince }));
      }, LOOK_MS);
      const next = await pages.next().finally(() => clearInterval(timer));
      await noting;
      if (Date.now() - silentSince >= SOURCE_STALLED_MS) await note({ heardAt: Date.now() });
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await pages.return(undefined);
  }
}
