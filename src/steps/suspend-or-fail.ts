import { findSubmission, lockSubmission } from "../db/submissions/submissions.ts";
import { fail, wait } from "../db/submissions/waiting.ts";
import { operatorMustAct } from "../domain/problems/entry.ts";
import { type Code, faultOf, Problem, responseInStep, type WaitingCode } from "../domain/problems.ts";
import { isActive, type Status } from "../domain/submission/states.ts";
import { ScratchFull } from "../source/lists/scratch.ts";
import type { AttemptRef, StepContext } from "./context.ts";

/**
 * Stops a submission because of a problem: it waits or fails, as the error catalogue says. A problem that would retry the job
 * fails it, because this was the last try. Does nothing if the attempt is no longer active.
 */
export async function suspendOrFail(
  context: Pick<StepContext, "db" | "log">,
  work: AttemptRef,
  problem: Problem,
): Promise<void> {
  const full = problem instanceof ScratchFull ? problem : undefined;
  const stoppedBy = await context.db.transaction().execute(async (trx) => {
    const row = await lockSubmission(trx, work.id);
    if (row === undefined || row.attempt !== work.attempt || !isActive(row.status as Status)) return undefined;
    const waitAs = row.published_at === null ? waitingCodeFor(problem.code) : WHILE_COMMITTED;
    if (waitAs === undefined) await fail(trx, row, problem);
    else await wait(trx, row, waitAs, { message: problem.message, scratchBytes: full?.bytes });
    return waitAs ?? problem.code;
  });
  if (stoppedBy === undefined) return;
  const folder = full && { folder: full.folder };
  const level = operatorMustAct[faultOf(stoppedBy)] ? "error" : "info";
  context.log[level]({ code: problem.code, ...folder }, "a submission stopped");
}

/** A submission whose publication is committed can only be completed. It waits under this code, whatever the problem is. */
const WHILE_COMMITTED = "archive_unwritable" satisfies WaitingCode;

/** Undefined for a problem that fails the submission. */
function waitingCodeFor(code: Code): WaitingCode | undefined {
  const response = responseInStep(code);
  return typeof response === "object" ? response.waitAs : undefined;
}

/**
 * Runs a step. A problem that a person can resolve stops the submission; any other error is thrown, so that the job is
 * retried. While the archive is not the one that the service has opened, this is the problem, whatever the step found in its
 * place. Errors are ignored if the attempt is over meanwhile (cancelled, waiting, retried). They do not stop the
 * submission if another worker holds the job by now, because that worker may succeed.
 *
 * @returns the problem that stopped the submission
 */
export async function suspendingOnProblem(
  context: StepContext,
  work: AttemptRef,
  isHeld: () => Promise<boolean>,
  step: () => Promise<void>,
): Promise<Problem | undefined> {
  try {
    await step();
    return undefined;
  } catch (thrown) {
    const error = await context.store.proveSame().then(
      () => thrown as unknown,
      (problem: unknown) => problem,
    );
    const row = await findSubmission(context.db, work.id);
    if (row?.attempt !== work.attempt || !isActive(row.status as Status)) return undefined;
    if (!(error instanceof Problem) || responseInStep(error.code) === "retry") throw error;
    if (!(await isHeld())) throw error;
    await suspendOrFail(context, work, error);
    return error;
  }
}
