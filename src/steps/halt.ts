import { fail, findSubmission, lockSubmission, wait } from "../db/submissions.ts";
import { type Code, Problem } from "../submission/problems.ts";
import { isActive, type Status, WAITING_DAYS } from "../submission/states.ts";
import type { StepContext, Work } from "./context.ts";

const FIRST_PROBE_MS = 60_000;

const credentialCodes = new Set<Code>([
  "access_key_unknown",
  "secret_key_wrong",
  "credentials_expired",
  "credentials_required",
  "anonymous_denied",
  "list_denied",
]);
const hopelessCodes = new Set<Code>([
  "listing_invalid",
  "listing_loop",
  "source_empty",
  "verification_failed",
  "quota_exceeded",
  "already_published",
  "dataset_moved_on",
]);
const spaceCodes = new Set<Code>(["no_space", "archive_unwritable"]);

/**
 * Stops a submission at what stands in its way: it waits when somebody or time can mend it, and fails when not.
 * Does nothing when the attempt is no longer at work.
 */
export async function halt(context: StepContext, work: Work, problem: Problem): Promise<void> {
  const halted = await context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row === undefined || row.attempt !== work.attempt || !isActive(row.status as Status)) return false;
    if (row.published_at !== null) {
      // Publication is committed: it can only be finished, whatever it takes.
      const unfinished = new Problem("archive_unwritable", problem.message, { cause: problem });
      await wait(trx, row, unfinished, { days: WAITING_DAYS.committed, probeInMs: FIRST_PROBE_MS });
    } else if (hopelessCodes.has(problem.code) || problem.code === "internal_error") await fail(trx, row, problem);
    else if (spaceCodes.has(problem.code)) {
      await wait(trx, row, problem, { days: WAITING_DAYS.space, probeInMs: FIRST_PROBE_MS });
    } else if (problem.code === "objects_unreadable") {
      await wait(trx, row, problem, { days: WAITING_DAYS.decision });
    } else if (credentialCodes.has(problem.code)) {
      const rejected = new Problem("credentials_rejected", problem.message, { cause: problem });
      await wait(trx, row, rejected, { days: WAITING_DAYS.credentials });
    } else {
      const unreachable = new Problem("source_unreachable", problem.message, { cause: problem });
      await wait(trx, row, unreachable, { days: WAITING_DAYS.source, probeInMs: FIRST_PROBE_MS });
    }
    return true;
  });
  if (halted) context.log.info({ code: problem.code }, "a submission stopped");
}

/**
 * Runs a step. What a person can act on stops the submission; anything else is the job's to try again. When the
 * attempt is over meanwhile (cancelled, waiting, retried), whatever the step still met is of no interest; nor is it
 * when the job is another worker's by now, which may be getting on well.
 *
 * @returns what stopped the submission
 */
export async function orHalt(
  context: StepContext,
  work: Work,
  isHeld: () => Promise<boolean>,
  step: () => Promise<void>,
): Promise<Problem | undefined> {
  try {
    await step();
    return undefined;
  } catch (error) {
    const row = await findSubmission(context.db, work.id);
    if (row?.attempt !== work.attempt || !isActive(row.status as Status)) return undefined;
    if (!(error instanceof Problem) || error.code === "wrong_state" || error.code === "too_late") throw error;
    if (!(await isHeld())) throw error;
    await halt(context, work, error);
    return error;
  }
}
