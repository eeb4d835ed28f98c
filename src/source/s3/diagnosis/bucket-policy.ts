/**
 * The least-privilege policy for ingesting a bucket, in the policy language of AWS, which Ceph and MinIO support too.
 * @param kmsKey the ARN of a key with which objects are encrypted; empty if it is not known
 */
export function minimalBucketPolicy(bucket: string, prefix: string | undefined, kmsKey: string | undefined): object {
  const condition = prefix === undefined ? {} : { Condition: { StringLike: { "s3:prefix": [`${prefix}*`] } } };
  const key = {
    Effect: "Allow",
    Action: ["kms:Decrypt"],
    Resource: [kmsKey === "" ? "arn:aws:kms:*:*:key/*" : kmsKey],
  };
  return {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: ["s3:ListBucket"], Resource: [`arn:aws:s3:::${bucket}`], ...condition },
      { Effect: "Allow", Action: ["s3:GetObject"], Resource: [`arn:aws:s3:::${bucket}/${prefix ?? ""}*`] },
      ...(kmsKey === undefined ? [] : [key]),
    ],
  };
}

/** The form of a key's ARN. Other texts of a server are not passed on. */
const KEY_ARN = /^arn:aws[a-z-]*:kms:[\w-]*:\d*:(?:key|alias)\/[\w/-]{1,256}$/;

/**
 * The key with which an object is encrypted in the storage, from the headers of a response: its ARN, or empty if it is not named.
 * Undefined if the object is not encrypted with a key of a key management service.
 */
export function kmsKeyIn(headers: Readonly<Record<string, string>>): string | undefined {
  if (headers["x-amz-server-side-encryption"]?.startsWith("aws:kms") !== true) return undefined;
  const key = headers["x-amz-server-side-encryption-aws-kms-key-id"] ?? "";
  return KEY_ARN.test(key) ? key : "";
}
