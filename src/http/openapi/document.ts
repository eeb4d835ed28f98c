import type { FastifySchema, RouteOptions } from "fastify";
import { IsOptional } from "typebox";
import type { Code } from "../../domain/problems.ts";
import { GRANTS } from "../../people/route-permissions.ts";
import { codesOf } from "./codes.ts";
import { nameHeaders, nameSchemas, operationsOf, responsesOf } from "./components.ts";
import { ofEveryAnswer } from "./headers.ts";
import { addProblems } from "./problem-answers.ts";
import { DOCUMENTATION, type ResponseDocumentation } from "./response-documentation.ts";
import type { Document, Media, Operation, Response } from "./types.ts";
import { webhooks } from "./webhooks.ts";

/** Roles that may call an operation. Absent if the operation needs no authentication. */
const ROLES = "x-roles";

/** Member of an operation that holds {@link Known} until the document is finished. */
const ROUTE = "x-route";

interface Known {
  codes: [number, Code[]][];
  asText: boolean;
  isBodyOptional: boolean;
}

/** Adds what the schema of a route does not contain: its roles and its problem codes. */
export function describeRoute({ schema, url, route }: { schema: FastifySchema; url: string; route: RouteOptions }) {
  // Routes of plug-ins have no schema.
  if (schema === undefined || (schema as { hide?: boolean }).hide === true) return { schema, url };
  const known: Known = {
    codes: [...codesOf(route)],
    asText: route.config?.textErrors === true,
    isBodyOptional: IsOptional(route.schema?.body),
  };
  const access = route.config?.access ?? "open";
  // The public reads what is published, so that a token is optional.
  const who =
    access === "open"
      ? {}
      : access === "read"
        ? { security: [{ bearer: [] }, {}] }
        : access === "reviewer"
          ? { security: [{ reviewerLink: [] }] }
          : { security: [{ bearer: [] }], [ROLES]: GRANTS[access] };
  return { schema: { ...withPath(schema), ...who, [ROUTE]: known }, url: url.replace(/\*$/, ":path") };
}

/** Renames the parameter `*` (the rest of a path in the router) to `path`, because OpenAPI has no wildcard. */
function withPath(schema: FastifySchema): FastifySchema {
  const { properties, ...params } = (schema.params ?? {}) as {
    properties?: Record<string, unknown>;
    required?: string[];
  };
  if (properties?.["*"] === undefined) return schema;
  const { "*": path, ...others } = properties;
  const required = params.required?.map((name) => (name === "*" ? "path" : name));
  return { ...schema, params: { ...params, properties: { ...others, path }, required } };
}

/** Completes the generated document: responses, problems, webhooks and named components. */
export function finish(document: Document): Document {
  const responses: Record<string, Response> = {};
  for (const operation of operationsOf(document)) {
    for (const response of Object.values(operation.responses)) sayAbout(response);
    const known = operation[ROUTE] as Known;
    delete operation[ROUTE];
    if (operation.requestBody !== undefined) finishBody(operation.requestBody, known);
    addProblems(operation, new Map(known.codes), known.asText, responses);
  }
  document.components.responses = responses;
  for (const response of responsesOf(document)) response.headers = { ...response.headers, ...ofEveryAnswer };
  document.webhooks = structuredClone(webhooks);
  nameHeaders(document);
  nameSchemas(document);
  return document;
}

/** Moves the documentation of a response to its place in OpenAPI. A response with headers only has no body. */
function sayAbout(response: Response): void {
  const media = response.content?.["application/json"];
  if (media === undefined) return;
  const { [DOCUMENTATION]: said, ...schema } = media.schema as Record<string, unknown>;
  if (said === undefined) return;
  const { description, example, media: texts = {}, json = {}, bytes = [], headers } = said as ResponseDocumentation;
  const content: [type: string, media: Media][] = [
    ...Object.entries(texts).map(([type, text]): [string, Media] => [
      type,
      { schema: { type: "string" }, example: text },
    ]),
    // Cloned to plain JSON, because TypeBox schemas have hidden members.
    ...Object.entries(json).map(([type, media]): [string, Media] => [type, structuredClone(media)]),
    ...bytes.map((type): [string, Media] => [type, { schema: { type: "string", format: "binary" } }]),
  ];
  response.description = description;
  if (headers !== undefined) response.headers = headers;
  if (example !== undefined) content.unshift(["application/json", { schema, example }]);
  if (content.length > 0) response.content = Object.fromEntries(content);
  else delete response.content;
}

/** Declares the parts of a multipart form as JSON, and an optional body as not required. */
function finishBody(body: NonNullable<Operation["requestBody"]>, { isBodyOptional }: Known): void {
  if (isBodyOptional) body.required = false;
  const form = body.content["multipart/form-data"];
  if (form === undefined) return;
  const { properties = {} } = form.schema as { properties?: Record<string, { format?: string }> };
  // Files, and their names, are no JSON.
  if (Object.values(properties).some(({ format }) => format === "binary")) return;
  const encoding = Object.keys(properties).map((name) => [name, { contentType: "application/json" }]);
  body.content["multipart/form-data"] = { ...form, encoding: Object.fromEntries(encoding) };
}
