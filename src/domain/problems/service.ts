import type { Entry } from "./entry.ts";

/** The service itself, and what a submission waits or fails for. */
export const service = {
  no_space: {
    fault: "operator",
    title: "There is not enough space in the archive",
    action: "The operator can make room; the submission goes on by itself.",
  },
  archive_unwritable: {
    fault: "operator",
    title: "The archive cannot be written",
    action:
      "The operator can mend the archive’s disk or bucket, or the rights on it; the submission goes on by itself.",
  },
  already_published: {
    fault: "operator",
    title: "The dataset is in the archive already",
    action:
      "The operator finds in docs/operating.md, “Backup and restore”, what to do about a database that is older than the archive; nothing of the archive was changed.",
  },
  waited_too_long: {
    fault: "submitter",
    title: "The submission waited too long",
    action: "Retry once the cause is mended.",
  },
  verification_failed: {
    fault: "service",
    title: "What was stored does not add up",
    action: "Tell the operator; nothing was published.",
  },
  retry_requested: {
    fault: "submitter",
    title: "A new attempt was asked for",
    action: "Nothing; the submission goes on.",
  },
} as const satisfies Record<string, Entry>;
