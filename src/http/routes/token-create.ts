import { Type } from "typebox";
import { createToken } from "../../auth/tokens.ts";
import { Problem } from "../../domain/problems.ts";
import { requireText } from "../../intake/request.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import * as examples from "../openapi/examples.ts";
import { callerOf } from "../requests/access.ts";
import { timeIn } from "../responses/paging.ts";
import { viewToken } from "../responses/views.ts";
import { Role, TokenView } from "../schemas.ts";

const YEAR_MS = 365 * 86_400_000;
const Created = Type.Object(
  {
    ...TokenView.properties,
    token: Type.String({ description: "The token itself. It is shown here and never again." }),
  },
  { title: "NewToken", description: "A token, with the token itself." },
);

/** Gives a token out. */
export function tokenCreate(server: Server, context: HttpContext): void {
  server.post(
    "/token",
    {
      config: { problems: ["no_tokens_here"] },
      schema: {
        operationId: "createToken",
        summary: "Create a token",
        description: "Give the token to its holder; the service keeps a digest of it alone.",
        tags: ["Tokens"],
        body: Type.Object(
          {
            name: Type.String({
              ...{ minLength: 1, maxLength: 200, pattern: "^\\S(.*\\S)?$" },
              description: "The owner for whom its holder acts; several tokens may have the same one.",
            }),
            role: Role,
            expiresAt: Type.Optional(
              Type.Union([Type.String({ maxLength: 40, format: "date-time" }), Type.Null()], {
                description: "In a year unless given; null for never.",
              }),
            ),
          },
          {
            title: "NewTokenRequest",
            description: "For whom a token is, and what they may do.",
            additionalProperties: false,
            examples: [{ name: examples.token.name, role: examples.token.role }],
          },
        ),
        response: {
          201: answer(Created, {
            description: "The token, this once.",
            example: { ...examples.token, token: `acc_${"x".repeat(43)}` },
          }),
        },
      },
    },
    async (request, reply) => {
      requireTokens(context);
      const { name, role, expiresAt } = request.body;
      requireText(name, "/name");
      const expires = expiresAt === null ? null : endOf(expiresAt);
      const byFirst = role === "admin" && callerOf(request).isFirst === true;
      const { text, token, replacedFirst } = await createToken(context.db, { name, role, expiresAt: expires, byFirst });
      if (replacedFirst) await context.tokens?.removeFirstAdminToken();
      request.log.info({ token: token.id, name, role }, "a token was created");
      return reply.code(201).send({ ...viewToken(token), token: text });
    },
  );
}

function endOf(text: string | undefined): Date {
  const now = Date.now();
  const end = text === undefined ? new Date(now + YEAR_MS) : timeIn(text);
  if (end !== undefined && end.getTime() > now) return end;
  const detail = "A time in the future, up to the year 9999 in UTC, is required.";
  const error = { pointer: "/expiresAt", code: "wrong_value", detail } as const;
  throw new Problem("invalid_request", "The request has one fault", { errors: [error] });
}

/** @throws Problem `no_tokens_here` where callers do not sign in with tokens of this service */
export function requireTokens(context: HttpContext): void {
  if (context.tokens !== undefined) return;
  throw new Problem("no_tokens_here");
}
