/** All event types of a submission’s log. */
export const EVENT_TYPES = [
  ...[
    "accepted",
    "listing",
    "digests_read",
    "listed",
    "transferring",
    "transferred",
    "objects_unreadable",
    "excluded",
    "verifying",
  ],
  ...["drift", "packaging", "publishing", "completed"],
  ...["waiting", "credentials_replaced", "resumed", "failed", "retried", "cancelled", "metadata_changed"],
  ...["publication_requested", "publication_assigned", "publication_commented", "comment_resolved"],
  ...["changes_requested", "publication_declined", "publication_approved", "publication_taken_back"],
  ...["doi_requested", "doi_reserved", "reservation_delayed", "registering", "registration_delayed", "published"],
  ...["access_changed", "access_requested", "access_reminder", "access_granted", "access_refused", "access_revoked"],
  ...["publication_withdrawn", "publication_reminder", "embargo_ending", "embargo_ended"],
  ...["reviewer_link_created", "reviewer_link_revoked", "audit_passed", "audit_failed", "withdrawn", "removed"],
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Events about single objects and pages, and those that concern only their readers in the log: they cause no notifications. */
const LOGGED_ONLY = [
  ...[
    "digests_read",
    "listed",
    "transferred",
    "objects_unreadable",
    "excluded",
    "drift",
    "publishing",
    "credentials_replaced",
  ],
  ...["reviewer_link_created", "reviewer_link_revoked", "audit_passed", "audit_failed", "removed"],
] as const satisfies EventType[];

export type Noticed = Exclude<EventType, (typeof LOGGED_ONLY)[number]>;

/** Event types that cause notifications. */
export const WEBHOOK_EVENT_TYPES = EVENT_TYPES.filter(
  (type): type is Noticed => !(LOGGED_ONLY as readonly EventType[]).includes(type),
);

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
