import { replaceCredentials } from "../../intake/credentials.ts";
import { readCredentials } from "../../intake/request.ts";
import { Problem } from "../../submission/problems.ts";
import { goneSignal, type HttpContext, type Server } from "../context.ts";
import { requireSubmission } from "../require.ts";
import { IdParams, NewCredentials, problems, SubmissionView } from "../schemas.ts";
import { showSubmission } from "../submissions.ts";
import { callAt } from "../target.ts";
import { unchecked } from "../validation.ts";

/** Replaces the bucket's credentials. */
export function submissionCredentials(server: Server, context: HttpContext): void {
  server.post(
    "/submission/:id/credentials",
    {
      ...unchecked,
      schema: {
        operationId: "replaceCredentials",
        summary: "Replace the bucket’s credentials",
        tags: ["Submissions"],
        params: IdParams,
        body: NewCredentials,
        response: { 202: SubmissionView, ...problems },
      },
    },
    async (request, reply) => {
      const row = await requireSubmission(context, request);
      const access = readCredentials(request.body, row);
      if (access === undefined) throw new Problem("credentials_required");
      await callAt(context, request, reply, access.endpoint);
      await replaceCredentials(context.intake, row, access, goneSignal(reply));
      return reply.code(202).send(await showSubmission(context, await requireSubmission(context, request)));
    },
  );
}
