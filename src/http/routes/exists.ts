import { Type } from "typebox";
import { titleExists } from "../../db/submissions/submissions.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { callerOf } from "../requests/access.ts";

/** e!DAL's client asks this before it goes on. */
export function exists(server: Server, context: HttpContext): void {
  server.get(
    "/submission/info/exists",
    {
      schema: {
        operationId: "exists",
        summary: "Say whether there is a submission of this title",
        tags: ["Before submitting"],
        description: "Of the caller’s own. Front ends ask before somebody submits the same twice.",
        querystring: Type.Object({
          title: Type.String({
            maxLength: 10_000,
            description: "The whole title, as in the metadata.",
            examples: [examples.metadata.title],
          }),
        }),
        response: {
          200: answer(Type.String(), {
            description: "There is one that is neither failed nor cancelled.",
            media: { "text/plain": "true" },
          }),
          204: Type.Null({ description: "There is none." }),
        },
      },
    },
    async (request, reply) => {
      const found = await titleExists(context.db, callerOf(request).owner, request.query.title.trim());
      if (!found) return reply.code(204).send(null);
      return reply
        .type("text/plain; charset=utf-8")
        .serializer((text: unknown) => text as string)
        .send("true");
    },
  );
}
