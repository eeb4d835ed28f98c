import type { Submission, SubmissionEvent } from "@accession/client";

/** The steps of a submission, in order. */
export const PHASES = ["accepted", "listing", "transferring", "verifying", "packaging", "completed"] as const;
export type Phase = (typeof PHASES)[number];

/** Where a submission is; for one that waits or has ended otherwise, where that happened. */
export function phaseOf({ status, attempt, progress }: Submission, events: readonly SubmissionEvent[]): Phase {
  if (isPhase(status)) return status;
  const last = events.findLast((event) => event.attempt === attempt && isPhase(event.type))?.type;
  if (last !== undefined && isPhase(last)) return last;
  return progress.listingComplete ? "transferring" : "listing";
}

function isPhase(word: string): word is Phase {
  return (PHASES as readonly string[]).includes(word);
}
