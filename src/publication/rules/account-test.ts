import type { RegistrationProblem } from "./publication.ts";

/** What is tested of the account at DataCite, in this order. */
export const ACCOUNT_STEPS = ["credentials", "domain", "prefix", "create_draft", "delete_draft"] as const;
export type AccountStepName = (typeof ACCOUNT_STEPS)[number];

/** A step of the test. `skipped`: an earlier step failed that this one needs. */
export interface AccountStep {
  step: AccountStepName;
  status: "ok" | "failed" | "skipped";
  /** Null unless the step failed. */
  problem: RegistrationProblem | null;
}

/** Why the account cannot register DOIs, as the last test found. */
export interface AccountProblem extends RegistrationProblem {
  /** Whether it is still unknown if a draft can be created. */
  isDraftDue?: boolean;
}

/** The problem that prevents registration; null if there is none. A draft that was not deleted prevents nothing. */
export function accountProblemOf(steps: readonly AccountStep[]): AccountProblem | null {
  const problem = steps.find(({ step, status }) => status === "failed" && step !== "delete_draft")?.problem ?? null;
  if (problem === null) return null;
  const isDraftDue = steps.some(({ step, status }) => step === "create_draft" && status !== "ok");
  return isDraftDue ? { ...problem, isDraftDue } : problem;
}
