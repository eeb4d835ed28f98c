/** An ETag without quotes and without the mark of a weak one. */
export function bareEtag(etag: string): string {
  return etag.replace(/^W\//, "").replace(/^"|"$/g, "");
}

/**
 * Whether two ETags name the same content. Servers and proxies between them write one ETag in several forms: without quotes,
 * weak, in capital hexadecimal digits, or with the suffix of a content coding.
 */
export function sameEtag(one: string, other: string): boolean {
  return one === other || normalised(one) === normalised(other);
}

function normalised(etag: string): string {
  const bare = bareEtag(etag).replace(/(?:--?|;)(?:gzip|br|deflate|zstd)$/, "");
  return /^[0-9a-f]{32}(?:-\d+)?$/i.test(bare) ? bare.toLowerCase() : bare;
}
