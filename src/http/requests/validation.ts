import type { FastifyRequest, FastifySchemaCompiler } from "fastify";
import { IsOptional, type TSchema, Type } from "typebox";
import { Convert } from "typebox/value";
import { nearMiss } from "../../domain/near-miss.ts";
import { Problem, type Remark } from "../../domain/problems.ts";
import { pointerTo } from "../../domain/remarks.ts";
import { isObject, shapeFaults, textFaults, unknownNames, withoutEmpty } from "../../domain/shape.ts";
import { invalid } from "../../intake/request.ts";
import type { Server } from "../fastify.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Accepts unknown query parameters, because monitors, caches and mail programs add them. */
    anyQuery?: true;
  }
}

/**
 * Validates requests with the schemas that also define the types and the API description, and reports all errors at once.
 * Query parameters are converted from text to the types of the schema, and empty ones count as not given. Whole numbers are
 * written in decimal digits. Operations reject unknown query parameters, because a misspelt filter would otherwise select
 * everything, unless they have `anyQuery`. Web pages accept any parameter, because browsers, identity providers and mail
 * programs add some. Bodies are not converted. A path with characters that cannot be stored cannot exist, so the service
 * returns 404.
 */
export function validateBySchema(server: Server): void {
  server.addHook("onRoute", ({ schema, config }) => {
    if (schema?.operationId !== undefined && config?.anyQuery !== true) schema.querystring ??= Type.Object({});
  });
  server.setValidatorCompiler(compile);
  server.setSerializerCompiler(() => (data) => JSON.stringify(data));
  server.setSchemaErrorFormatter((errors) => errors as unknown as Error);
}

const compile: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  return (sent: unknown) => {
    // A body that was not sent is null.
    if (httpPart === "body" && sent === null && IsOptional(schema)) return { value: sent };
    if (httpPart === "params" && textFaults(sent, "").length > 0) {
      return { error: new Problem("not_found", "The address contains characters that no address of the service has") };
    }
    const value = httpPart === "querystring" ? converted(schema, withoutEmpty(sent)) : sent;
    const unstorable = httpPart === "querystring" || httpPart === "body" ? textFaults(value, "") : [];
    const unknown = httpPart === "querystring" ? unknownParameters(schema, sent) : [];
    const errors = [...unstorable, ...unknown, ...shapeFaults(schema, value, "")];
    if (errors.length === 0) return { value };
    return {
      error:
        unstorable.length > 0
          ? new Problem("bad_request", "The request contains characters that are not allowed in texts", { errors })
          : invalid(errors, []),
    };
  };
};

/**
 * Converts query parameters to the types of the schema. A text that is not a whole number in decimal digits remains a text, so that
 * it is refused: TypeBox would read `1.5`, `1e0`, `0x1` and `true` as 1.
 */
function converted(schema: TSchema & { properties?: Record<string, { type?: string }> }, given: unknown): unknown {
  if (!isObject(given)) return Convert(schema, given);
  const isWrong = ([name, text]: [string, unknown]) =>
    schema.properties?.[name]?.type === "integer" && !INTEGER.test(String(text));
  // Convert changes the object.
  const wrong = Object.entries(given).filter(isWrong);
  return { ...(Convert(schema, given) as object), ...Object.fromEntries(wrong) };
}

const INTEGER = /^-?\d+$/;

/**
 * Refuses any query parameter, for an operation that is also a page: pages accept any, so that it has `anyQuery`.
 * @throws Problem `invalid_request`
 */
export function refuseParameters({ query }: FastifyRequest): void {
  const errors = unknownParameters(Type.Object({}), query);
  if (errors.length > 0) throw invalid(errors, []);
}

/** Reports query parameters that the schema does not contain, without quoting their values. */
function unknownParameters(schema: TSchema & { properties?: object }, sent: unknown): Remark[] {
  const known = Object.keys(schema.properties ?? {}).sort();
  const names = known.map((name) => `“${name}”`).join(", ");
  const all = known.length === 0 ? "This operation has no query parameters." : `Known parameters: ${names}.`;
  return unknownNames({ properties: schema.properties ?? {} }, sent).map((name) => {
    const meant = nearMiss(name, known);
    const question = meant === undefined ? "" : ` Did you mean “${meant}”?`;
    return { pointer: pointerTo("", name), code: "unknown_parameter", detail: `${all}${question}` };
  });
}

/** Disables schema validation of headers and body, for operations that check them and report all errors together. */
export const unchecked = {
  validatorCompiler: (route: Parameters<typeof compile>[0]) =>
    route.httpPart === "querystring" ? compile(route) : (value: unknown) => ({ value }),
};
