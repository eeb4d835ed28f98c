import type { FastifySchemaCompiler } from "fastify";
import type { TSchema } from "typebox";
import { Convert } from "typebox/value";
import { invalid } from "../intake/request.ts";
import { nearMiss } from "../submission/near-miss.ts";
import { Problem, type Remark } from "../submission/problems.ts";
import { pointerTo, shapeFaults, textFaults, unknownNames, withoutEmpty } from "../submission/shape.ts";
import type { Server } from "./context.ts";

/**
 * Validates by the same schemas that make the types and the API description, and names every fault at once. Query
 * members are texts on the wire and are read as the numbers that the schema wants, and empty ones are not given;
 * unknown ones are refused, because a misspelt filter would otherwise select everything. Bodies are taken as they are. What a path names and no text can hold does not exist: that is not found, not wrong.
 */
export function validateBySchema(server: Server): void {
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
  server.setValidatorCompiler(compile);
  server.setSerializerCompiler(() => (data) => JSON.stringify(data));
  server.setSchemaErrorFormatter((errors) => errors as unknown as Error);
}

/** Query parameters that the schema does not name. No detail quotes a value. */
function unknownParameters(schema: TSchema & { properties?: object }, sent: unknown): Remark[] {
  const known = Object.keys(schema.properties ?? {}).sort();
  const names = known.map((name) => `“${name}”`).join(", ");
  return unknownNames({ properties: schema.properties ?? {} }, sent).map((name) => {
    const meant = nearMiss(name, known);
    const question = meant === undefined ? "" : ` Did you mean “${meant}”?`;
    return { pointer: pointerTo("", name), code: "unknown_parameter", detail: `Known here: ${names}.${question}` };
  });
}

/** For operations whose body has rules of its own: these name all faults together, which a schema alone cannot. */
export const unchecked = { validatorCompiler: () => (value: unknown) => ({ value }) };
