import { Type } from "typebox";
import { removeToken } from "../../../db/tokens.ts";
import { Problem } from "../../../domain/problems.ts";
import { TOKEN } from "../../openapi/examples.ts";
import { operation } from "../../operation.ts";
import { notFound } from "../../requests/require-resource.ts";
import { requireTokens } from "./create.ts";

/** Revokes a token. It is invalid immediately. */
export const tokenRevoke = operation({
  route: "DELETE /token/:id",
  operationId: "revokeToken",
  summary: "Revoke a token",
  description: "Deletes the token. Requests with it are rejected from then on.",
  tag: "Tokens",
  problems: ["no_tokens_here", "last_admin"],
  params: Type.Object({
    id: Type.String({ description: "Id of the token, not the token itself.", examples: [TOKEN] }),
  }),
  response: { 204: Type.Null({ description: "The token is revoked." }) },
  handler: async (context, request) => {
    requireTokens(context);
    const { id } = request.params;
    const outcome = await removeToken(context.db, id);
    if (outcome === "missing") throw notFound("token", id);
    if (outcome === "last_admin") throw new Problem("last_admin");
    request.log.info({ token: id }, "a token was revoked");
    return null;
  },
});
