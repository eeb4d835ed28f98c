import { Type } from "typebox";
import { titleExists } from "../../../db/submissions/submissions.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { sendText } from "../../responses/send-text.ts";

/** Tells whether a submission with this title exists. The client of e!DAL checks this before it submits. */
export const exists = operation({
  route: "GET /submission/info/exists",
  operationId: "exists",
  summary: "Check whether a title exists",
  tag: "Before submitting",
  description:
    "Returns 200 if the caller already has a submission with this title. Clients can warn before a dataset is submitted twice.",
  querystring: Type.Object({
    title: Type.String({
      maxLength: 10_000,
      description: "Complete title, as in the metadata.",
      examples: [examples.metadata.title],
    }),
  }),
  response: {
    200: documented(Type.String(), {
      description: "A submission with this title exists that has not failed and was not cancelled.",
      media: { "text/plain": "true" },
    }),
    204: Type.Null({ description: "No such submission exists." }),
  },
  handler: async (context, request, reply) => {
    const found = await titleExists(context.db, callerOf(request).owner, request.query.title.trim());
    if (!found) return reply.code(204).send(null);
    return sendText(reply, "text/plain; charset=utf-8", "true");
  },
});
