import { Readable } from "node:stream";
import type { Static } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import { checkBucket, notReached, type OnStep } from "../../../intake/check.ts";
import { CheckRequest, readCheck } from "../../../intake/request.ts";
import { goneSignal } from "../../fastify.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callAt, callerOf } from "../../requests/access.ts";
import { unchecked } from "../../requests/validation.ts";
import { negotiated } from "../../responses/negotiation.ts";
import { unsuccessful } from "../../responses/problem-answers.ts";
import { sendEvents } from "../../responses/send-text.ts";
import { ReportView } from "../../schemas.ts";

type Report = Static<typeof ReportView>;

const STEPS = ReportView.properties.steps.items.properties.name.enum;

const STREAM = `${message("step", examples.report.steps[0])}${message("report", examples.report)}`;

/** Checks a bucket and reports every step. A request with invalid members is answered with a report too. */
export const s3checkReport = operation({
  route: "POST /submission/upload/s3check/report",
  operationId: "checkReport",
  summary: "Check a bucket step by step",
  description:
    "The response is a report even if members of the request are invalid or the bucket cannot be reached; `ok` tells whether the check succeeded. With `Accept: text/event-stream`, each step is sent as an event named `step` when it ends. The report follows as an event named `report`.",
  tag: "Before submitting",
  options: unchecked,
  body: withExample(CheckRequest, examples.check),
  response: {
    200: documented(ReportView, {
      description: "The report.",
      example: examples.report,
      media: { "text/event-stream": STREAM },
    }),
  },
  handler: async (context, request, reply) => {
    const isStream = negotiated(request, reply, ["application/json", "text/event-stream"]) === "text/event-stream";
    const read = problemOr(() => readCheck(request.body));
    if (!(read instanceof Problem)) await callAt(context, request, reply, read.access.endpoint);
    const check = async (onStep?: OnStep): Promise<Report> =>
      read instanceof Problem
        ? untried(read)
        : (await checkBucket(context.intake, { ...read, owner: callerOf(request).owner }, goneSignal(reply), onStep))
            .report;
    if (!isStream) return check();
    return sendEvents(reply, told(check));
  },
});

/** Streams the steps of a check. It does not wait for the reader, because it sends few messages. */
function told(check: (onStep: OnStep) => Promise<Report>): Readable {
  const stream = new Readable({ read: () => undefined });
  check((step) => stream.push(message("step", step))).then(
    (report) => {
      stream.push(message("report", report));
      stream.push(null);
    },
    (error: Error) => stream.destroy(error),
  );
  return stream;
}

/** A message of an event stream (WHATWG HTML, section 9.2). */
function message(event: "step" | "report", data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** The report of a check that was not started. */
function untried(problem: Problem): Report {
  return { ok: false, message: unsuccessful(problem), steps: STEPS.map(notReached), policy: {} };
}

function problemOr<T>(read: () => T): T | Problem {
  try {
    return read();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
