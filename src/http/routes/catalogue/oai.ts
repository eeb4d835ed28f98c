import type { FastifyReply, FastifyRequest } from "fastify";
import { PublishedDescriptions } from "../../catalogue/describe-published.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answerHarvester } from "../../oai/answer.ts";
import { readerOf } from "../../requests/access.ts";

/** Arguments of OAI-PMH are short. */
const FORM_BYTES = 16 * 1024;

/** Harvesting by OAI-PMH 2.0, by GET and by POST of a form. */
export function oai(server: Server, context: HttpContext): void {
  const descriptions = new PublishedDescriptions(context);
  const hidden = { schema: { hide: true } };
  const send = async (request: FastifyRequest, reply: FastifyReply, body = "") => {
    // Not the parsed query, because repeated arguments are errors.
    const [, query = ""] = request.raw.url?.split("?", 2) ?? [];
    const answer = await answerHarvester(context, descriptions, new URLSearchParams(`${query}&${body}`));
    context.limits.answer(reply, readerOf(request), Buffer.byteLength(answer));
    return reply.type("text/xml; charset=utf-8").send(answer);
  };
  server.get("/oai", hidden, async (request, reply) => send(request, reply));
  // No other operation accepts forms of this type.
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const form = { parseAs: "string", bodyLimit: FORM_BYTES } as const;
    scope.addContentTypeParser("application/x-www-form-urlencoded", form, async (_: unknown, body: string) => body);
    scope.post("/oai", hidden, async (request, reply) => send(request, reply, (request.body as string | null) ?? ""));
  });
}
