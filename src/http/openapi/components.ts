import { isDeepStrictEqual } from "node:util";
import type { Header } from "./response-documentation.ts";
import type { Document, Media, Operation, Response } from "./types.ts";

type Schema = Record<string, unknown>;

/**
 * Moves every schema with a title to `components.schemas` under that title, and replaces it by a reference.
 *
 * @throws Error if two different schemas have the same title, or if a title is not a valid component name
 */
export function nameSchemas(document: Document): void {
  const named: Record<string, Schema> = {};
  const refer = (schema: unknown) => referred(schema, named);
  const inMedia = (content: Record<string, Media> = {}) => {
    for (const media of Object.values(content)) media.schema = refer(media.schema);
  };
  for (const operation of [...operationsOf(document), ...operationsIn(document.webhooks)]) {
    for (const parameter of operation.parameters ?? []) parameter.schema = refer(parameter.schema);
    inMedia(operation.requestBody?.content);
  }
  for (const response of responsesOf(document)) inMedia(response.content);
  document.components.schemas = sorted(named);
}

/** Moves every header to `components.headers`. @throws Error if two different headers have the same name */
export function nameHeaders(document: Document): void {
  const named: Record<string, Header> = {};
  for (const response of responsesOf(document)) {
    for (const [field, header] of Object.entries(response.headers ?? {})) {
      if ("$ref" in header) continue;
      const { title: name = field, ...described } = header;
      if (named[name] !== undefined && !isDeepStrictEqual(named[name], described)) {
        throw new Error(`Two headers of the OpenAPI document have the name “${name}”`);
      }
      named[name] = described;
      response.headers = { ...response.headers, [field]: { $ref: `#/components/headers/${name}` } };
    }
  }
  document.components.headers = sorted(named);
}

/** All responses that are not references: those of operations and the shared ones. */
export function responsesOf(document: Document): Response[] {
  const shared = Object.values(document.components.responses ?? {});
  const own = operationsOf(document).flatMap((operation) => Object.values(operation.responses));
  return [...shared, ...own].filter((response) => response.$ref === undefined);
}

/** All operations of a document, without its webhooks. */
export function operationsOf(document: Document): Operation[] {
  return operationsIn(document.paths);
}

function operationsIn(paths: Document["paths"] = {}): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** Follows only keywords that contain schemas: `title` in an example, or a property named `title`, is not a schema title. */
function referred(schema: unknown, named: Record<string, Schema>): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  const refer = (part: unknown) => referred(part, named);
  const whole: Schema = { ...schema };
  for (const place of ["properties", "patternProperties"]) {
    const parts = whole[place];
    if (parts !== undefined) {
      whole[place] = Object.fromEntries(Object.entries(parts as object).map(([name, part]) => [name, refer(part)]));
    }
  }
  for (const place of ["items", "additionalProperties"]) if (place in whole) whole[place] = refer(whole[place]);
  for (const place of ["anyOf", "oneOf", "allOf"]) {
    if (whole[place] !== undefined) whole[place] = (whole[place] as unknown[]).map(refer);
  }
  const { title } = whole;
  if (title === undefined) return whole;
  if (typeof title !== "string" || !/^[A-Z][A-Za-z0-9]*$/.test(title))
    throw new Error(`“${title}” is not a valid component name`);
  // Through JSON, because TypeBox schemas have hidden members.
  const plain = JSON.parse(JSON.stringify(whole)) as Schema;
  if (named[title] !== undefined && !isDeepStrictEqual(named[title], plain)) {
    throw new Error(`Two schemas of the OpenAPI document have the title “${title}”`);
  }
  named[title] = plain;
  return { $ref: `#/components/schemas/${title}` };
}

function sorted<T>(named: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).sort(([one], [other]) => (one < other ? -1 : 1)));
}
