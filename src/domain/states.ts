/** Time without data after which the API reports that the source has stopped sending. */
export const SOURCE_STALLED_MS = 10_000;

/** Time without data after which the service stops reading. More than the five attempts of 30 s for a single object. */
export const SOURCE_SILENT_MS = 180_000;

/** The states of a submission. {@link mayMove} declares the transitions. */
export const STATUSES = [
  "accepted",
  "listing",
  "transferring",
  "verifying",
  "packaging",
  "completed",
  "waiting",
  "failed",
  "cancelled",
] as const;
export type Status = (typeof STATUSES)[number];

/** States in which the service works on the submission. */
export const ACTIVE = ["accepted", "listing", "transferring", "verifying", "packaging"] as const satisfies Status[];
export type ActiveStatus = (typeof ACTIVE)[number];

/** States that a submission never leaves. A failed one can be retried or cancelled. */
export const FINAL = ["completed", "cancelled"] as const satisfies Status[];

const forward: Record<ActiveStatus, Status> = {
  accepted: "listing",
  listing: "transferring",
  transferring: "verifying",
  verifying: "packaging",
  packaging: "completed",
};

/** Whether a submission may go from one status to another. From `waiting` it returns to the status in which it stopped. */
export function mayMove(from: Status, to: Status, waitedIn?: ActiveStatus): boolean {
  if (from === "failed") return to === "accepted" || to === "cancelled";
  if (from === "completed" || from === "cancelled") return false;
  if (to === "failed" || to === "cancelled") return true;
  if (from === "waiting") return to === waitedIn;
  return to === "waiting" || to === forward[from];
}

export function isActive(status: Status): status is ActiveStatus {
  return (ACTIVE as readonly Status[]).includes(status);
}

/** The job queues. */
export const QUEUES = {
  list: "list",
  transfer: "transfer",
  verify: "verify",
  package: "package",
  probe: "probe",
  audit: "audit",
  withdraw: "withdraw",
  discard: "discard",
  webhook: "webhook",
  mail: "mail",
} as const;

/**
 * The fair-share group of a submission: all work of one owner on one endpoint shares one part of the workers, however many
 * submissions it is. A slow endpoint then occupies only the workers of its own group.
 */
export function fairShareGroup({ owner, endpoint }: { owner: string; endpoint: string }): string {
  return `${owner} ${endpoint}`;
}
