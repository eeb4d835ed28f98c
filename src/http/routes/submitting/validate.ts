import { Type } from "typebox";
import { checkMetadata } from "../../../describe/metadata/check.ts";
import { Metadata } from "../../../describe/metadata/schema.ts";
import { limitRemarks } from "../../../domain/problems.ts";
import { fieldRulesOf } from "../../dataset/field-rules.ts";
import { requireVersion } from "../../dataset/readable-version.ts";
import * as examples from "../../openapi/examples.ts";
import { DATASET } from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { unchecked } from "../../requests/validation.ts";
import { flag, list, object, optionalText, Remark } from "../../schemas.ts";

const Validation = object("Validation", "The result of a metadata validation.", {
  valid: flag("Whether the metadata has no errors."),
  errors: list(Remark, "Errors because of which a submission would be rejected."),
  warnings: list(Remark, "Suggestions that do not prevent a submission."),
  normalized: Type.Union([Type.Unknown(), Type.Null()], {
    description: "Metadata as it would be archived; null if invalid.",
  }),
});

/** Validates metadata without a bucket. */
export const validate = operation({
  route: "POST /submission/validate",
  operationId: "validate",
  summary: "Validate metadata",
  description: "The body is the metadata, or an object with the metadata as its member `metadata`.",
  tag: "Before submitting",
  problems: ["not_found", "dataset_withdrawn"],
  options: unchecked,
  querystring: Type.Object({
    dataset: optionalText({
      description:
        "Id of an archived dataset whose metadata would be changed. Values of its additional fields (`fields`) stay valid while they are unchanged.",
      examples: [DATASET],
    }),
  }),
  body: withExample(Metadata, examples.metadata),
  response: {
    200: documented(Validation, { description: "The result of the validation.", example: examples.validation }),
  },
  handler: async (context, request) => {
    const { dataset } = request.query;
    const archived = dataset === undefined ? undefined : await requireVersion(context, request, { id: dataset });
    const rules =
      archived === undefined ? { groups: context.intake.fieldGroups } : await fieldRulesOf(context, archived);
    const body = request.body as { metadata?: unknown } | null | undefined;
    const wrapped = typeof body === "object" && body !== null && Object.hasOwn(body, "metadata");
    const { normalized, errors, warnings } = checkMetadata(wrapped ? body.metadata : body, {
      ...rules,
      base: wrapped ? "/metadata" : "",
    });
    return {
      valid: errors.length === 0,
      errors: limitRemarks(errors, "more_errors"),
      warnings,
      normalized: normalized ?? null,
    };
  },
});
