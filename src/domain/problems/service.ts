import { FIRST_PROBE_MS, type StepEntry } from "./entry.ts";

/** Problems of the service and its archive. */
export const service = {
  no_space: {
    fault: "operator",
    title: "The archive does not have enough free space",
    action: "The operator must free or add space. The submission then resumes automatically.",
    inStep: { waitAs: "no_space" },
    waiting: { days: 30, probeInMs: FIRST_PROBE_MS },
  },
  archive_unwritable: {
    fault: "operator",
    title: "The service cannot write to the archive",
    action:
      "The operator must repair the archive’s disk or bucket, or correct the access rights. The submission then resumes automatically.",
    inStep: { waitAs: "archive_unwritable" },
    waiting: { days: 30, daysIfCommitted: 36_500, probeInMs: FIRST_PROBE_MS },
  },
  already_published: {
    fault: "operator",
    title: "The dataset is already in the archive",
    action:
      "Report this to the operator. Nothing in the archive was changed. If the database is older than the archive, the operator must follow “Backup and restore” in docs/operating.md.",
    inStep: "fail",
  },
  waited_too_long: {
    fault: "submitter",
    title: "The problem was not fixed in time",
    action: "Fix the problem that the message names, then retry.",
    inStep: "fail",
  },
  verification_failed: {
    fault: "service",
    title: "The stored files failed verification",
    action: "Report it to the operator. The dataset was not archived.",
    inStep: "fail",
  },
  retry_requested: {
    fault: "submitter",
    title: "A new attempt was requested",
    action: "No action is required. The submission continues.",
    inStep: "retry",
  },
} as const satisfies Record<string, StepEntry>;
