import { Type } from "typebox";
import { checkBucket } from "../../intake/check.ts";
import { CheckRequest, readCheck } from "../../intake/request.ts";
import { sendSentence } from "../answers.ts";
import { goneSignal, type HttpContext, type Server } from "../context.ts";
import { callAt } from "../target.ts";
import { unchecked } from "../validation.ts";

/** test_connection of e!DAL-PGP's API: one sentence that says whether the bucket can be reached. */
export function s3check(server: Server, context: HttpContext): void {
  server.post(
    "/submission/upload/s3check",
    {
      config: { textErrors: true },
      ...unchecked,
      schema: {
        operationId: "test_connection",
        summary: "Say whether a bucket can be reached",
        tags: ["Before submitting"],
        body: CheckRequest,
        response: {
          200: Type.String({ description: "`Connection successful`", examples: ["Connection successful"] }),
          400: Type.String({ description: "`Connection unsuccessful`, the cause, and what to do about it." }),
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
