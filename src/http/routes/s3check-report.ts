import { type Static, Type } from "typebox";
import { checkBucket } from "../../intake/check.ts";
import { CheckRequest, readCheck } from "../../intake/request.ts";
import { Problem } from "../../submission/problems.ts";
import { unsuccessful } from "../answers.ts";
import { goneSignal, type HttpContext, type Server } from "../context.ts";
import { problems } from "../schemas.ts";
import { callAt } from "../target.ts";
import { unchecked } from "../validation.ts";

const STEPS = ["address", "connect", "tls", "clock", "signature", "bucket", "list", "read"] as const;

const ReportView = Type.Object(
  {
    ok: Type.Boolean(),
    message: Type.String(),
    steps: Type.Array(
      Type.Object({
        name: Type.Enum([...STEPS]),
        status: Type.Enum(["passed", "failed", "skipped", "warning"]),
        detail: Type.String(),
        hint: Type.String({ description: "What to do; empty when there is nothing to do." }),
        milliseconds: Type.Integer(),
      }),
    ),
    policy: Type.Unknown({ description: "The least-privilege policy to paste; empty when fields are invalid." }),
  },
  { title: "Report" },
);

/** The check, step by step. Also what is not worth a try, for its fields are wrong, is answered with a report. */
export function s3checkReport(server: Server, context: HttpContext): void {
  server.post(
    "/submission/upload/s3check/report",
    {
      ...unchecked,
      schema: {
        operationId: "checkReport",
        summary: "Say step by step whether a bucket can be reached",
        tags: ["Before submitting"],
        body: CheckRequest,
        response: { 200: ReportView, ...problems },
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
