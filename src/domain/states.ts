/** Silence of a source after which it is said that it has stopped sending. */
export const SILENT_MS = 10_000;

/** Silence after which the service stops reading. What a single object is waited for, five tries of 30 s, is less. */
export const GIVEN_UP_MS = 180_000;
/** Where a submission can be; the edges are the declared ones and no others. */
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

/** Work is under way. */
export const ACTIVE = ["accepted", "listing", "transferring", "verifying", "packaging"] as const satisfies Status[];
export type ActiveStatus = (typeof ACTIVE)[number];

/** For good. A failed submission can still be taken up again, or cancelled. */
export const FINAL = ["completed", "cancelled"] as const satisfies Status[];

const forward: Record<ActiveStatus, Status> = {
  accepted: "listing",
  listing: "transferring",
  transferring: "verifying",
  verifying: "packaging",
  packaging: "completed",
};

/** Whether a submission may go from one status to another. Leaving `waiting` leads back to where it was. */
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

/** Kinds of queued work, by the names of their queues. */
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

/** How long a submission waits for each cause before it fails; one whose publication is committed never does. */
export const WAITING_DAYS = { credentials: 30, source: 14, operator: 30, decision: 30, committed: 36_500 } as const;

/**
 * Who shares the workers with whom: work of one owner on one endpoint has one share, however many submissions it is.
 * An endpoint that answers slowly then keeps nobody's workers but those of its own share.
 */
export function fairShareGroup({ owner, endpoint }: { owner: string; endpoint: string }): string {
  return `${owner} ${endpoint}`;
}
