/** Everything that a submission’s log can tell of. */
export const EVENT_TYPES = [
  "accepted",
  "listing",
  "listed",
  "transferring",
  "transferred",
  "objects_unreadable",
  "excluded",
  "verifying",
  "drift",
  "packaging",
  "publishing",
  "completed",
  "waiting",
  "credentials_replaced",
  "resumed",
  "failed",
  "retried",
  "cancelled",
  "audit_passed",
  "audit_failed",
  "withdrawn",
  "removed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What is written into a submission's log. */
export interface LogEntry {
  type: EventType;
  message: string;
  data?: object;
}
