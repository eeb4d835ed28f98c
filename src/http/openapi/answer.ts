import type { Static, TSchema } from "typebox";

/** A header as the API's description names it. */
export interface Header {
  /** What it is called among the components, where one name means several things. */
  title?: string;
  description: string;
  schema: TSchema;
  example: string | number;
}

/** What the API's description says of an answer besides the schema of its body. */
export interface About {
  description: string;
  /** A body, where it can be JSON. */
  example?: unknown;
  /** Other media types that the body can have, each with an example. */
  media?: Record<string, string>;
  /** Other media types that are JSON, each with the schema of the body and an example. */
  json?: Record<string, { schema: TSchema; example: unknown }>;
  /** Media types of bodies that are bytes, of which there is no example. */
  bytes?: readonly string[];
  headers?: Record<string, Header>;
}

/** Where {@link About} stands in a response schema until the document is finished. */
export const ABOUT = "x-about";

/** The schema of an answer, for a route's `response`, with what is to be said of it. Nothing of this changes what is sent. */
export function answer<Schema extends TSchema>(schema: Schema, about: About): Schema {
  return { ...schema, [ABOUT]: about };
}

/** The schema of a request's body, with an example. Tests send it to a running service. */
export function withExample<Schema extends TSchema>(schema: Schema, example: Static<Schema>): Schema {
  return { ...schema, examples: [example] };
}
