import { Type } from "typebox";
import { checkMetadata } from "../../domain/metadata/check.ts";
import { Metadata } from "../../domain/metadata/schema.ts";
import { limitRemarks } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer, withExample } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { unchecked } from "../requests/validation.ts";
import { Remark } from "../schemas.ts";

const Validation = Type.Object(
  {
    valid: Type.Boolean({ description: "Whether there are no errors." }),
    errors: Type.Array(Remark, { description: "What a submission would be refused for." }),
    warnings: Type.Array(Remark, { description: "What could be better." }),
    normalized: Type.Union([Type.Unknown(), Type.Null()], {
      description: "What would be archived; null when invalid.",
    }),
  },
  { title: "Validation", description: "What the rules of the metadata say." },
);

/** The metadata rules alone. */
export function validate(server: Server, _context: HttpContext): void {
  server.post(
    "/submission/validate",
    {
      ...unchecked,
      schema: {
        operationId: "validate",
        summary: "Check metadata",
        description: "The body is the metadata itself, or an object that holds it as `metadata`.",
        tags: ["Before submitting"],
        body: withExample(Metadata, examples.metadata),
        response: {
          200: answer(Validation, { description: "What the rules say.", example: examples.validation }),
        },
      },
    },
    async (request) => {
      const body = request.body as { metadata?: unknown } | null | undefined;
      const wrapped = typeof body === "object" && body !== null && Object.hasOwn(body, "metadata");
      const { normalized, errors, warnings } = checkMetadata(
        wrapped ? body.metadata : body,
        wrapped ? "/metadata" : "",
      );
      return {
        valid: errors.length === 0,
        errors: limitRemarks(errors, "more_errors"),
        warnings,
        normalized: normalized ?? null,
      };
    },
  );
}
