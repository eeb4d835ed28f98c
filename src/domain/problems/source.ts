import { FIRST_PROBE_MS, type StepEntry } from "./entry.ts";

/**
 * Problems with the data source. In a step each makes the submission wait or fail, under the code of the party that can
 * resolve it: `credentials_rejected` if the submitter can send other keys, `source_changed` if the bucket is no longer what it
 * was at the check, `source_unreachable` if the storage provider must act, and `source_blocked` if the network, clock or
 * settings of the service are the cause.
 */
export const source = {
  address_unresolvable: {
    fault: "submitter",
    title: "The endpoint’s host name does not exist",
    action: "Check the spelling of the endpoint.",
    inStep: { waitAs: "source_changed" },
    retryable: true,
  },
  name_lookup_failed: {
    fault: "operator",
    title: "The DNS lookup of the endpoint failed",
    action:
      "Try again in a few minutes. If it fails again, the operator must check the DNS servers that the service uses.",
    inStep: { waitAs: "source_blocked" },
    retryable: true,
  },
  address_refused: {
    fault: "operator",
    title: "The service may not connect to the endpoint’s address",
    action:
      "The operator can allow private networks in ACCESSION_ALLOW_NETWORKS, and must then restart the service. Link-local addresses are never allowed.",
    inStep: { waitAs: "source_blocked" },
  },
  connection_refused: {
    fault: "source",
    title: "The endpoint refuses connections",
    action: "Check the host and the port. If they are correct, ask the storage provider whether the server is running.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  connection_timeout: {
    fault: "source",
    title: "The endpoint does not answer",
    action: "Check the host and the port. A firewall may block the connection.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  connection_reset: {
    fault: "source",
    title: "The connection was interrupted",
    action:
      "Try again in a few minutes. Accepted submissions retry automatically. If the problem persists, ask the storage provider.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  network_unreachable: {
    fault: "operator",
    title: "There is no network route to the endpoint",
    action: "Check the endpoint. If it is correct, the operator must check the network of the service.",
    inStep: { waitAs: "source_blocked" },
    retryable: true,
  },
  tls_untrusted: {
    fault: "source",
    title: "The endpoint’s certificate is not trusted",
    action:
      "Ask the storage provider for a certificate from a trusted authority, or ask the operator to add the authority to ACCESSION_SOURCE_CA_FILE.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_expired: {
    fault: "source",
    title: "The endpoint’s certificate has expired",
    action: "Ask the storage provider to renew the certificate.",
    inStep: { waitAs: "source_unreachable" },
  },
  // The next four are the submitter's errors at the check. A step runs after a check that passed, so there the endpoint
  // itself has changed, for instance to a maintenance page, and the storage provider must act.
  tls_wrong_host: {
    fault: "submitter",
    title: "The endpoint’s certificate is for a different host name",
    action: "Use a host name that the certificate lists.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_not_spoken: {
    fault: "submitter",
    title: "The endpoint does not use TLS on this port",
    action: "If it is a plain HTTP server, start the endpoint with http://.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_expected: {
    fault: "submitter",
    title: "The endpoint requires TLS on this port",
    action: "Start the endpoint with https://.",
    inStep: { waitAs: "source_unreachable" },
  },
  not_s3: {
    fault: "submitter",
    title: "The server at the endpoint is not an S3 server",
    action: "Use the S3 endpoint of the storage, not the address of its web console.",
    inStep: { waitAs: "source_unreachable" },
  },
  redirected: {
    fault: "submitter",
    title: "The server redirects requests to a different address",
    action: "Use the endpoint of the bucket’s region. Accession does not follow redirects.",
    inStep: { waitAs: "source_changed" },
  },
  wrong_region: {
    fault: "submitter",
    title: "The bucket is in a different region",
    action: "Use the region that the server names, or leave the region empty.",
    inStep: { waitAs: "source_changed" },
  },
  clock_skewed: {
    fault: "operator",
    title: "The clocks of the service and the storage differ too much",
    action:
      "The operator must correct the clock of the machine on which the service runs. If it is correct, the storage provider must correct the clock of the storage.",
    inStep: { waitAs: "source_blocked" },
  },
  access_key_unknown: {
    fault: "submitter",
    title: "The server does not know this access key",
    action: "Copy the access key again. If it is correct, it may have been revoked.",
    inStep: { waitAs: "credentials_rejected" },
  },
  secret_key_wrong: {
    fault: "submitter",
    title: "The secret key does not match the access key",
    action: "Copy the secret key again.",
    inStep: { waitAs: "credentials_rejected" },
  },
  credentials_expired: {
    fault: "submitter",
    title: "The credentials have expired or have been suspended",
    action: "Provide new credentials.",
    inStep: { waitAs: "credentials_rejected" },
  },
  anonymous_denied: {
    fault: "submitter",
    title: "The bucket does not allow anonymous access",
    action: "Provide an access key and a secret key.",
    inStep: { waitAs: "credentials_rejected" },
  },
  bucket_missing: {
    fault: "submitter",
    title: "The bucket does not exist on this server",
    action: "Check the spelling of the bucket and the endpoint, or ask the storage provider.",
    inStep: { waitAs: "source_changed" },
  },
  list_denied: {
    fault: "submitter",
    title: "These credentials do not permit listing the bucket",
    action: "Grant them s3:ListBucket on the bucket. The report contains a policy that you can copy.",
    inStep: { waitAs: "credentials_rejected" },
  },
  read_denied: {
    fault: "submitter",
    title: "These credentials do not permit reading the objects in the bucket",
    action: "Grant them s3:GetObject on the objects in the bucket. The report contains a policy that you can copy.",
    inStep: { waitAs: "credentials_rejected" },
  },
  slow_down: {
    fault: "source",
    title: "The server asks for a lower request rate",
    action: "Try again in a few minutes. Accepted submissions retry automatically.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  source_error: {
    fault: "source",
    title: "The server reports an internal error",
    action:
      "Try again in a few minutes. Accepted submissions retry automatically. If the problem persists, ask the storage provider.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  source_refused: {
    fault: "source",
    title: "The server refuses the request",
    action: "Ask the storage provider what the error in the detail means.",
    inStep: { waitAs: "source_unreachable" },
  },
  credentials_rejected: {
    fault: "submitter",
    title: "The server no longer accepts the credentials",
    action: "Provide new credentials. Objects that are already stored are kept.",
    inStep: { waitAs: "credentials_rejected" },
    waiting: { days: 30 },
  },
  source_unreachable: {
    fault: "source",
    title: "The data source cannot be reached",
    action:
      "Try again in a few minutes. Accepted submissions retry automatically. If the problem persists, ask the storage provider.",
    inStep: { waitAs: "source_unreachable" },
    waiting: { days: 14, probeInMs: FIRST_PROBE_MS },
    retryable: true,
  },
  source_changed: {
    fault: "submitter",
    title: "The bucket is no longer available at its endpoint",
    action:
      "Restore the bucket at its endpoint; the submission then resumes automatically. If the bucket has moved, cancel the submission and submit the bucket from its new location.",
    inStep: { waitAs: "source_changed" },
    waiting: { days: 14, probeInMs: FIRST_PROBE_MS },
  },
  source_blocked: {
    fault: "operator",
    title: "The service cannot reach the data source",
    action:
      "The operator must correct the cause that the message names: the clock or network of the service, or ACCESSION_ALLOW_NETWORKS. The submission then resumes automatically.",
    inStep: { waitAs: "source_blocked" },
    waiting: { days: 30, probeInMs: FIRST_PROBE_MS },
  },
  listing_invalid: {
    fault: "source",
    title: "The server’s listing is contradictory or incomplete",
    action: "Report the detail to the storage provider.",
    inStep: "fail",
  },
  key_too_long: {
    fault: "submitter",
    title: "A key in the bucket is longer than S3 allows",
    action:
      "Rename the object named in the detail, or select the objects with a prefix that this key does not begin with.",
    inStep: "fail",
  },
  listing_loop: {
    fault: "source",
    title: "The server’s listing never ends",
    action: "Report to the storage provider that the continuation tokens of the listing repeat.",
    inStep: "fail",
  },
} as const satisfies Record<string, StepEntry>;
