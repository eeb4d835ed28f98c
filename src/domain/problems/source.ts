import type { Entry } from "./entry.ts";

/** What can be met on the way to the source. */
export const source = {
  address_unresolvable: {
    fault: "submitter",
    title: "The endpoint’s name does not resolve",
    action: "Check the spelling of the endpoint.",
    retryable: true,
  },
  name_lookup_failed: {
    fault: "operator",
    title: "The endpoint’s name could not be looked up",
    action:
      "Try again in a few minutes. If it fails again, the operator must check the DNS servers that the service uses.",
    retryable: true,
  },
  address_refused: {
    fault: "operator",
    title: "The endpoint’s address is not allowed here",
    action:
      "The operator can allow private networks in ACCESSION_ALLOW_NETWORKS; link-local addresses are never allowed.",
  },
  connection_refused: {
    fault: "source",
    title: "Nothing listens at the endpoint",
    action: "Check host and port; ask whoever runs the storage whether it is up.",
    retryable: true,
  },
  connection_timeout: {
    fault: "source",
    title: "The endpoint does not answer",
    action: "Check host and port; a firewall may be in between.",
    retryable: true,
  },
  connection_reset: {
    fault: "source",
    title: "The connection broke",
    action:
      "Try again in a moment; what is accepted is tried again by itself. Ask whoever runs the storage if it lasts.",
    retryable: true,
  },
  network_unreachable: {
    fault: "operator",
    title: "There is no route to the endpoint",
    action: "Check the endpoint; the operator can check the service’s network.",
    retryable: true,
  },
  tls_untrusted: {
    fault: "source",
    title: "The endpoint’s certificate is not trusted",
    action:
      "Ask whoever runs the storage for a proper certificate, or the operator to add its authority in ACCESSION_SOURCE_CA_FILE.",
  },
  tls_expired: {
    fault: "source",
    title: "The endpoint’s certificate has expired",
    action: "Ask whoever runs the storage to renew it.",
  },
  tls_wrong_host: {
    fault: "submitter",
    title: "The endpoint’s certificate is for another name",
    action: "Use the name that the certificate names.",
  },
  tls_not_spoken: {
    fault: "submitter",
    title: "The endpoint does not speak TLS on this port",
    action: "If it is a plain HTTP server, write http:// before the name.",
  },
  tls_expected: {
    fault: "submitter",
    title: "The endpoint wants TLS on this port",
    action: "Write https:// before the name.",
  },
  not_s3: {
    fault: "submitter",
    title: "What answers at the endpoint is no S3 server",
    action: "Use the storage’s S3 endpoint, not its web console.",
  },
  redirected: {
    fault: "submitter",
    title: "The server sends callers elsewhere",
    action: "Use the endpoint of the bucket’s region; Accession never follows redirects.",
  },
  wrong_region: {
    fault: "submitter",
    title: "The bucket lies in another region",
    action: "Use the region that the server names, or leave the region empty.",
  },
  clock_skewed: {
    fault: "operator",
    title: "The clocks of the service and the storage differ too much",
    action: "The operator can set the service’s clock right; otherwise it is the storage’s.",
  },
  access_key_unknown: {
    fault: "submitter",
    title: "The server does not know this access key",
    action: "Copy the access key again; it may have been revoked.",
  },
  secret_key_wrong: {
    fault: "submitter",
    title: "The secret key does not fit the access key",
    action: "Copy the secret key again.",
  },
  credentials_expired: {
    fault: "submitter",
    title: "The credentials have expired or were suspended",
    action: "Send new credentials.",
  },
  anonymous_denied: {
    fault: "submitter",
    title: "The bucket is not open to everyone",
    action: "Send an access key and a secret key.",
  },
  bucket_missing: {
    fault: "submitter",
    title: "The bucket does not exist on this server",
    action: "Check the bucket’s name and the endpoint.",
  },
  list_denied: {
    fault: "submitter",
    title: "These credentials may not list the bucket",
    action: "Give them s3:ListBucket on the bucket; the policy in the report can be pasted.",
  },
  read_denied: {
    fault: "submitter",
    title: "These credentials may not read the bucket’s objects",
    action: "Give them s3:GetObject on the bucket’s objects; the policy in the report can be pasted.",
  },
  slow_down: {
    fault: "source",
    title: "The server asks to slow down",
    action: "Try again in a moment; what is accepted is tried again by itself.",
    retryable: true,
  },
  source_error: {
    fault: "source",
    title: "The server reports a fault of its own",
    action:
      "Try again in a moment; what is accepted is tried again by itself. Ask whoever runs the storage if it lasts.",
    retryable: true,
  },
  source_refused: {
    fault: "source",
    title: "The server refuses the request",
    action: "Ask whoever runs the storage what the named error means.",
  },
  credentials_rejected: {
    fault: "submitter",
    title: "The server does not accept the credentials any more",
    action: "Send new credentials; what is stored stays stored.",
  },
  source_unreachable: {
    fault: "source",
    title: "The source cannot be reached",
    action:
      "Try again in a moment; what is accepted is tried again by itself. Ask whoever runs the storage if it lasts.",
    retryable: true,
  },
  source_changed: {
    fault: "submitter",
    title: "The bucket is no longer where it was submitted from",
    action:
      "Restore the bucket at its endpoint; the submission then continues automatically. If the bucket has moved, cancel and submit it from its new place.",
  },
  source_blocked: {
    fault: "operator",
    title: "This service itself cannot reach the source",
    action:
      "The operator must correct the service’s clock, network or ACCESSION_ALLOW_NETWORKS; the submission then continues automatically.",
  },
  listing_invalid: {
    fault: "source",
    title: "The server’s listing is contradictory or incomplete",
    action: "Ask whoever runs the storage; the detail says what is wrong with the listing.",
  },
  key_too_long: {
    fault: "submitter",
    title: "A key in the bucket is longer than S3 allows",
    action: "Rename the object that is named, or select the objects by a prefix that this key does not begin with.",
  },
  listing_loop: {
    fault: "source",
    title: "The server’s listing never ends",
    action: "Ask whoever runs the storage; its continuation tokens repeat.",
  },
} as const satisfies Record<string, Entry>;
