import type { FastifySchema, RouteOptions } from "fastify";
import { IsOptional } from "typebox";
import { GRANTS } from "../../auth/rules.ts";
import type { Code } from "../../domain/problems.ts";
import { ABOUT, type About } from "./answer.ts";
import { codesOf } from "./codes.ts";
import { nameHeaders, nameSchemas, operationsOf, responsesOf } from "./components.ts";
import { ofEveryAnswer } from "./headers.ts";
import { addProblems } from "./problem-answers.ts";
import type { Document, Media, Operation, Response } from "./types.ts";
import { webhooks } from "./webhooks.ts";

/** Which roles may call an operation; without it everybody may. */
const ROLES = "x-roles";

/** Where what is known of a route stands in its operation until the document is finished. */
const ROUTE = "x-route";

interface Known {
  codes: [number, Code[]][];
  asText: boolean;
  isBodyOptional: boolean;
}

/** What the schema of a route does not say of it: who may call it, and what can go wrong. */
export function describeRoute({ schema, url, route }: { schema: FastifySchema; url: string; route: RouteOptions }) {
  // The plug-ins' own routes have none.
  if (schema === undefined || (schema as { hide?: boolean }).hide === true) return { schema, url };
  const known: Known = {
    codes: [...codesOf(route)],
    asText: route.config?.textErrors === true,
    isBodyOptional: IsOptional(route.schema?.body),
  };
  const access = route.config?.access ?? "open";
  const who = access === "open" ? {} : { security: [{ bearer: [] }], [ROLES]: GRANTS[access] };
  return { schema: { ...withPath(schema), ...who, [ROUTE]: known }, url: url.replace(/\*$/, ":path") };
}

/** Routers call the rest of a path `*`; descriptions have no such name. */
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

/** Completes the document that was made of the routes: answers, problems, webhooks, and names for what has one. */
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

/** Writes what a route says of an answer where OpenAPI wants it. One of which nothing is said but its headers has no body. */
function sayAbout(response: Response): void {
  const media = response.content?.["application/json"];
  if (media === undefined) return;
  const { [ABOUT]: said, ...schema } = media.schema as Record<string, unknown>;
  if (said === undefined) return;
  const { description, example, media: texts = {}, json = {}, bytes = [], headers } = said as About;
  const content: [type: string, media: Media][] = [
    ...Object.entries(texts).map(([type, text]): [string, Media] => [
      type,
      { schema: { type: "string" }, example: text },
    ]),
    // As plain JSON: a schema that was made by TypeBox has hidden members.
    ...Object.entries(json).map(([type, media]): [string, Media] => [type, structuredClone(media)]),
    ...bytes.map((type): [string, Media] => [type, { schema: { type: "string", format: "binary" } }]),
  ];
  response.description = description;
  if (headers !== undefined) response.headers = headers;
  if (example !== undefined) content.unshift(["application/json", { schema, example }]);
  if (content.length > 0) response.content = Object.fromEntries(content);
  else delete response.content;
}

/** The parts of a form are JSON texts. */
function finishBody(body: NonNullable<Operation["requestBody"]>, { isBodyOptional }: Known): void {
  if (isBodyOptional) body.required = false;
  const form = body.content["multipart/form-data"];
  if (form === undefined) return;
  const { properties = {} } = form.schema as { properties?: object };
  const encoding = Object.keys(properties).map((name) => [name, { contentType: "application/json" }]);
  body.content["multipart/form-data"] = { ...form, encoding: Object.fromEntries(encoding) };
}
