import { Type } from "typebox";
import { removeToken } from "../../db/tokens.ts";
import { Problem } from "../../submission/problems.ts";
import type { HttpContext, Server } from "../context.ts";
import { problems } from "../schemas.ts";
import { requireTokens } from "./token-create.ts";

/** Takes a token away: from now on it is not valid. */
export function tokenRevoke(server: Server, context: HttpContext): void {
  server.delete(
    "/token/:id",
    {
      schema: {
        operationId: "revokeToken",
        summary: "Revoke a token",
        tags: ["Tokens"],
        params: Type.Object({ id: Type.String({ description: "Id of the token, not the token itself." }) }),
        response: { 204: Type.Null({ description: "It is not valid any more." }), ...problems },
      },
    },
    async (request, reply) => {
      requireTokens(context);
      const { id } = request.params;
      const outcome = await removeToken(context.db, id);
      if (outcome === "missing") throw new Problem("not_found", "There is no such token");
      if (outcome === "last_admin") throw new Problem("last_admin");
      request.log.info({ token: id }, "a token was revoked");
      return reply.code(204).send(null);
    },
  );
}
