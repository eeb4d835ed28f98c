import { Problem } from "../../../domain/problems.ts";
import { replaceCredentials } from "../../../intake/credentials.ts";
import { readCredentials } from "../../../intake/request.ts";
import { goneSignal } from "../../fastify.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callAt } from "../../requests/access.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { unchecked } from "../../requests/validation.ts";
import { submissionView } from "../../responses/submissions.ts";
import { IdParams, NewCredentials, SubmissionView } from "../../schemas.ts";

/** Replaces the credentials of a submission. */
export const submissionCredentials = operation({
  route: "POST /submission/:id/credentials",
  operationId: "replaceCredentials",
  summary: "Update the credentials of a submission",
  description: "The service checks the new credentials before it stores them. Endpoint and bucket cannot be changed.",
  tag: "Submissions",
  problems: ["wrong_state", "too_late", "credentials_required", "source_check_failed", "source_timeout"],
  options: unchecked,
  params: IdParams,
  body: withExample(NewCredentials, examples.newCredentials),
  response: {
    202: documented(SubmissionView, {
      description: "The credentials were replaced. A submission that waited for them continues.",
      example: examples.accepted,
    }),
  },
  handler: async (context, request, reply) => {
    const row = await requireSubmission(context, request);
    const access = readCredentials(request.body, row);
    if (access === undefined) throw new Problem("credentials_required");
    await callAt(context, request, reply, access.endpoint);
    await replaceCredentials(context.intake, row, access, goneSignal(reply));
    return submissionView(context, await requireSubmission(context, request));
  },
});
