import { Type } from "typebox";
import { allTokens } from "../../../db/tokens.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import * as examples from "../../openapi/examples.ts";
import { viewToken } from "../../responses/views.ts";
import { TokenView } from "../../schemas.ts";
import { requireTokens } from "./create.ts";

/** Lists all tokens, including expired ones, without their secret texts. */
export function tokenList(server: Server, context: HttpContext): void {
  server.get(
    "/token",
    {
      config: { problems: ["no_tokens_here"] },
      schema: {
        operationId: "listTokens",
        summary: "List tokens",
        description: "Returns all tokens, including expired ones, newest first. Secret texts are not returned.",
        tags: ["Tokens"],
        response: {
          200: answer(Type.Array(TokenView), { description: "The tokens.", example: [examples.token] }),
        },
      },
    },
    async () => {
      requireTokens(context);
      return (await allTokens(context.db)).map(viewToken);
    },
  );
}
