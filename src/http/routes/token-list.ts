import { Type } from "typebox";
import { allTokens } from "../../db/tokens.ts";
import type { HttpContext, Server } from "../context.ts";
import { problems, TokenView } from "../schemas.ts";
import { viewToken } from "../views.ts";
import { requireTokens } from "./token-create.ts";

/** The tokens that there are, expired ones too; none can be read from this. */
export function tokenList(server: Server, context: HttpContext): void {
  server.get(
    "/token",
    {
      schema: {
        operationId: "listTokens",
        summary: "List tokens, newest first",
        tags: ["Tokens"],
        response: { 200: Type.Array(TokenView), ...problems },
      },
    },
    async () => {
      requireTokens(context);
      return (await allTokens(context.db)).map(viewToken);
    },
  );
}
