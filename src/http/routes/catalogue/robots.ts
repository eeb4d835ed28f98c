import type { HttpContext } from "../../context.ts";
import { siteUrl } from "../../dataset/readable-version.ts";
import type { Server } from "../../fastify.ts";
import { sendList } from "../../site/send.ts";

/** What crawlers must not request, because it is only of use to people, or is a whole dataset. */
const CLOSED = [
  ...["/app/", "/docs/", "/download/", "/oai"],
  ...["/dataset/*/files", "/dataset/*/preview", "/dataset/*/export/bagit", "/dataset/*/export/ro-crate"],
];

/** Rules for crawlers (RFC 9309). They may read the pages of datasets and their descriptions, and find them in the site map. */
export function robots(server: Server, context: HttpContext): void {
  server.get("/robots.txt", { schema: { hide: true } }, async (request, reply) => {
    const rules = CLOSED.map((path) => `Disallow: ${context.basePath}${path}\n`);
    const text = `User-agent: *\n${rules.join("")}\nSitemap: ${siteUrl(context)}/sitemap.xml\n`;
    return sendList(request, reply, "text/plain; charset=utf-8", text);
  });
}
