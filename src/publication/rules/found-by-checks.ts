import type { CheckFinding } from "./checks.ts";
import type { PublicationState } from "./states.ts";

/** The number of errors and warnings of the automatic checks, as it is stored with a publication; null before the first run. */
export interface FoundByChecks {
  check_errors: number | null;
  check_warnings: number | null;
}

export function countFound(checks: readonly CheckFinding[]): FoundByChecks {
  const number = (wanted: CheckFinding["severity"]) => checks.filter(({ severity }) => severity === wanted).length;
  return { check_errors: number("error"), check_warnings: number("warning") };
}

/** What the checks found when they last ran; null if they never did, or if the version is or was published. */
export function lastFound(
  state: PublicationState,
  { check_errors: errors, check_warnings: warnings }: FoundByChecks,
): { errors: number; warnings: number } | null {
  if (errors === null || warnings === null || state === "published" || state === "withdrawn") return null;
  return { errors, warnings };
}
