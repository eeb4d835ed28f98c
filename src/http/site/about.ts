import { Problem } from "../../domain/problems.ts";
import { aboutPage } from "../../public/site/about.ts";
import { aboutIn } from "../../public/site/branding.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { languageOf, sendHtml, siteOf } from "./send.ts";

/** The page about the repository. */
export function aboutPages(server: Server, context: HttpContext): void {
  server.get("/about", { schema: { hide: true } }, async (request, reply) => {
    const language = languageOf(request);
    const about = aboutIn(context.branding, language);
    if (about === undefined) throw new Problem("not_found", "This service has no page about itself");
    return reply.send(sendHtml(request, reply, { text: aboutPage(siteOf(context, request), about, language) }));
  });
}
