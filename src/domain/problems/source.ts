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
    title: "The endpoint’s name does not resolve",
    action: "Check the spelling of the endpoint.",
    inStep: { waitAs: "source_changed" },
    retryable: true,
  },
  name_lookup_failed: {
    fault: "operator",
    title: "The endpoint’s name could not be looked up",
    action:
      "Try again in a few minutes. If it fails again, the operator must check the DNS servers that the service uses.",
    inStep: { waitAs: "source_blocked" },
    retryable: true,
  },
  address_refused: {
    fault: "operator",
    title: "The endpoint’s address is not allowed here",
    action:
      "The operator can allow private networks in ACCESSION_ALLOW_NETWORKS; link-local addresses are never allowed.",
    inStep: { waitAs: "source_blocked" },
  },
  connection_refused: {
    fault: "source",
    title: "Nothing listens at the endpoint",
    action: "Check host and port; ask whoever runs the storage whether it is up.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  connection_timeout: {
    fault: "source",
    title: "The endpoint does not answer",
    action: "Check host and port; a firewall may be in between.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  connection_reset: {
    fault: "source",
    title: "The connection broke",
    action:
      "Try again in a moment; what is accepted is tried again by itself. Ask whoever runs the storage if it lasts.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  network_unreachable: {
    fault: "operator",
    title: "There is no route to the endpoint",
    action: "Check the endpoint; the operator can check the service’s network.",
    inStep: { waitAs: "source_blocked" },
    retryable: true,
  },
  tls_untrusted: {
    fault: "source",
    title: "The endpoint’s certificate is not trusted",
    action:
      "Ask whoever runs the storage for a proper certificate, or the operator to add its authority in ACCESSION_SOURCE_CA_FILE.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_expired: {
    fault: "source",
    title: "The endpoint’s certificate has expired",
    action: "Ask whoever runs the storage to renew it.",
    inStep: { waitAs: "source_unreachable" },
  },
  // The next four are the submitter's errors at the check. A step runs after a check that passed, so there the endpoint
  // itself has changed, for instance to a maintenance page, and the storage provider must act.
  tls_wrong_host: {
    fault: "submitter",
    title: "The endpoint’s certificate is for another name",
    action: "Use the name that the certificate names.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_not_spoken: {
    fault: "submitter",
    title: "The endpoint does not speak TLS on this port",
    action: "If it is a plain HTTP server, write http:// before the name.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_expected: {
    fault: "submitter",
    title: "The endpoint wants TLS on this port",
    action: "Write https:// before the name.",
    inStep: { waitAs: "source_unreachable" },
  },
  not_s3: {
    fault: "submitter",
    title: "What answers at the endpoint is no S3 server",
    action: "Use the storage’s S3 endpoint, not its web console.",
    inStep: { waitAs: "source_unreachable" },
  },
  redirected: {
    fault: "submitter",
    title: "The server sends callers elsewhere",
    action: "Use the endpoint of the bucket’s region; Accession never follows redirects.",
    inStep: { waitAs: "source_changed" },
  },
  wrong_region: {
    fault: "submitter",
    title: "The bucket lies in another region",
    action: "Use the region that the server names, or leave the region empty.",
    inStep: { waitAs: "source_changed" },
  },
  clock_skewed: {
    fault: "operator",
    title: "The clocks of the service and the storage differ too much",
    action: "The operator can set the service’s clock right; otherwise it is the storage’s.",
    inStep: { waitAs: "source_blocked" },
  },
  access_key_unknown: {
    fault: "submitter",
    title: "The server does not know this access key",
    action: "Copy the access key again; it may have been revoked.",
    inStep: { waitAs: "credentials_rejected" },
  },
  secret_key_wrong: {
    fault: "submitter",
    title: "The secret key does not fit the access key",
    action: "Copy the secret key again.",
    inStep: { waitAs: "credentials_rejected" },
  },
  credentials_expired: {
    fault: "submitter",
    title: "The credentials have expired or were suspended",
    action: "Send new credentials.",
    inStep: { waitAs: "credentials_rejected" },
  },
  anonymous_denied: {
    fault: "submitter",
    title: "The bucket is not open to everyone",
    action: "Send an access key and a secret key.",
    inStep: { waitAs: "credentials_rejected" },
  },
  bucket_missing: {
    fault: "submitter",
    title: "The bucket does not exist on this server",
    action: "Check the bucket’s name and the endpoint.",
    inStep: { waitAs: "source_changed" },
  },
  list_denied: {
    fault: "submitter",
    title: "These credentials may not list the bucket",
    action: "Give them s3:ListBucket on the bucket; the policy in the report can be pasted.",
    inStep: { waitAs: "credentials_rejected" },
  },
  read_denied: {
    fault: "submitter",
    title: "These credentials may not read the bucket’s objects",
    action: "Give them s3:GetObject on the bucket’s objects; the policy in the report can be pasted.",
    inStep: { waitAs: "credentials_rejected" },
  },
  slow_down: {
    fault: "source",
    title: "The server asks to slow down",
    action: "Try again in a moment; what is accepted is tried again by itself.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  source_error: {
    fault: "source",
    title: "The server reports a fault of its own",
    action:
      "Try again in a moment; what is accepted is tried again by itself. Ask whoever runs the storage if it lasts.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  source_refused: {
    fault: "source",
    title: "The server refuses the request",
    action: "Ask whoever runs the storage what the named error means.",
    inStep: { waitAs: "source_unreachable" },
  },
  credentials_rejected: {
    fault: "submitter",
    title: "The server does not accept the credentials any more",
    action: "Send new credentials; what is stored stays stored.",
    inStep: { waitAs: "credentials_rejected" },
    waiting: { days: 30 },
  },
  source_unreachable: {
    fault: "source",
    title: "The source cannot be reached",
    action:
      "Try again in a moment; what is accepted is tried again by itself. Ask whoever runs the storage if it lasts.",
    inStep: { waitAs: "source_unreachable" },
    waiting: { days: 14, probeInMs: FIRST_PROBE_MS },
    retryable: true,
  },
  source_changed: {
    fault: "submitter",
    title: "The bucket is no longer where it was submitted from",
    action:
      "Restore the bucket at its endpoint; the submission then continues automatically. If the bucket has moved, cancel and submit it from its new place.",
    inStep: { waitAs: "source_changed" },
    waiting: { days: 14, probeInMs: FIRST_PROBE_MS },
  },
  source_blocked: {
    fault: "operator",
    title: "This service itself cannot reach the source",
    action:
      "The operator must correct the service’s clock, network or ACCESSION_ALLOW_NETWORKS; the submission then continues automatically.",
    inStep: { waitAs: "source_blocked" },
    waiting: { days: 30, probeInMs: FIRST_PROBE_MS },
  },
  listing_invalid: {
    fault: "source",
    title: "The server’s listing is contradictory or incomplete",
    action: "Ask whoever runs the storage; the detail says what is wrong with the listing.",
    inStep: "fail",
  },
  key_too_long: {
    fault: "submitter",
    title: "A key in the bucket is longer than S3 allows",
    action: "Rename the object that is named, or select the objects by a prefix that this key does not begin with.",
    inStep: "fail",
  },
  listing_loop: {
    fault: "source",
    title: "The server’s listing never ends",
    action: "Ask whoever runs the storage; its continuation tokens repeat.",
    inStep: "fail",
  },
} as const satisfies Record<string, StepEntry>;
