/** Differences between other S3 servers and Amazon's. May be changed while a server runs. */
export interface Quirks {
  /** Supports only ListObjects v1 and treats `list-type=2` as an unknown parameter. */
  listV1Only?: boolean;
  /** Never sends NextMarker, not even with a delimiter. */
  withoutNextMarker?: boolean;
  /** Does not encode keys in listings, and does not state an encoding. */
  ignoresEncodingType?: boolean;
  /** Encodes keys in listings, but omits the element `EncodingType`. */
  omitsEncodingType?: boolean;
  /** Writes the element `EncodingType` like this, for example `Encoding-Type` (Tencent COS). */
  encodingTypeElement?: string;
  /** Sends the element `EncodingType`, but does not encode keys. */
  statesEncodingOnly?: boolean;
  /** States `LastModified` in listings in another form than ISO 8601 in UTC. */
  timeForm?: "epoch" | "http" | "offset" | "zero";
  /** Encodes keys in listings like `encodeURI`: a space as `%20`, and `+` not at all. */
  plusUnencoded?: boolean;
  /** Refuses requests that have one of these headers or query parameters, with `refusedStatus`, default 501. */
  refusedParts?: readonly string[];
  refusedStatus?: number;
  /** With `refusedParts`: the code of the error; default NotImplemented. */
  refusedCode?: string;
  /** Answers 412 to every request with If-Match. */
  ifMatchNeverMatches?: boolean;
  /** Responses to reads have no ETag. */
  omitsEtags?: boolean;
  /** Answers HEAD of an object with this status. */
  headStatus?: number;
  /** Sends user metadata as encoded words of RFC 2047 (Amazon S3) or in Latin-1, instead of UTF-8. */
  metadataEncoding?: "rfc2047" | "latin1";
  /** Unpacks objects with `Content-Encoding: gzip` unless the request accepts gzip (Cloudflare R2, caches). */
  unpacksGzip?: boolean;
  /** Encodes a space as `%20` in listings (Ceph) instead of `+` (Amazon). */
  spaceAsPercent20?: boolean;
  /** Writes characters outside ASCII as numeric references in listings that are not URL-encoded. */
  numericReferences?: boolean;
  /** Names a next page also after the last object, although the listing is not truncated. */
  namesPageAfterEnd?: boolean;
  /** States this bucket in listings. */
  statedName?: string;
  /** Listings repeat their first page endlessly. */
  repeatsFirstPage?: boolean;
  /** Every page except the first is in reverse order. */
  backwards?: boolean;
  /** Every page except the first begins with this number of objects of the previous page. */
  repeatedRows?: number;
  /** Maximum number of keys on a page, for any request; default 1,000. */
  pageLimit?: number;
}
