import { Type } from "typebox";
import { allTokens } from "../../../db/tokens.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation } from "../../operation.ts";
import { viewToken } from "../../responses/views.ts";
import { TokenView } from "../../schemas.ts";
import { requireTokens } from "./create.ts";

/** Lists all tokens, including expired ones, without their secret texts. */
export const tokenList = operation({
  route: "GET /token",
  operationId: "listTokens",
  summary: "List tokens",
  description: "Returns all tokens, including expired ones, newest first. Secret texts are not returned.",
  tag: "Tokens",
  problems: ["no_tokens_here"],
  response: { 200: documented(Type.Array(TokenView), { description: "The tokens.", example: [examples.token] }) },
  handler: async (context) => {
    requireTokens(context);
    return (await allTokens(context.db)).map(viewToken);
  },
});
