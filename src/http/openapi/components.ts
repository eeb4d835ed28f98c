import { isDeepStrictEqual } from "node:util";
import type { Header } from "./answer.ts";
import type { Document, Media, Operation, Response } from "./types.ts";

type Schema = Record<string, unknown>;

/**
 * Gives every schema that has a title its place in `components.schemas`, under that title, and refers to it wherever it
 * was.
 *
 * @throws Error when two schemas that are not equal have the same title, or a title is no name
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

/** Gives every header its place in `components.headers`. @throws Error when two that are not equal have the same name */
export function nameHeaders(document: Document): void {
  const named: Record<string, Header> = {};
  for (const response of responsesOf(document)) {
    for (const [field, header] of Object.entries(response.headers ?? {})) {
      if ("$ref" in header) continue;
      const { title: name = field, ...described } = header;
      if (named[name] !== undefined && !isDeepStrictEqual(named[name], described)) {
        throw new Error(`Two headers of the API’s description are called “${name}”`);
      }
      named[name] = described;
      response.headers = { ...response.headers, [field]: { $ref: `#/components/headers/${name}` } };
    }
  }
  document.components.headers = sorted(named);
}

/** Every response that is written out: of operations, and shared ones. */
export function responsesOf(document: Document): Response[] {
  const shared = Object.values(document.components.responses ?? {});
  const own = operationsOf(document).flatMap((operation) => Object.values(operation.responses));
  return [...shared, ...own].filter((response) => response.$ref === undefined);
}

/** Every operation of a document; what it sends is none. */
export function operationsOf(document: Document): Operation[] {
  return operationsIn(document.paths);
}

function operationsIn(paths: Document["paths"] = {}): Operation[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods));
}

/** Only where schemas stand: a member `title` of an example, or one called `title` of an object, names nothing. */
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
  if (typeof title !== "string" || !/^[A-Z][A-Za-z0-9]*$/.test(title)) throw new Error(`“${title}” names no component`);
  // Texts alone: a schema that was made by TypeBox has hidden members.
  const plain = JSON.parse(JSON.stringify(whole)) as Schema;
  if (named[title] !== undefined && !isDeepStrictEqual(named[title], plain)) {
    throw new Error(`Two schemas of the API’s description are called “${title}”`);
  }
  named[title] = plain;
  return { $ref: `#/components/schemas/${title}` };
}

function sorted<T>(named: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(named).sort(([one], [other]) => (one < other ? -1 : 1)));
}
