import { Type } from "typebox";
import { checkBucket } from "../../../intake/check.ts";
import { CheckRequest, readCheck } from "../../../intake/request.ts";
import { goneSignal } from "../../fastify.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callAt, callerOf } from "../../requests/access.ts";
import { unchecked } from "../../requests/validation.ts";
import { sendSentence } from "../../responses/problem-answers.ts";

/** Checks a bucket and answers with one sentence (`test_connection` of the API of e!DAL-PGP). */
export const s3check = operation({
  route: "POST /submission/upload/s3check",
  operationId: "test_connection",
  summary: "Check a bucket",
  description:
    "Returns one sentence as plain text, or as a JSON string if `Accept` prefers JSON. Errors of this operation are sentences too.",
  tag: "Before submitting",
  config: { textErrors: true },
  options: unchecked,
  body: withExample(CheckRequest, examples.check),
  response: {
    200: sentence("The service can read the bucket.", "Connection successful"),
    400: sentence(
      "The service cannot read the bucket. The sentence states the cause and how to fix it.",
      "Connection unsuccessful: the bucket “demo-feild-trial” does not exist on this server. Check the spelling of the bucket and the endpoint, or ask the storage provider.",
    ),
  },
  handler: async (context, request, reply) => {
    const check = readCheck(request.body);
    await callAt(context, request, reply, check.access.endpoint);
    const { report } = await checkBucket(
      context.intake,
      { ...check, owner: callerOf(request).owner },
      goneSignal(reply),
    );
    await sendSentence(request, reply, report.ok ? 200 : 400, report.message);
    return reply;
  },
});

function sentence(description: string, text: string) {
  return documented(Type.String(), { description, example: text, media: { "text/plain": text } });
}
