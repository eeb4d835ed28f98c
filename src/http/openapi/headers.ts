import { Type } from "typebox";
import { DATASET, SUBMISSION } from "./examples.ts";
import type { Header } from "./response-documentation.ts";

/** Response headers of the OpenAPI document. */

export const location: Header = {
  description: "Path of the created resource.",
  schema: Type.String(),
  example: `/submission/${SUBMISSION}`,
};

export const idempotentReplayed: Header = {
  description: "`true` if an earlier, identical request created the submission. Otherwise absent.",
  schema: Type.String(),
  example: "true",
};

export const page: Header = {
  title: "Page",
  description: "Path of the web page.",
  schema: Type.String(),
  example: `/app/datasets/${DATASET}`,
};

export const nextPage: Header = {
  title: "NextPage",
  description: 'Link to the next page, with `rel="next"` (RFC 8288). Absent on the last page.',
  schema: Type.String(),
  example: '</submission?limit=50&cursor=MjAyNi0xMS0wMVQwODozMDowMC4wMDBa>; rel="next"',
};

export const links: Header = {
  title: "Links",
  description:
    "Typed links (RFC 8288). For a dataset: the FAIR Signposting relations. For a file or an export: the dataset that it belongs to.",
  schema: Type.String(),
  example: `<https://archive.example.org/dataset/${DATASET}>; rel="collection"; type="text/html"`,
};

export const acceptRanges: Header = {
  description: "`bytes` for a file, `none` for a ZIP archive.",
  schema: Type.String(),
  example: "bytes",
};

/** Of the metadata of a dataset. */
export const metadataTag: Header = {
  title: "MetadataTag",
  description: "Identifier of the state of the metadata, for `If-Match`.",
  schema: Type.String(),
  example: '"1.1"',
};

/** Of the publication of a version. */
export const publicationTag: Header = {
  title: "PublicationTag",
  description: "Identifier of the state of the publication and the metadata, for `If-Match`.",
  schema: Type.String(),
  example: '"p1.2.1"',
};

/** Of a collection. */
export const collectionTag: Header = {
  title: "CollectionTag",
  description: "Identifier of the state of the collection itself, for `If-Match`.",
  schema: Type.String(),
  example: '"c1"',
};

/** Of a list that browsers get as a page. */
export const pageTag: Header = {
  title: "PageTag",
  description: "Identifier of the page, for `If-None-Match`. Absent from JSON.",
  schema: Type.String(),
  example: 'W/"T40Yw0mXc1dXwFq2k8v1Zg"',
};

/** Headers of file downloads (RFC 9110, section 14; RFC 9530). */
export const ofFiles: Record<string, Header> = {
  ETag: { description: "Identifier of the content.", schema: Type.String(), example: '"T40Yw0mXc1dXwFq2k8v1Zg"' },
  "Repr-Digest": {
    description: "SHA-512 of the whole file (RFC 9530). Absent for ZIP archives.",
    schema: Type.String(),
    example: `sha-512=:${"Tw8P".repeat(21)}TQ==:`,
  },
  "Accept-Ranges": acceptRanges,
};

export const contentRange: Header = {
  description: "Range of the bytes in the body, and the size of the file. With status 416, the size alone.",
  schema: Type.String(),
  example: "bytes 0-1023/85146",
};

export const contentDisposition: Header = {
  description: "Suggested file name (RFC 6266).",
  schema: Type.String(),
  example: `attachment; filename="receipt-${SUBMISSION}.jws"`,
};

export const retryAfter: Header = {
  description: "Seconds to wait before the next request.",
  schema: Type.Integer({ minimum: 0 }),
  example: 12,
};

/** Headers of every response. */
export const ofEveryAnswer: Record<string, Header> = {
  "X-Request-Id": {
    description: "Id of the request, as in the log of the service.",
    schema: Type.String(),
    example: "0f9e3c0e-6a0b-4f0a-9d35-6a6f6a1f2b11",
  },
  "RateLimit-Limit": {
    description: "Number of requests of this kind that are allowed per minute.",
    schema: Type.Integer(),
    example: 600,
  },
  "RateLimit-Remaining": { description: "Number of requests that are left.", schema: Type.Integer(), example: 0 },
  "RateLimit-Reset": { description: "Seconds until the limit is fully restored.", schema: Type.Integer(), example: 12 },
};

export const wwwAuthenticate: Header = {
  description: "Required authentication (RFC 6750, section 3).",
  schema: Type.String(),
  example: 'Bearer realm="accession"',
};

export const uploadOffset: Header = {
  description: "Bytes of the file that have arrived.",
  schema: Type.Integer(),
  example: 1_048_576,
};

export const uploadLength: Header = {
  description: "Size of the whole file, in bytes.",
  schema: Type.Integer(),
  example: 5_242_880,
};
