/** Event types that cause notifications. Events about single objects and pages are only in the submission's log. */
export const WEBHOOK_EVENT_TYPES = [
  "accepted",
  "listing",
  "transferring",
  "verifying",
  "packaging",
  "completed",
  "waiting",
  "resumed",
  "failed",
  "retried",
  "cancelled",
  "metadata_changed",
  "publication_requested",
  "publication_assigned",
  "publication_commented",
  "changes_requested",
  "publication_declined",
  "publication_approved",
  "publication_taken_back",
  "doi_requested",
  "doi_reserved",
  "registering",
  "registration_delayed",
  "published",
  "access_changed",
  "access_requested",
  "access_granted",
  "access_refused",
  "access_revoked",
  "publication_withdrawn",
  "publication_reminder",
  "embargo_ending",
  "embargo_ended",
  "withdrawn",
] as const;

export type Noticed = (typeof WEBHOOK_EVENT_TYPES)[number];
/** All event types of a submission’s log. */
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
  "metadata_changed",
  "publication_requested",
  "publication_assigned",
  "publication_commented",
  "changes_requested",
  "publication_declined",
  "publication_approved",
  "publication_taken_back",
  "doi_requested",
  "doi_reserved",
  "registering",
  "registration_delayed",
  "published",
  "access_changed",
  "access_requested",
  "access_granted",
  "access_refused",
  "access_revoked",
  "publication_withdrawn",
  "publication_reminder",
  "embargo_ending",
  "embargo_ended",
  "reviewer_link_created",
  "reviewer_link_revoked",
  "audit_passed",
  "audit_failed",
  "withdrawn",
  "removed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** An entry of a submission's log. */
export interface LogEntry {
  type: EventType;
  message: string;
  data?: object;
}

/** Whether an event is delivered to webhooks. */
export function isSentToWebhooks(event: LogEntry): boolean {
  return (WEBHOOK_EVENT_TYPES as readonly string[]).includes(event.type) && !isPassing(event);
}

/** Whether the event belongs to a retry of a waiting submission, which passes through `failed` within one transaction. */
export function isPassing({ type, data }: LogEntry): boolean {
  return type === "failed" && (data as { code?: string } | undefined)?.code === "retry_requested";
}
