import { Problem } from "../../domain/problems.ts";

/**
 * Whether the failed read of an object can have a cause in the object. A server that asks for a pause, or a token service that does not
 * issue keys, says nothing about it.
 */
export function mayBeOfObject(error: unknown): error is Problem {
  if (!(error instanceof Problem)) return false;
  return error.retryable && error.code !== "slow_down" && error.code !== "sts_unavailable";
}
