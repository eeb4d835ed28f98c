import type { ProblemEntry } from "./entry.ts";

/** Webhooks and mail. */
export const notificationProblems = {
  too_many_webhooks: {
    fault: "submitter",
    status: 409,
    title: "There are as many webhooks as there may be",
    action: "Delete one that is not needed any more.",
  },
  webhook_disabled: {
    fault: "submitter",
    status: 409,
    title: "The webhook is disabled",
    action: "Mend its endpoint and enable it first.",
  },
  webhook_url_invalid: {
    fault: "submitter",
    title: "This is not the address of a webhook’s endpoint",
    action: "Give an address such as https://lab.example.org/accession.",
  },
  webhook_refused: {
    fault: "submitter",
    title: "The webhook’s endpoint does not accept the delivery",
    action: "Look at the endpoint’s log; it is tried again for a day, and can then be replayed.",
    retryable: true,
  },
  email_invalid: {
    fault: "submitter",
    title: "This is not an e-mail address",
    action: "Give one plain address such as ada@example.org.",
  },
  mail_off: {
    fault: "operator",
    title: "This service sends no e-mail",
    action: "Look at the submission’s status, or register a webhook; the address was not kept.",
  },
} as const satisfies Record<string, ProblemEntry>;
