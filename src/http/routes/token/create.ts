import { Type } from "typebox";
import { Problem } from "../../../domain/problems.ts";
import { TOKEN_NAME } from "../../../domain/token-name.ts";
import { invalid, requireText } from "../../../intake/request.ts";
import { createToken } from "../../../people/tokens.ts";
import type { HttpContext } from "../../context.ts";
import * as examples from "../../openapi/examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { timeIn } from "../../responses/paging.ts";
import { viewToken } from "../../responses/views.ts";
import { closedObject, object, Role, TokenView, text } from "../../schemas.ts";

const YEAR_MS = 365 * 86_400_000;
const Created = object("NewToken", "A token with its secret text.", {
  ...TokenView.properties,
  token: text("Secret text of the token. It is returned only once."),
});

/** Creates a token. */
export const tokenCreate = operation({
  route: "POST /token",
  operationId: "createToken",
  summary: "Create a token",
  description: "Creates a token and returns its secret text. The service stores only a digest of it.",
  tag: "Tokens",
  problems: ["no_tokens_here"],
  body: withExample(
    closedObject("NewTokenRequest", "The token to create.", {
      name: Type.String({
        ...TOKEN_NAME,
        description: "Owner name under which the holder acts. Several tokens can have the same name.",
      }),
      role: Role,
      expiresAt: Type.Optional(
        Type.Union([Type.String({ maxLength: 40, format: "date-time" }), Type.Null()], {
          description: "Time at which the token expires; null for never. Default: in one year.",
        }),
      ),
    }),
    { name: examples.token.name, role: examples.token.role },
  ),
  response: {
    201: documented(Created, {
      description: "The token with its secret text.",
      example: { ...examples.token, token: `acc_${"x".repeat(43)}` },
    }),
  },
  handler: async (context, request) => {
    requireTokens(context);
    const { name, role, expiresAt } = request.body;
    requireText(name, "/name");
    const expires = expiresAt === null ? null : endOf(expiresAt);
    const byFirst = role === "admin" && callerOf(request).isFirst === true;
    const { text, token, replacedFirst } = await createToken(context.db, { name, role, expiresAt: expires, byFirst });
    if (replacedFirst) await context.tokens?.removeFirstAdminToken();
    request.log.info({ token: token.id, name, role }, "a token was created");
    return { ...viewToken(token), token: text };
  },
});

function endOf(text: string | undefined): Date {
  const now = Date.now();
  const end = text === undefined ? new Date(now + YEAR_MS) : timeIn(text);
  if (end !== undefined && end.getTime() > now) return end;
  const detail = "A time in the future, up to the year 9999 in UTC, is required.";
  throw invalid([{ pointer: "/expiresAt", code: "wrong_value", detail }], []);
}

/** @throws Problem `no_tokens_here` if callers do not sign in with tokens of this service */
export function requireTokens(context: HttpContext): void {
  if (context.tokens !== undefined) return;
  throw new Problem("no_tokens_here");
}
