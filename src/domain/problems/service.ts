import { FIRST_PROBE_MS, type StepEntry } from "./entry.ts";

/** Problems of the service and its archive. */
export const service = {
  no_space: {
    fault: "operator",
    status: 507,
    title: "The service does not have enough free space",
    action:
      "The operator must free or add space, or reduce ACCESSION_DISK_RESERVE. A submission then resumes automatically; repeat a change of metadata.",
    inStep: { waitAs: "no_space" },
    waiting: { days: 30, probeInMs: FIRST_PROBE_MS },
  },
  archive_unwritable: {
    fault: "operator",
    status: 503,
    title: "The service cannot write to the archive",
    action:
      "The operator must repair the archive’s disk or bucket, or correct the access rights. The submission then resumes automatically; repeat other requests.",
    inStep: { waitAs: "archive_unwritable" },
    waiting: { days: 30, daysIfCommitted: 36_500, probeInMs: FIRST_PROBE_MS },
  },
  already_published: {
    fault: "operator",
    title: "The dataset is already in the archive",
    action:
      "Do not retry; report it to the operator. Nothing in the archive was changed. The database was probably restored from a backup that is older than the archive.",
    inStep: "fail",
  },
  archive_newer: {
    fault: "operator",
    status: 409,
    title: "The archive has a newer state of the dataset than the database",
    action:
      "Tell the operator: the database was restored from a backup, and “accession rebuild” takes over what is newer in the archive. Then look at the dataset again, and repeat the change if it is still needed.",
    inStep: "retry",
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
    action:
      "The dataset was not archived. Report it to the operator, who must check the archive’s disk or bucket. Then retry; all objects are read again.",
    inStep: "fail",
  },
  retry_requested: {
    fault: "submitter",
    title: "A new attempt was requested",
    action: "No action is required. The submission continues.",
    inStep: "retry",
  },
} as const satisfies Record<string, StepEntry>;
