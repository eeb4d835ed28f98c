import { Type } from "typebox";
import { titleExists } from "../../db/submissions.ts";
import { callerOf } from "../access.ts";
import type { HttpContext, Server } from "../context.ts";
import { problems } from "../schemas.ts";

/** e!DAL's client asks this before it goes on. */
export function exists(server: Server, context: HttpContext): void {
  server.get(
    "/submission/info/exists",
    {
      schema: {
        operationId: "exists",
        summary: "Say whether there is a submission of this title",
        tags: ["Before submitting"],
        querystring: Type.Object({ title: Type.String({ maxLength: 10_000 }) }),
        response: {
          200: Type.String({ description: "`true`: there is one that is neither failed nor cancelled." }),
          204: Type.Null({ description: "There is none." }),
          ...problems,
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
