/** Differences between other S3 servers and Amazon's. May be changed while a server runs. */
export interface Quirks {
  /** Supports only ListObjects v1 and treats `list-type=2` as an unknown parameter. */
  listV1Only?: boolean;
  /** Never sends NextMarker, not even with a delimiter. */
  withoutNextMarker?: boolean;
  /** Does not encode keys in listings, and does not state an encoding. */
  ignoresEncodingType?: boolean;
  /** Encodes a space as `%20` in listings (Ceph) instead of `+` (Amazon). */
  spaceAsPercent20?: boolean;
  /** Writes characters outside ASCII as numeric references in listings that are not URL-encoded. */
  numericReferences?: boolean;
  /** Listings repeat their first page endlessly. */
  repeatsFirstPage?: boolean;
  /** Every page except the first is in reverse order. */
  backwards?: boolean;
  /** Every page except the first begins with this number of objects of the previous page. */
  repeatedRows?: number;
  /** Maximum number of keys on a page, for any request; default 1,000. */
  pageLimit?: number;
}
