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
