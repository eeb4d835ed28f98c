import { Problem } from "../../domain/problems.ts";
import { BACK_OFFS, pauseAfter } from "../../platform/back-off.ts";
import type { RegistrationProblem } from "../rules/publication.ts";

/** Attempts, two minutes in all, after which no request of an interrupted attempt can still reach DataCite. */
export const SETTLED_AFTER = 7;

/** When to try again after this number of failed attempts. */
export function nextAttempt(attempts: number): Date {
  return new Date(Date.now() + pauseAfter(attempts, BACK_OFFS.publication));
}

/**
 * What an error states for people.
 * @param detail the message for errors that are no `Problem`
 * @param last why the attempt before failed; null if it succeeded
 */
export function registrationProblem(
  error: unknown,
  detail: string,
  last: RegistrationProblem | null = null,
): RegistrationProblem & { since: string } {
  const problem = error instanceof Problem ? error : new Problem("internal_error", detail, { cause: error });
  const { code, fault, message, action } = problem;
  const at = new Date().toISOString();
  return { code, fault, message, action, at, since: last?.since ?? last?.at ?? at };
}

/**
 * The service has something else to do with a publication since the attempt began: it was taken back, closed, withdrawn, or its
 * metadata were changed. The later work has its own attempt.
 */
export class Superseded extends Error {
  override readonly name = "Superseded";
}

/** The changed row. @throws Superseded if nothing was changed, because another attempt has changed the row before */
export async function requireChange<Row>(change: Promise<Row | undefined>): Promise<Row> {
  const changed = await change;
  if (changed === undefined) throw new Superseded();
  return changed;
}
