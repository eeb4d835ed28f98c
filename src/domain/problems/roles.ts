import type { StepEntry } from "./entry.ts";

/** Problems with roles that the service assumes to read buckets. */
export const roles = {
  roles_off: {
    fault: "operator",
    title: "This service cannot assume roles",
    action:
      "Use an access key of the bucket, or ask the operator to configure ACCESSION_STS_ACCESS_KEY for all processes.",
    inStep: { waitAs: "source_blocked" },
  },
  role_denied: {
    fault: "submitter",
    title: "The service may not assume the role",
    action:
      "Check the ARN and the trust policy of the role: it must name the principal and the external id that the form for credentials shows (in the API, GET /caller).",
    inStep: { waitAs: "credentials_rejected" },
  },
  role_unprotected: {
    fault: "submitter",
    title: "The role does not require your external id",
    action:
      "Add the condition on sts:ExternalId with your external id, which the form for credentials shows (in the API, GET /caller), to the trust policy of the role. Otherwise other users of this service could read your bucket.",
    inStep: { waitAs: "credentials_rejected" },
  },
  sts_refused: {
    fault: "operator",
    title: "The token service (STS) refuses the keys of this service",
    action:
      "The operator must check ACCESSION_STS_ACCESS_KEY, ACCESSION_STS_SECRET_KEY, ACCESSION_STS_REGION and ACCESSION_STS_ENDPOINT.",
    inStep: { waitAs: "source_blocked" },
  },
  sts_unavailable: {
    fault: "operator",
    title: "The token service (STS) does not issue keys",
    action:
      "Try again in a few minutes. Accepted submissions retry automatically. If the problem persists, the operator must check ACCESSION_STS_ENDPOINT.",
    inStep: { waitAs: "source_blocked" },
    retryable: true,
  },
} as const satisfies Record<string, StepEntry>;
