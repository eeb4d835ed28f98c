import { Type } from "typebox";
import type { Header } from "./answer.ts";
import { SUBMISSION } from "./examples.ts";

/** Headers of answers that say more than their body. */

export const location: Header = {
  description: "Path of what was created.",
  schema: Type.String(),
  example: `/submission/${SUBMISSION}`,
};

export const link: Header = {
  description: 'The next page, as `rel="next"` (RFC 8288); absent on the last one.',
  schema: Type.String(),
  example: '</submission?limit=50&cursor=MjAyNi0xMS0wMVQwODozMDowMC4wMDBa>; rel="next"',
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

export const rateLimits: Record<string, Header> = {
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
