import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

type Json = Record<string, unknown>;

export interface Media {
  schema: unknown;
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
  encoding?: object;
}

export interface Response {
  $ref?: string;
  description?: string;
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, Media>;
  "x-problem-codes"?: string[];
}

export interface Parameter {
  in: "path" | "query" | "header";
  name: string;
  description?: string;
  example?: unknown;
  schema: unknown;
}

export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  /** The roles that may call it; absent if no authentication is required. */
  "x-roles"?: string[];
  security?: Record<string, string[]>[];
}

interface Document {
  tags: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Json>; responses: Record<string, Response>; headers: Record<string, Json> };
}

/** The API description in the repository. `openapi.test.ts` checks that a service returns the same. */
const file = new URL("../../../clients/openapi.json", import.meta.url);
export const apiDescription = JSON.parse(readFileSync(file, "utf8")) as Document;

/** Headers that are part of the API: a response may contain them only if the description lists them. */
const API_HEADERS =
  /^(location|link|x-request-id|retry-after|ratelimit-.*|www-authenticate|content-disposition|repr-digest|etag|accept-ranges|content-range|last-modified|deprecation)$/;

const ajv = new Ajv2020({
  strict: false,
  formats: {
    uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
    "date-time": /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
    uri: URL.canParse,
  },
});
ajv.addSchema(closed({ $id: "api", components: apiDescription.components }) as Json);
const compiled = new Map<unknown, ValidateFunction>();

/** The paths of the description, those with fewer parameters first. */
const templates = Object.keys(apiDescription.paths)
  .sort((one, other) => one.split("{").length - other.split("{").length)
  .map((template) => ({ template, form: new RegExp(`^${formOf(template)}/?$`) }));

/** A `{path}` is the rest of the address; the other parameters end at a slash. */
function formOf(template: string): string {
  return template.replace("{path}", ".*").replaceAll(/\{[^}]+\}/g, "[^/]+");
}

/** A response to compare with the description. */
export interface ReceivedResponse {
  method: string;
  /** Without the base path. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

/** Paths of web pages, and of lists for machines that have their own standards. */
const NOT_DESCRIBED =
  /^\/(?:(?:docs|app)(?:\/.*)?|oai|sitemap\.xml|sitemap\/.*|robots\.txt|feed\.atom|favicon\.ico|opensearch\.xml|catalogue\.jsonld)?$/;

/**
 * Returns the differences between a response and the API description: a status, media type, header or code that is not
 * described, a body that does not match its schema, or a member that is not in the schema.
 */
export function responseDeviations(received: ReceivedResponse): string[] {
  const { method, path, status, headers, text } = received;
  if (method === "HEAD" || method === "OPTIONS" || NOT_DESCRIBED.test(path)) return [];
  const template = templates.find(({ form }) => form.test(path))?.template ?? "";
  const operation = apiDescription.paths[template]?.[method.toLowerCase()];
  const where = `${method} ${operation === undefined ? path : template} answered ${status}`;
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  if (operation === undefined) {
    return status >= 400 && type === "application/problem+json" ? [] : [`${where}, and there is no such operation`];
  }
  const response = resolveResponse(operation.responses[status]);
  if (response === undefined) return [`${where}: ${text.slice(0, 300)}`];
  const named = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  const faults = [...headers.keys()]
    .filter((name) => API_HEADERS.test(name) && !named.includes(name))
    .map((name) => `the header ${name}`);
  if (response.content === undefined)
    return [...faults, ...(text === "" ? [] : ["a body"])].map((what) => `${where}, with ${what}`);
  const media = response.content[type] ?? response.content["*/*"];
  if (media === undefined) faults.push(`the type ${type}`);
  else if (/[/+]json$/.test(type) && !isBinary(media)) faults.push(...schemaDeviations(media.schema, JSON.parse(text)));
  const code = type === "application/problem+json" ? (JSON.parse(text) as { code: string }).code : undefined;
  if (code !== undefined && response["x-problem-codes"]?.includes(code) !== true) faults.push(`the code ${code}`);
  return faults.map((what) => `${where}, with ${what}`);
}

/** Returns the differences between a webhook delivery and the API description. */
export function deliveryDeviations(headers: Record<string, unknown>, body: string): string[] {
  const isTest = (JSON.parse(body) as { type?: unknown }).type === "webhook.test";
  const operation = apiDescription.webhooks[isTest ? "webhookTest" : "submissionEvent"]?.post;
  const missing = (operation?.parameters ?? []).filter(({ name }) => typeof headers[name] !== "string");
  const type = String(headers["content-type"]);
  const media = operation?.requestBody?.content[type];
  return [
    ...missing.map(({ name }) => `no header ${name}`),
    ...(media === undefined ? [`the type ${type}`] : schemaDeviations(media.schema, JSON.parse(body))),
  ].map((what) => `A delivery with ${what}: ${body.slice(0, 300)}`);
}

/** Whether a body is described as binary data without a schema. */
export function isBinary({ schema }: Media): boolean {
  return (schema as { format?: string }).format === "binary";
}

/** Returns the differences between a value and a schema of the description. */
export function schemaDeviations(schema: unknown, value: unknown): string[] {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as Json);
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message, params }) => `a body that at “${instancePath}” ${message} ${JSON.stringify(params)}`,
  );
}

/** The response, or the shared one that it refers to. */
export function resolveResponse(response: Response | undefined): Response | undefined {
  const name = response?.$ref?.split("/").at(-1);
  return name === undefined ? response : apiDescription.components.responses[name];
}

/** Adds `additionalProperties: false` to all object schemas that do not set it. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).map(([name, value]) =>
    name === "$ref" ? [name, `api${value}`] : [name, name.startsWith("example") ? undefined : closed(value)],
  );
  const whole = Object.fromEntries(entries) as Json;
  // A member that is named “properties” is not an object schema.
  const isOpen = typeof whole.properties === "object" && whole.type === "object" && !("additionalProperties" in whole);
  return isOpen ? { ...whole, additionalProperties: false } : whole;
}
