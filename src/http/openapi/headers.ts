import { Type } from "typebox";
import type { Header } from "./answer.ts";
import { DATASET, SUBMISSION } from "./examples.ts";

/** Headers of answers that say more than their body. */

export const location: Header = {
  description: "Path of what was created.",
  schema: Type.String(),
  example: `/submission/${SUBMISSION}`,
};

export const page: Header = {
  title: "Page",
  description: "Path of the page for people.",
  schema: Type.String(),
  example: `/app/datasets/${DATASET}`,
};

export const nextPage: Header = {
  title: "NextPage",
  description: 'The next page, as `rel="next"` (RFC 8288); absent on the last one.',
  schema: Type.String(),
  example: '</submission?limit=50&cursor=MjAyNi0xMS0wMVQwODozMDowMC4wMDBa>; rel="next"',
};

export const links: Header = {
  title: "Links",
  description: "Typed links (RFC 8288): what it belongs to or, of a dataset, the relations of FAIR Signposting.",
  schema: Type.String(),
  example: `<https://archive.example.org/dataset/${DATASET}>; rel="collection"`,
};

export const acceptRanges: Header = {
  description: "`bytes`, or `none` of ZIPs.",
  schema: Type.String(),
  example: "bytes",
};

/** Of a file's bytes (RFC 9110, section 14; RFC 9530). */
export const ofFiles: Record<string, Header> = {
  ETag: { description: "Names the bytes.", schema: Type.String(), example: '"T40Yw0mXc1dXwFq2k8v1Zg"' },
  "Repr-Digest": {
    description: "SHA-512 of the whole file (RFC 9530); absent of ZIPs.",
    schema: Type.String(),
    example: `sha-512=:${"Tw8P".repeat(21)}TQ==:`,
  },
  "Accept-Ranges": acceptRanges,
};

export const contentRange: Header = {
  description: "Which bytes these are, and of how many; of an answer 416 how many there are.",
  schema: Type.String(),
  example: "bytes 0-1023/85146",
};

export const contentDisposition: Header = {
  description: "A name to save it under (RFC 6266).",
  schema: Type.String(),
  example: `attachment; filename="receipt-${SUBMISSION}.jws"`,
};

export const retryAfter: Header = {
  description: "Seconds to wait before the next try.",
  schema: Type.Integer({ minimum: 0 }),
  example: 12,
};

/** What answers tell whatever was asked for. */
export const ofEveryAnswer: Record<string, Header> = {
  "X-Request-Id": {
    description: "Names the request, as in the log.",
    schema: Type.String(),
    example: "0f9e3c0e-6a0b-4f0a-9d35-6a6f6a1f2b11",
  },
  "RateLimit-Limit": {
    description: "How many such requests a minute are answered.",
    schema: Type.Integer(),
    example: 600,
  },
  "RateLimit-Remaining": { description: "How many are left.", schema: Type.Integer(), example: 0 },
  "RateLimit-Reset": { description: "Seconds until all are there again.", schema: Type.Integer(), example: 12 },
};

export const wwwAuthenticate: Header = {
  description: "What is asked for (RFC 6750, section 3).",
  schema: Type.String(),
  example: 'Bearer realm="accession"',
};
