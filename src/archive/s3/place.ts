/** Where an archive lies in an object store, and with what it is reached. Plain data, so that it can go to a thread. */
export interface S3Place {
  bucket: string;
  /** Empty, or without a slash at either end. */
  prefix: string;
  /** Undefined: Amazon's of the region. */
  endpoint: string | undefined;
  region: string;
  accessKey: string;
  secretKey: string;
  /** All certificate authorities that are trusted, as PEM; undefined for the usual ones. */
  ca?: string[];
}

/** As settings and people write it. */
export function urlOf({ bucket, prefix }: Pick<S3Place, "bucket" | "prefix">): string {
  return prefix === "" ? `s3://${bucket}` : `s3://${bucket}/${prefix}`;
}
