import { FIRST_PROBE_MS, type StepEntry } from "./entry.ts";
import { roles } from "./roles.ts";

/**
 * Problems with the data source. In a step each makes the submission wait or fail, under the code of the party that can
 * resolve it: `credentials_rejected` if the submitter can send other keys, `source_changed` if the bucket is no longer what it
 * was at the check, `source_unreachable` if the storage provider must act, and `source_blocked` if the network, clock or
 * settings of the service are the cause. If the owner of the storage account must act, the submission waits under the code itself.
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
    title: "The storage server refuses connections",
    action:
      "Check the server name and the port. If they are correct, ask the storage provider whether the server is running.",
    inStep: { waitAs: "source_unreachable" },
    retryable: true,
  },
  connection_timeout: {
    fault: "source",
    title: "The storage server does not answer",
    action: "Check the server name and the port. A firewall may block the connection: ask the operator.",
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
    title: "There is no network route to the storage server",
    action: "Check the endpoint. If it is correct, the operator must check the network of the service.",
    inStep: { waitAs: "source_blocked" },
    retryable: true,
  },
  tls_untrusted: {
    fault: "source",
    title: "The certificate of the storage server is not trusted",
    action:
      "Ask the storage provider for a certificate from a trusted authority, or ask the operator to add the authority to ACCESSION_SOURCE_CA_FILE.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_expired: {
    fault: "source",
    title: "The certificate of the storage server has expired",
    action: "Ask the storage provider to renew the certificate.",
    inStep: { waitAs: "source_unreachable" },
  },
  // The next four are the submitter's errors at the check. A step runs after a check that passed, so there the endpoint
  // itself has changed, for instance to a maintenance page, and the storage provider must act.
  tls_wrong_host: {
    fault: "submitter",
    title: "The certificate of the storage server is for a different name",
    action: "Use a server name that the certificate lists. If you do not know it, ask the storage provider.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_not_spoken: {
    fault: "submitter",
    title: "The storage server does not use TLS (https) on this port",
    action: "If the server uses plain HTTP, enter the endpoint with http:// at the beginning.",
    inStep: { waitAs: "source_unreachable" },
  },
  tls_expected: {
    fault: "submitter",
    title: "The storage server requires TLS (https) on this port",
    action: "Enter the endpoint with https:// at the beginning.",
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
    action:
      "Use the endpoint of the bucket’s region, which the storage provider documents. For security, Accession does not follow redirects.",
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
  account_suspended: {
    fault: "submitter",
    title: "The account of the bucket is suspended or has a problem",
    action:
      "Ask the owner of the account at the storage provider, for example about unpaid bills. Accepted submissions continue automatically when the account works again.",
    inStep: { waitAs: "account_suspended" },
    waiting: { days: 30, probeInMs: FIRST_PROBE_MS },
  },
  usage_limit_reached: {
    fault: "submitter",
    title: "The account of the bucket has reached a limit for downloads or requests",
    action:
      "The owner of the account can raise the limit at the storage provider, or wait until the provider resets it. Accepted submissions continue automatically.",
    inStep: { waitAs: "usage_limit_reached" },
    waiting: { days: 30, probeInMs: FIRST_PROBE_MS },
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
  requester_pays_required: {
    fault: "submitter",
    title: "The requester must pay for this bucket",
    action:
      "Send the credentials again with “requesterPays” (“I pay for reading the bucket”, --requester-pays). The storage provider then charges the account of the access key.",
    inStep: { waitAs: "credentials_rejected" },
  },
  list_denied: {
    fault: "submitter",
    title: "These credentials do not permit listing the bucket",
    action:
      "Ask the administrator of the bucket to add the permission s3:ListBucket. The check shows a policy to copy. If requesters pay for the bucket, set “requesterPays”.",
    inStep: { waitAs: "credentials_rejected" },
  },
  read_denied: {
    fault: "submitter",
    title: "These credentials do not permit reading the objects in the bucket",
    action: "Ask the administrator of the bucket to add the permission s3:GetObject. The check shows a policy to copy.",
    inStep: { waitAs: "credentials_rejected" },
  },
  key_denied: {
    fault: "submitter",
    title: "These credentials do not permit the use of the KMS key with which the objects are encrypted",
    action:
      "Ask the administrator of the KMS key to add the permission kms:Decrypt, and to check that the key is enabled. The check shows a policy to copy.",
    inStep: { waitAs: "credentials_rejected" },
  },
  ...roles,
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
    action: "Send this message to the storage provider, and ask what the error means.",
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
      "The bucket or its server was deleted, renamed or moved. If it becomes available again, the submission resumes automatically. Otherwise cancel it and submit the bucket from its new location.",
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
    action: "Copy this message and send it to the storage provider.",
    inStep: "fail",
  },
  key_too_long: {
    fault: "submitter",
    title: "The key of an object is longer than S3 allows",
    action:
      "The message names the object. Copy it to a shorter key and delete the original, or use a prefix that excludes it.",
    inStep: "fail",
  },
  listing_loop: {
    fault: "source",
    title: "The server’s listing never ends",
    action: "Copy this message and send it to the storage provider. The continuation tokens of the listing repeat.",
    inStep: "fail",
  },
} as const satisfies Record<string, StepEntry>;
