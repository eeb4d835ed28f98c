import type { Static } from "typebox";
import { checkBucket } from "../../intake/check.ts";
import { CheckRequest, readCheck } from "../../intake/request.ts";
import { Problem } from "../../submission/problems.ts";
import { unsuccessful } from "../answers.ts";
import { goneSignal, type HttpContext, type Server } from "../context.ts";
import { answer, withExample } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { ReportView } from "../schemas.ts";
import { callAt } from "../target.ts";
import { unchecked } from "../validation.ts";

const STEPS = ReportView.properties.steps.items.properties.name.enum;

/** The check, step by step. Also what is not worth a try, for its fields are wrong, is answered with a report. */
export function s3checkReport(server: Server, context: HttpContext): void {
  server.post(
    "/submission/upload/s3check/report",
    {
      ...unchecked,
      schema: {
        operationId: "checkReport",
        summary: "Say step by step whether a bucket can be reached",
        description: "Wrong fields and buckets that cannot be reached are answered with a report, too: look at `ok`.",
        tags: ["Before submitting"],
        body: withExample(CheckRequest, examples.check),
        response: { 200: answer(ReportView, { description: "What was found.", example: examples.report }) },
      },
    },
    async (request, reply) => {
      const read = problemOr(() => readCheck(request.body));
      if (read instanceof Problem) return untried(read);
      await callAt(context, request, reply, read.access.endpoint);
      const { report } = await checkBucket(context.intake, read, goneSignal(reply));
      return report;
    },
  );
}

/** The report of a check that was not begun. */
function untried(problem: Problem): Static<typeof ReportView> {
  return {
    ok: false,
    message: unsuccessful(problem),
    steps: STEPS.map((name) => ({ name, status: "skipped", detail: "Not reached", hint: "", milliseconds: 0 })),
    policy: {},
  };
}

function problemOr<T>(read: () => T): T | Problem {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
