import type { Header } from "./response-documentation.ts";

/** The parts of an OpenAPI 3.1 document that this folder reads and changes. */
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  /** Requests that the service sends, by name, in the form of paths. */
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas?: object; responses?: Record<string, Response>; headers?: object };
}

export interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: { schema: unknown; [member: string]: unknown }[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Response>;
  [extension: `x-${string}`]: unknown;
}

export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, Header | { $ref: string }>;
  content?: Record<string, Media>;
  [extension: `x-${string}`]: unknown;
}

export interface Media {
  schema?: unknown;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
  encoding?: object;
}
