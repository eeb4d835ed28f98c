import { expect, test } from "vitest";
import type { Code } from "../../../domain/problems.ts";
import { namedProblem } from "./s3-codes.ts";

const CAP =
  "Cannot download file, download bandwidth or transaction (Class B) cap exceeded. See the Caps & Alerts page";
const KMS = "User: arn:aws:iam::1:user/a is not authorized to perform: kms:Decrypt on the resource";

test.each<[Code | undefined, number, string | undefined, string]>([
  ["account_suspended", 403, "AccountProblem", ""],
  ["account_suspended", 403, "AllAccessDisabled", ""],
  ["account_suspended", 403, "InArrearOrInsufficientBalance", ""],
  [undefined, 451, "UnavailableForLegalReasons", ""],
  ["account_suspended", 402, undefined, ""],
  ["usage_limit_reached", 403, "AccessDenied", CAP],
  ["usage_limit_reached", 403, "download_cap_exceeded", ""],
  ["usage_limit_reached", 403, "AccessDenied", "Transaction cap exceeded, see the Caps & Alerts page"],
  ["object_key_denied", 403, "AccessDenied", KMS],
  ["object_key_denied", 403, "AccessDenied", "The ciphertext refers to a customer master key that does not exist"],
  ["object_key_denied", 403, "AccessDenied", "This request is forbidden by kms"],
  ["object_key_denied", 400, "KMS.DisabledException", ""],
  ["object_key_denied", 400, "CloudKmsDisabledKey", ""],
  ["object_encrypted", 400, "ResourceIsEncryptedWithCustomerEncryptionKey", ""],
  ["requester_pays_required", 403, "AccessDenied", "Access Denied. The bucket is Requester Pays"],
  ["requester_pays_required", 400, "UserProjectMissing", ""],
  ["requester_pays_required", 400, "InvalidRequest", "Missing header x-amz-request-payer"],
  [undefined, 403, "AccessDenied", "The requester is unknown"],
  ["credentials_expired", 403, "InvalidSecurityToken", ""],
  ["slow_down", 503, "QpsLimitExceeded", ""],
  ["object_gone", 404, "NoSuchKey", ""],
  [undefined, 403, "AccessDenied", "Access Denied"],
  [undefined, 403, "AccessDenied", 'not authorized to perform: s3:GetObject on resource: "arn:aws:s3:::b/kms/a.csv"'],
  [undefined, 403, "AccessDenied", "The capital of a recap has exceeded"],
  [undefined, 400, "InvalidArgument", KMS],
  [undefined, 403, "constructor", ""],
])("%s: an object is refused with %d %s %s", (code, status, s3Code, message) => {
  expect(namedProblem({ status, s3Code, message, isObject: true, pays: false })).toBe(code);
});

test("a listing is never refused because of an object", () => {
  const asked = { isObject: false, message: KMS, pays: false };
  expect(namedProblem({ ...asked, status: 404, s3Code: "NoSuchKey" })).toBe("bucket_missing");
  expect(namedProblem({ ...asked, status: 403, s3Code: "AccessDenied" })).toBeUndefined();
  expect(namedProblem({ ...asked, status: 451, s3Code: undefined })).toBe("account_suspended");
});

test("a server that still asks for a payer, although the request has named one, is explained by its status", () => {
  const asked = { status: 400, s3Code: "UserProjectMissing", message: "requester pays", isObject: false };
  expect(namedProblem({ ...asked, pays: false })).toBe("requester_pays_required");
  expect(namedProblem({ ...asked, pays: true })).toBeUndefined();
});
