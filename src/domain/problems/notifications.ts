import type { ProblemEntry } from "./entry.ts";

/** Webhooks and mail. */
export const notificationProblems = {
  too_many_webhooks: {
    status: 409,
    title: "The webhook limit has been reached",
    action: "Delete a webhook that is no longer needed.",
  },
  webhook_disabled: {
    status: 409,
    title: "The webhook is disabled",
    action: "Fix the receiver, then enable the webhook.",
  },
  webhook_url_invalid: {
    title: "The webhook URL is not valid",
    action: "Enter a URL such as https://lab.example.org/accession.",
  },
  webhook_refused: {
    title: "The webhook receiver did not accept the delivery",
    action: "Check the receiver’s log. The delivery is retried for a day, and can be replayed afterwards.",
    retryable: true,
  },
  email_invalid: {
    title: "The e-mail address is not valid",
    action: "Enter a plain address such as ada@example.org.",
  },
  mail_off: {
    fault: "operator",
    title: "This service does not send e-mail",
    action:
      "Check the status of the submission, or register a webhook. The address was not stored. The operator can set ACCESSION_SMTP_URL and ACCESSION_MAIL_FROM.",
  },
} as const satisfies Record<string, ProblemEntry>;
