/** The least rights that taking in this bucket needs, as a policy in AWS's language that Ceph and MinIO read too. */
export function leastPolicy(bucket: string, prefix: string | undefined): object {
  const condition = prefix === undefined ? {} : { Condition: { StringLike: { "s3:prefix": [`${prefix}*`] } } };
  return {
    Version: "2012-10-17",
    Statement: [
      { Effect: "Allow", Action: ["s3:ListBucket"], Resource: [`arn:aws:s3:::${bucket}`], ...condition },
      { Effect: "Allow", Action: ["s3:GetObject"], Resource: [`arn:aws:s3:::${bucket}/${prefix ?? ""}*`] },
    ],
  };
}
