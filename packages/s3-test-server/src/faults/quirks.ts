/** Ways in which S3 servers of this world differ from Amazon's. May be changed while a server runs. */
export interface Quirks {
  /** Knows only ListObjects v1 and takes `list-type=2` for an unknown parameter. */
  listV1Only?: boolean;
  /** Never sends NextMarker, not even with a delimiter. */
  withoutNextMarker?: boolean;
  /** Neither encodes keys in listings nor says so. */
  ignoresEncodingType?: boolean;
  /** Encodes a space as `%20` in listings (Ceph) and not as `+` (Amazon). */
  spaceAsPercent20?: boolean;
  /** Writes characters outside ASCII as numeric references in listings that are not URL-encoded. */
  numericReferences?: boolean;
  /** Listings repeat their first page for ever. */
  repeatsFirstPage?: boolean;
  /** Every page but the first is backwards. */
  backwards?: boolean;
  /** Every page but the first begins with this number of objects of the previous page. */
  repeatedRows?: number;
  /** At most so many keys a page, whatever the client asks for; default 1,000. */
  pageLimit?: number;
}
