import type { TSchema } from "typebox";

/** A response header in the OpenAPI document. */
export interface Header {
  /** Name among the components; needed where headers of the same name have different meanings. */
  title?: string;
  description: string;
  schema: TSchema;
  example: string | number;
}

/** The documentation of a response, in addition to the schema of its body. */
export interface ResponseDocumentation {
  description: string;
  /** Example of the body, if the body can be JSON. */
  example?: unknown;
  /** Text media types of the body, each with an example. */
  media?: Record<string, string>;
  /** Further JSON media types, each with the schema of the body and an example. */
  json?: Record<string, { schema: TSchema; example: unknown }>;
  /** Binary media types. They have no example. */
  bytes?: readonly string[];
  headers?: Record<string, Header>;
}

/** Member of a response schema that holds {@link ResponseDocumentation} until the document is finished. */
export const DOCUMENTATION = "x-about";
