import { accountCheck, recordAccountCheck } from "../../db/publication/doi-account.ts";
import type { StepContext } from "../../steps/context.ts";
import { type AccountStep, accountProblemOf } from "../rules/account-test.ts";
import { type AccountContext, testAccount } from "./test-account.ts";

/** Interval between two checks of an account without and with a problem. */
const CHECK_MS = 3_600_000;
const PROBLEM_CHECK_MS = 30_000;

/** Whether the account must be checked now. */
export async function isAccountCheckDue({ db, publication }: StepContext): Promise<boolean> {
  if (publication.datacite === undefined) return false;
  const last = await accountCheck(db);
  // A check in the future was made before the clock was set back.
  const pause = last?.problem == null ? CHECK_MS : PROBLEM_CHECK_MS;
  return last === undefined || Math.abs(Date.now() - last.checked_at.getTime()) >= pause;
}

/**
 * Checks before any publication whether the account can register DOIs, and records the result for the automatic checks of
 * datasets. A draft is created only if this is requested, or if it is still unknown whether that is possible.
 *
 * @returns the steps of the test; none without an account
 */
export async function checkAccount(
  context: AccountContext,
  { draft = false }: { draft?: boolean },
  signal: AbortSignal,
): Promise<AccountStep[]> {
  const { db, log, publication } = context;
  const { datacite } = publication;
  if (datacite === undefined) return [];
  const before = (await accountCheck(db))?.problem;
  const steps = await testAccount(context, datacite, draft || before?.isDraftDue === true, signal);
  const problem = accountProblemOf(steps);
  if (problem !== null && problem.code !== before?.code) {
    const { code, message } = problem;
    log.warn({ code, reason: message }, "the DataCite account cannot register DOIs");
  }
  await recordAccountCheck(db, problem);
  return steps;
}
