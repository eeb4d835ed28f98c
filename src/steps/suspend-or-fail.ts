import { findSubmission, lockSubmission } from "../db/submissions/submissions.ts";
import { fail, wait } from "../db/submissions/waiting.ts";
import type { Fault } from "../domain/problems/entry.ts";
import { Problem } from "../domain/problems.ts";
import { isActive, type Status, WAITING_DAYS } from "../domain/states.ts";
import type { StepContext, Work } from "./context.ts";
import { type Reaction, reactions, waitingDays } from "./problem-reactions.ts";

/** Whether the operator must act: such lines of the log are of the level that docs/operating.md advises to watch. */
const isForOperator = {
  submitter: false,
  source: false,
  service: true,
  operator: true,
} as const satisfies Record<Fault, boolean>;

/**
 * Stops a submission because of a problem: it waits if the problem can be resolved and fails otherwise, as
 * {@link reactions} decides. Does nothing when the attempt is no longer active.
 */
export async function suspendOrFail(
  context: Pick<StepContext, "db" | "log">,
  work: Work,
  problem: Problem,
): Promise<void> {
  const halted = await context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row === undefined || row.attempt !== work.attempt || !isActive(row.status as Status)) return undefined;
    const reaction: Reaction = reactions[problem.code];
    if (row.published_at !== null) {
      // Publication is committed: it can only be finished, whatever it takes.
      const unfinished = new Problem("archive_unwritable", problem.message, { cause: problem });
      await wait(trx, row, unfinished, { ...waitingDays.archive_unwritable, days: WAITING_DAYS.committed });
      return unfinished;
    }
    if (reaction === "retry" || reaction === "fail") {
      await fail(trx, row, problem);
      return problem;
    }
    const met = new Problem(reaction, problem.message, { cause: problem });
    await wait(trx, row, met, waitingDays[reaction]);
    return met;
  });
  if (halted === undefined) return;
  const level = isForOperator[halted.fault] ? "error" : "info";
  context.log[level]({ code: problem.code }, "a submission stopped");
}

/**
 * Runs a step. What a person can act on stops the submission; anything else is the job's to try again. When the
 * attempt is over meanwhile (cancelled, waiting, retried), whatever the step still met is of no interest; nor is it
 * when the job is another worker's by now, which may be getting on well.
 *
 * @returns what stopped the submission
 */
export async function suspendingOnProblem(
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
    if (!(error instanceof Problem) || reactions[error.code] === "retry") throw error;
    if (!(await isHeld())) throw error;
    await suspendOrFail(context, work, error);
    return error;
  }
}
