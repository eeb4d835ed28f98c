import { FIRST_PROBE_MS, type StepEntry } from "./entry.ts";

/** Problems of the service and its archive. */
export const service = {
  no_space: {
    fault: "operator",
    title: "There is not enough space in the archive",
    action: "The operator can make room; the submission goes on by itself.",
    inStep: { waitAs: "no_space" },
    waiting: { days: 30, probeInMs: FIRST_PROBE_MS },
  },
  archive_unwritable: {
    fault: "operator",
    title: "The archive cannot be written",
    action:
      "The operator can mend the archive’s disk or bucket, or the rights on it; the submission goes on by itself.",
    inStep: { waitAs: "archive_unwritable" },
    waiting: { days: 30, daysIfCommitted: 36_500, probeInMs: FIRST_PROBE_MS },
  },
  already_published: {
    fault: "operator",
    title: "The dataset is in the archive already",
    action:
      "The operator finds in docs/operating.md, “Backup and restore”, what to do about a database that is older than the archive; nothing of the archive was changed.",
    inStep: "fail",
  },
  waited_too_long: {
    fault: "submitter",
    title: "The submission waited too long",
    action: "Retry once the cause is mended.",
    inStep: "fail",
  },
  verification_failed: {
    fault: "service",
    title: "What was stored does not add up",
    action: "Tell the operator; nothing was published.",
    inStep: "fail",
  },
  retry_requested: {
    fault: "submitter",
    title: "A new attempt was asked for",
    action: "Nothing; the submission goes on.",
    inStep: "retry",
  },
} as const satisfies Record<string, StepEntry>;
