import { Readable } from "node:stream";
import { Type } from "typebox";
import { type EventRow, eventsAfter } from "../../../db/submissions/events.ts";
import type { HttpContext } from "../../context.ts";
import { goneSignal } from "../../fastify.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { requireSubmission } from "../../requests/require-resource.ts";
import { closeDownloadOnRevocation, closeStreamOnRevocation } from "../../responses/close-on-revocation.ts";
import { eventStream } from "../../responses/event-stream.ts";
import { negotiated } from "../../responses/negotiation.ts";
import { sendEvents, sendText } from "../../responses/send-text.ts";
import { viewEvent } from "../../responses/views.ts";
import { EventView, IdParams, optionalInteger, optionalText } from "../../schemas.ts";

/** Largest number of an event. */
const MOST_EVENTS = 2 ** 31 - 1;

/** Default number of events in a response. */
const MOST_OF_AN_ANSWER = 1_000;

/** Number of events read at once; an event can be larger than 100 kB. */
const AT_ONCE = 100;

const STREAM = `retry: 1000

id: ${examples.event.id}
event: ${examples.event.type}
data: ${JSON.stringify(examples.event)}

event: progress
data: ${JSON.stringify({ status: "transferring", attempt: 1, progress: examples.progress })}

`;

/** Returns the log of a submission, as JSON or as a live event stream. */
export const submissionEvents = operation({
  route: "GET /submission/:id/events",
  operationId: "listEvents",
  summary: "List or stream the events of a submission",
  description:
    "With `Accept: text/event-stream`, the response is a live stream that supports `Last-Event-ID`. Between the events, the stream sends the progress of the submission as events named `progress`, which have no id.",
  tag: "Submissions",
  params: IdParams,
  querystring: Type.Object({
    after: optionalInteger({
      minimum: 0,
      maximum: MOST_EVENTS,
      description: "Only events with a larger number.",
      examples: [1],
    }),
    limit: optionalInteger({
      minimum: 1,
      maximum: 10_000,
      default: MOST_OF_AN_ANSWER,
      description: "Maximum number of events in the response. A stream has no limit.",
      examples: [100],
    }),
  }),
  headers: Type.Object({
    "last-event-id": optionalText({
      description: "For a stream: the number of the last event that was received.",
      examples: ["1"],
    }),
  }),
  response: {
    200: documented(Type.Array(EventView), {
      description: "The events, in order.",
      example: [examples.event],
      media: { "text/event-stream": STREAM },
    }),
  },
  handler: async (context, request, reply) => {
    const row = await requireSubmission(context, request);
    if (negotiated(request, reply, ["application/json", "text/event-stream"]) === "application/json") {
      const { after = 0, limit = MOST_OF_AN_ANSWER } = request.query;
      const first = await eventsAfter(context.db, row.id, after, Math.min(limit, AT_ONCE));
      if (first.length < AT_ONCE) return first.map(viewEvent);
      closeDownloadOnRevocation(context, request, reply);
      return sendText(reply, "application/json; charset=utf-8", everyEvent(context, row.id, first, limit));
    }
    context.limits.stream(reply, callerOf(request).owner);
    const last = String(request.headers["last-event-id"] ?? request.query.after ?? 0);
    const from = /^\d+$/.test(last) && Number(last) <= MOST_EVENTS ? Number(last) : 0;
    const signal = AbortSignal.any([
      goneSignal(reply),
      context.stopping,
      closeStreamOnRevocation(context, request, reply, row.owner),
    ]);
    return sendEvents(reply, Readable.from(eventStream(context.watched, row.id, from, signal)));
  },
});

/** Writes events as a JSON array while it reads them. */
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
