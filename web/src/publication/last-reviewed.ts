import type { Publication } from "../api/publications.ts";

const DECISIONS = ["request-changes", "decline", "approve"];

/** The metadata revision that a curator decided about last, or that was requested; undefined for a version that was never requested. */
export function lastReviewed({
  history,
  approvedRevision,
}: Publication): { revision: number; isDecided: boolean } | undefined {
  const decided = history.findLast(({ action }) => DECISIONS.includes(action))?.revision;
  if (decided !== undefined) return { revision: decided, isDecided: true };
  return approvedRevision === null ? undefined : { revision: approvedRevision, isDecided: false };
}
