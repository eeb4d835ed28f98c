import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import type { Code } from "../../../domain/problems.ts";
import { PublishedDescriptions } from "../../catalogue/describe-published.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answerHarvester, answerUnreadable } from "../../oai/answer.ts";
import { codeOf, stopReading } from "../../responses/problem-answers.ts";

const FORM = "application/x-www-form-urlencoded";
/** Arguments of OAI-PMH are short. */
const FORM_BYTES = 16 * 1024;
const XML = "text/xml; charset=utf-8";

/**
 * Why arguments cannot be read. These errors are part of the answer, as those of the arguments themselves: the protocol uses the
 * status of HTTP only for what is not specific to it, such as limits and failures.
 */
const UNREADABLE: Partial<Record<Code, string>> = {
  unsupported_media_type: `The arguments of a POST request must be a form without compression (Content-Type: ${FORM})`,
  body_too_large: `The arguments of a POST request must not be longer than ${FORM_BYTES} bytes`,
};

/** Harvesting by OAI-PMH 2.0, by GET and by POST of a form. */
export function oai(server: Server, context: HttpContext): void {
  const descriptions = new PublishedDescriptions(context);
  const errorHandler = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const code = codeOf(error);
    const message = code && UNREADABLE[code];
    if (code === undefined || message === undefined) throw error;
    stopReading(request, reply);
    return reply.code(200).type(XML).send(answerUnreadable(context, message));
  };
  const options = { schema: { hide: true }, config: { onlyReads: true as const }, errorHandler };
  const send = async (request: FastifyRequest, reply: FastifyReply, body = "") => {
    // Not the parsed query, because repeated arguments are errors.
    const [, query = ""] = request.raw.url?.split("?", 2) ?? [];
    const answer = await answerHarvester(context, descriptions, new URLSearchParams(`${query}&${body}`));
    return reply.type(XML).send(answer);
  };
  server.get("/oai", options, async (request, reply) => send(request, reply));
  // No other operation accepts forms of this type.
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const form = { parseAs: "string", bodyLimit: FORM_BYTES } as const;
    scope.addContentTypeParser(FORM, form, async (_: unknown, body: string) => body);
    scope.post("/oai", options, async (request, reply) => send(request, reply, (request.body as string | null) ?? ""));
  });
}
