/** Maximum length in bytes of UTF-8: that of the oldest buckets of Amazon S3, and about that of containers of Swift. */
const LONGEST_BYTES = 255;

/**
 * The first rule that a bucket name breaks, without quoting the name; undefined if there is none. A server may have buckets whose
 * names Amazon would not accept today: with underscores, capital letters or spaces, and those of another tenant (`tenant:bucket` of
 * Ceph). What looks like an address or a path is refused, because it is a mistake.
 *
 * @param isAmazon whether the bucket is at Amazon S3 (User Guide, “Bucket naming rules”, with those before 2018)
 */
export function bucketNameFault(name: string, isAmazon: boolean): string | undefined {
  if (/[/\\?#%]|^(?:arn|s3):/.test(name)) return "Enter only the name of the bucket, without an address or a path.";
  // In the policy that the check prints, `*` and `${…}` would mean other buckets.
  if (/[\p{Cc}\p{Zl}\p{Zp}*{}]/u.test(name) || !name.isWellFormed()) {
    return "The bucket name contains a character that is not allowed.";
  }
  if (/^\s|\s$/.test(name)) return "The bucket name must not begin or end with a space.";
  if (Buffer.byteLength(name) > LONGEST_BYTES) return "The bucket name must have at most 255 characters.";
  if (/^\.{1,2}$/.test(name)) return "The bucket name must contain a letter or a digit.";
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return "The bucket name must not look like an IP address.";
  if (!isAmazon) return undefined;
  if (/[^A-Za-z0-9._-]/.test(name)) {
    return "The bucket name contains a character that is not allowed. Use only letters (a to z), digits, dots, hyphens and underscores.";
  }
  return name.length < 3 ? "The bucket name must have at least 3 characters." : undefined;
}

/**
 * Whether a bucket can be the first label of a host name (Amazon S3 User Guide, “Bucket naming rules”). All others are addressed in
 * the path.
 */
export function isHostLabel(name: string): boolean {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name) && !name.includes("..");
}
