import type { Code } from "../../../domain/problems.ts";

/**
 * Error codes of S3 servers: Amazon S3, Ceph, MinIO, and the documented codes of Google Cloud Storage, Alibaba OSS, Tencent COS and
 * Huawei OBS. AccessDenied is not among them, because it has several causes.
 */
const CODES: Record<string, Code> = {
  InvalidAccessKeyId: "access_key_unknown",
  NoSuchAccessKey: "access_key_unknown",
  SignatureDoesNotMatch: "secret_key_wrong",
  RequestTimeTooSkewed: "clock_skewed",
  RequestExpired: "clock_skewed",
  ExpiredToken: "credentials_expired",
  TokenRefreshRequired: "credentials_expired",
  InvalidToken: "credentials_expired",
  InvalidTokenId: "credentials_expired",
  InvalidSecurityToken: "credentials_expired",
  SecurityTokenExpired: "credentials_expired",
  AccessKeyIdAndSecurityTokenNotMatch: "credentials_expired",
  UserSuspended: "credentials_expired",
  AccountProblem: "account_suspended",
  AllAccessDisabled: "account_suspended",
  NotSignedUp: "account_suspended",
  AccountDisabled: "account_suspended",
  AccountSuspended: "account_suspended",
  UserProjectAccountProblem: "account_suspended",
  AbnormalBucketOwnerStatus: "account_suspended",
  BucketDisable: "account_suspended",
  UserDisable: "account_suspended",
  InDebt: "account_suspended",
  InDebtOverdue: "account_suspended",
  InArrearOrInsufficientBalance: "account_suspended",
  DeregisterUserId: "account_suspended",
  download_cap_exceeded: "usage_limit_reached",
  transaction_cap_exceeded: "usage_limit_reached",
  DownloadQuotaExceeded: "usage_limit_reached",
  BandwidthQuotaExceeded: "usage_limit_reached",
  NoSuchBucket: "bucket_missing",
  InvalidBucketName: "bucket_missing",
  NoSuchKey: "object_gone",
  NoSuchVersion: "object_gone",
  PreconditionFailed: "object_changed",
  InvalidObjectState: "object_archived",
  ResourceIsEncryptedWithCustomerEncryptionKey: "object_encrypted",
  AuthorizationHeaderMalformed: "wrong_region",
  IllegalLocationConstraintException: "wrong_region",
  PermanentRedirect: "wrong_region",
  TemporaryRedirect: "redirected",
  Redirect: "redirected",
  SecondLevelDomainForbidden: "redirected",
  SlowDown: "slow_down",
  SlowDownRead: "slow_down",
  ServiceUnavailable: "slow_down",
  RequestLimitExceeded: "slow_down",
  TooManyRequests: "slow_down",
  Throttling: "slow_down",
  ThrottlingException: "slow_down",
  QpsLimitExceeded: "slow_down",
  DownloadTrafficRateLimitExceeded: "slow_down",
  InternalError: "source_error",
  RequestTimeout: "source_error",
  OperationAborted: "source_error",
};

/** Codes about the key with which the service of the storage encrypts (Amazon, Google, Alibaba, MinIO). */
const ABOUT_KEY = /^(?:KMS\.|CloudKms|Kms|XMinioKMS|UbsmsInvalidBid$)/;
/** Explanations of AccessDenied that name such a key (Amazon, Alibaba). */
const KEY_IN_MESSAGE = /\bkms:\w|\bby kms\b|customer master key/i;
/**
 * Explanations of a refusal by a bucket for which the requester pays, and Google's code for it. Amazon S3 does not explain its
 * AccessDenied.
 */
const PAYER_IN_MESSAGE = /\brequester[ -]?pays?\b|\brequest-payer\b/i;
const PAYER_CODE = "UserProjectMissing";
/** Explanations of AccessDenied by a limit on usage (Backblaze B2). */
const LIMIT_IN_MESSAGE = /\bcaps? (?:was |has been |is )?(?:exceeded|reached)\b/i;

/** The facts that an error response states. */
export interface Named {
  status: number;
  s3Code: string | undefined;
  /** The server's text. It only decides, and is not shown. */
  message: string | undefined;
  /** Whether the request was for an object. */
  isObject: boolean;
  /** Whether the request stated that the requester pays. */
  pays: boolean;
}

/** The problem that an error response names; undefined if only its status says something. */
export function namedProblem({ status, s3Code = "", message = "", isObject, pays }: Named): Code | undefined {
  const code = Object.hasOwn(CODES, s3Code) ? CODES[s3Code] : undefined;
  if (code === "object_gone" && !isObject) return "bucket_missing";
  if (code !== undefined) return code;
  // A single object can be blocked for legal reasons, too (RFC 7725).
  if (status === 402 || (status === 451 && !isObject)) return "account_suspended";
  if (status !== 400 && status !== 403) return undefined;
  if (!pays && (s3Code === PAYER_CODE || PAYER_IN_MESSAGE.test(message))) return "requester_pays_required";
  if (isObject && (ABOUT_KEY.test(s3Code) || (status === 403 && KEY_IN_MESSAGE.test(message))))
    return "object_key_denied";
  return status === 403 && LIMIT_IN_MESSAGE.test(message) ? "usage_limit_reached" : undefined;
}
