import { revisionInProgress } from "../db/datasets/revisions.ts";
import { Problem } from "../domain/problems.ts";
import { uuidOf } from "../domain/uuid.ts";
import { listenAndPoll } from "../platform/database/notifications.ts";
import { SERVICE } from "../publication/rules/states.ts";
import type { IntakeContext } from "./context.ts";

/** Time for which a request waits for a metadata revision, in milliseconds. */
const WAIT_MS = 10_000;
/** Maximum time until the end of a revision is noticed without a notification. */
const LOOK_MS = 1_000;

/**
 * Waits a few seconds for the end of a metadata revision.
 * @param dataset also as `urn:uuid:…`
 * @param look called at once, and whenever a revision of the dataset may have ended; undefined if it has not
 * @returns what `look` has found; undefined if the time is over
 */
export async function untilRevisionEnds<T>(
  { notifications }: Pick<IntakeContext, "notifications">,
  dataset: string,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const id = uuidOf(dataset);
  let next = Promise.withResolvers<void>();
  const stop = listenAndPoll(notifications, "revision", {
    heard: (ended) => ended === id && next.resolve(),
    poll: () => next.resolve(),
    everyMs: LOOK_MS,
  });
  try {
    for (const end = Date.now() + WAIT_MS; ; await next.promise) {
      // Before the look, so that no notification is lost meanwhile.
      next = Promise.withResolvers();
      const found = await look();
      if (found !== undefined || Date.now() >= end) return found;
    }
  } finally {
    stop();
  }
}

/**
 * Waits a few seconds until a revision that the service writes after a publication has ended, because people do not know
 * of it and cannot cancel it. Returns also if it has not ended then.
 */
export async function untilServiceRevisionEnds(context: IntakeContext, dataset: string): Promise<void> {
  await untilRevisionEnds(context, dataset, async () => {
    const begun = await revisionInProgress(context.db, dataset);
    return begun?.changed_by === SERVICE ? undefined : true;
  });
}

/**
 * Does what `dataset_busy` can prevent. If it does, repeats it once, after a revision of the service has ended.
 * @param change has no effect if it throws
 */
export async function afterServiceRevision<T>(
  context: IntakeContext,
  dataset: string,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "dataset_busy") throw error;
  }
  await untilServiceRevisionEnds(context, dataset);
  return change();
}
