import { findSubmission, lockSubmission } from "../db/submissions/submissions.ts";
import { postponeProbe, resume, scratchBytesOf } from "../db/submissions/waiting.ts";
import { Problem } from "../domain/problems.ts";
import { type AttemptRef, type StepContext, selectionOf } from "./context.ts";
import { checkDiskSpace } from "./disk-space.ts";
import { sourceOf } from "./submission-source.ts";

/** Checks whether the cause for which a submission waits still exists. If not, the submission resumes; otherwise a later probe is planned. */
export async function probeWaiting(context: StepContext, work: AttemptRef, signal: AbortSignal): Promise<void> {
  const row = await findSubmission(context.db, work.id);
  if (row?.status !== "waiting" || row.attempt !== work.attempt || row.probe_at === null) return;
  const gone = await isGone(context, row, signal);
  signal.throwIfAborted();
  await context.db.transaction().execute(async (trx) => {
    const now = await lockSubmission(trx, work.id);
    if (now?.status !== "waiting" || now.attempt !== work.attempt || now.probe_at === null) return;
    if (gone) {
      await resume(trx, now, "The cause no longer exists; the submission resumes");
      return;
    }
    await postponeProbe(trx, work.id, now.probes + 1);
  });
}

async function isGone(
  context: StepContext,
  row: Parameters<typeof sourceOf>[1],
  signal: AbortSignal,
): Promise<boolean> {
  const { code } = row.waiting as { code: string };
  try {
    if (code === "no_space" || code === "archive_unwritable") {
      await context.store.ready();
      await checkDiskSpace(context, row);
      const bytes = code === "no_space" ? scratchBytesOf(row) : undefined;
      if (bytes !== undefined) (await context.scratch.hold(bytes, "A temporary file needs")).release();
    } else {
      await sourceOf(context, row).probe({ prefix: selectionOf(row).prefix, signal });
    }
    return true;
  } catch (error) {
    if (error instanceof Problem || signal.aborted) return false;
    throw error;
  }
}
