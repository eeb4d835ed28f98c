import type { FastifySchemaCompiler } from "fastify";
import { type TSchema, Type } from "typebox";
import { Convert } from "typebox/value";
import { nearMiss } from "../../domain/near-miss.ts";
import { Problem, type Remark } from "../../domain/problems.ts";
import { pointerTo, shapeFaults, textFaults, unknownNames, withoutEmpty } from "../../domain/shape.ts";
import { invalid } from "../../intake/request.ts";
import type { Server } from "../fastify.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** For operations without parameters that monitors, caches and mail programs call: they add some of their own. */
    anyQuery?: true;
  }
}

/**
 * Validates by the same schemas that make the types and the API description, and reports every fault at once. Query
 * parameters are texts on the wire and are converted to the types of the schema; an empty one counts as not given.
 * Operations refuse unknown query parameters, because a misspelt filter would otherwise select everything; exceptions are
 * those with `anyQuery`. Pages are no operations and accept any parameter: browsers, identity providers and mail programs
 * add some. Bodies are not converted. A path with a text that cannot be stored names nothing: the service answers 404.
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
    const value = httpPart === "querystring" ? Convert(schema, withoutEmpty(sent)) : sent;
    const unstorable = httpPart === "querystring" || httpPart === "body" ? textFaults(value, "") : [];
    const unknown = httpPart === "querystring" ? unknownParameters(schema, sent) : [];
    const errors = [...unstorable, ...unknown, ...shapeFaults(schema, value, "")];
    if (errors.length === 0) return { value };
    return {
      error:
        unstorable.length > 0
          ? new Problem("bad_request", "The request holds characters that no text has", { errors })
          : invalid(errors, []),
    };
  };
};

/** Query parameters that the schema does not name. No detail quotes a value. */
function unknownParameters(schema: TSchema & { properties?: object }, sent: unknown): Remark[] {
  const known = Object.keys(schema.properties ?? {}).sort();
  const names = known.map((name) => `“${name}”`).join(", ");
  const all = known.length === 0 ? "This operation has no query parameters." : `Known here: ${names}.`;
  return unknownNames({ properties: schema.properties ?? {} }, sent).map((name) => {
    const meant = nearMiss(name, known);
    const question = meant === undefined ? "" : ` Did you mean “${meant}”?`;
    return { pointer: pointerTo("", name), code: "unknown_parameter", detail: `${all}${question}` };
  });
}

/** For operations that check headers and body themselves, to report all faults together; a schema alone cannot. */
export const unchecked = {
  validatorCompiler: (route: Parameters<typeof compile>[0]) =>
    route.httpPart === "querystring" ? compile(route) : (value: unknown) => ({ value }),
};
