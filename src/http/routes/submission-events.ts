import { Readable } from "node:stream";
import { Type } from "typebox";
import { type EventRow, eventsAfter } from "../../db/submissions/events.ts";
import type { HttpContext } from "../context.ts";
import { goneSignal, type Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { callerOf } from "../requests/access.ts";
import { requireSubmission } from "../requests/find-or-refuse.ts";
import { closeDownloadOnRevocation, closeStreamOnRevocation } from "../responses/close-on-revocation.ts";
import { eventStream } from "../responses/event-stream.ts";
import { negotiated } from "../responses/negotiation.ts";
import { viewEvent } from "../responses/views.ts";
import { EventView, IdParams } from "../schemas.ts";

/** What the number of an event can be. */
const MOST_EVENTS = 2 ** 31 - 1;

/** So many are answered unless told otherwise. */
const MOST_OF_AN_ANSWER = 1_000;

/** Events read at a time: an event can have more than 100 kB. */
const AT_ONCE = 100;

const STREAM = `retry: 1000

id: ${examples.event.id}
event: ${examples.event.type}
data: ${JSON.stringify(examples.event)}

event: progress
data: ${JSON.stringify({ status: "transferring", attempt: 1, progress: examples.progress })}

`;

/** The submission's log; as an event stream it goes on live. */
export function submissionEvents(server: Server, context: HttpContext): void {
  server.get(
    "/submission/:id/events",
    {
      schema: {
        operationId: "listEvents",
        summary: "Read or follow the log of a submission",
        description:
          "As `text/event-stream` it goes on live and honours `Last-Event-ID`; between the events it sends the submission’s progress as events named `progress`, which have no id.",
        tags: ["Submissions"],
        params: IdParams,
        querystring: Type.Object({
          after: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: MOST_EVENTS,
              description: "Only events after this number.",
              examples: [1],
            }),
          ),
          limit: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 10_000,
              default: MOST_OF_AN_ANSWER,
              description: "Most events of an answer. A stream has no limit.",
              examples: [100],
            }),
          ),
        }),
        headers: Type.Object({
          "last-event-id": Type.Optional(
            Type.String({ description: "For a stream: go on after this event.", examples: ["1"] }),
          ),
        }),
        response: {
          200: answer(Type.Array(EventView), {
            description: "Events, in order.",
            example: [examples.event],
            media: { "text/event-stream": STREAM },
          }),
        },
      },
    },
    async (request, reply) => {
      const row = await requireSubmission(context, request);
      if (negotiated(request, reply, ["application/json", "text/event-stream"]) === "application/json") {
        const { after = 0, limit = MOST_OF_AN_ANSWER } = request.query;
        const first = await eventsAfter(context.db, row.id, after, Math.min(limit, AT_ONCE));
        if (first.length < AT_ONCE) return first.map(viewEvent);
        closeDownloadOnRevocation(context, request, reply);
        return reply
          .type("application/json; charset=utf-8")
          .send(Readable.from(everyEvent(context, row.id, first, limit)) as never);
      }
      context.limits.stream(reply, callerOf(request).owner);
      const last = Number(request.headers["last-event-id"] ?? request.query.after ?? 0);
      const from = Number.isInteger(last) && last > 0 && last <= MOST_EVENTS ? last : 0;
      const signal = AbortSignal.any([
        goneSignal(reply),
        context.stopping,
        closeStreamOnRevocation(context, request, reply, row.owner),
      ]);
      return reply
        .type("text/event-stream; charset=utf-8")
        .header("cache-control", "no-store")
        .header("x-accel-buffering", "no")
        .send(Readable.from(eventStream(context, row.id, from, signal)) as never);
    },
  );
}

/** Events as a JSON array, which is written as they are read. */
async function* everyEvent(
  { db }: HttpContext,
  id: string,
  first: readonly EventRow[],
  limit: number,
): AsyncGenerator<string> {
  let left = limit;
  let separator = "[";
  for (let page = first; ; ) {
    for (const event of page) {
      yield `${separator}${JSON.stringify(viewEvent(event))}`;
      separator = ",";
    }
    left -= page.length;
    const last = page.at(-1)?.seq;
    if (left === 0 || last === undefined) break;
    page = await eventsAfter(db, id, last, Math.min(left, AT_ONCE));
  }
  yield "]";
}
