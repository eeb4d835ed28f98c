import type { SourceAccess } from "../../domain/source-access/access.ts";
import { isHostLabel } from "../../domain/source-access/bucket-name.ts";
import { isAmazonHost } from "../../domain/source-access/endpoint.ts";

/** How a bucket is named in a URL: in the path, or as the first label of the host. */
export type Addressing = "path" | "virtual";

/**
 * Default addressing: virtual host for Amazon's endpoints, because new buckets there do not support paths, except for
 * bucket names with dots, which would not match the certificate. All other servers support paths.
 */
export function addressingOf({ endpoint, bucket, pathStyle }: SourceAccess): Addressing {
  const isVirtual = isAmazonHost(new URL(endpoint).hostname) && isHostLabel(bucket) && !bucket.includes(".");
  return (pathStyle ?? !isVirtual) ? "path" : "virtual";
}

/** Whether the bucket can be addressed in the host name of the endpoint. */
export function canBeVirtual({ hostname, pathname }: URL, bucket: string): boolean {
  const isName = !/^[\d.]+$|^\[/.test(hostname) && hostname.includes(".");
  return isName && pathname === "/" && isHostLabel(bucket);
}

/** The region that the host name of an endpoint of Amazon contains. */
export function regionOfHost(hostname: string): string | undefined {
  return /^s3[.-](?:dualstack\.)?([a-z]{2}-[a-z0-9-]+-\d)\.amazonaws\.com(?:\.cn)?$/.exec(hostname)?.[1];
}
