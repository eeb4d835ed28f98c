import { Type } from "typebox";
import { removeToken } from "../../../db/tokens.ts";
import { Problem } from "../../../domain/problems.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { TOKEN } from "../../openapi/examples.ts";
import { notFound } from "../../requests/require-resource.ts";
import { requireTokens } from "./create.ts";

/** Revokes a token. It is invalid immediately. */
export function tokenRevoke(server: Server, context: HttpContext): void {
  server.delete(
    "/token/:id",
    {
      config: { problems: ["no_tokens_here", "last_admin"] },
      schema: {
        operationId: "revokeToken",
        summary: "Revoke a token",
        description: "Deletes the token. Requests with it are rejected from then on.",
        tags: ["Tokens"],
        params: Type.Object({
          id: Type.String({ description: "Id of the token, not the token itself.", examples: [TOKEN] }),
        }),
        response: { 204: Type.Null({ description: "The token is revoked." }) },
      },
    },
    async (request, reply) => {
      requireTokens(context);
      const { id } = request.params;
      const outcome = await removeToken(context.db, id);
      if (outcome === "missing") throw notFound("token", id);
      if (outcome === "last_admin") throw new Problem("last_admin");
      request.log.info({ token: id }, "a token was revoked");
      return reply.code(204).send(null);
    },
  );
}
