import { Type } from "typebox";
import { checkBucket } from "../../../intake/check.ts";
import { CheckRequest, readCheck } from "../../../intake/request.ts";
import type { HttpContext } from "../../context.ts";
import { goneSignal, type Server } from "../../fastify.ts";
import { answer, withExample } from "../../openapi/answer.ts";
import * as examples from "../../openapi/examples.ts";
import { callAt } from "../../requests/access.ts";
import { unchecked } from "../../requests/validation.ts";
import { sendSentence } from "../../responses/problem-answers.ts";

/** Checks a bucket and answers with one sentence (`test_connection` of the API of e!DAL-PGP). */
export function s3check(server: Server, context: HttpContext): void {
  server.post(
    "/submission/upload/s3check",
    {
      config: { textErrors: true },
      ...unchecked,
      schema: {
        operationId: "test_connection",
        summary: "Check a bucket",
        description:
          "Returns one sentence as plain text, or as a JSON string if `Accept` prefers JSON. Errors of this operation are sentences too.",
        tags: ["Before submitting"],
        body: withExample(CheckRequest, examples.check),
        response: {
          200: sentence("The service can read the bucket.", "Connection successful"),
          400: sentence(
            "The service cannot read the bucket. The sentence states the cause and how to fix it.",
            "Connection unsuccessful: the bucket “demo-feild-trial” does not exist on this server. Check the spelling of the bucket and the endpoint, or ask the storage provider.",
          ),
        },
      },
    },
    async (request, reply) => {
      const check = readCheck(request.body);
      await callAt(context, request, reply, check.access.endpoint);
      const { report } = await checkBucket(context.intake, check, goneSignal(reply));
      await sendSentence(request, reply, report.ok ? 200 : 400, report.message);
      return reply;
    },
  );
}

function sentence(description: string, text: string) {
  return answer(Type.String(), { description, example: text, media: { "text/plain": text } });
}
