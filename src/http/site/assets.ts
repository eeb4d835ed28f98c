import type { FastifyReply } from "fastify";
import { Problem } from "../../domain/problems.ts";
import { ICON } from "../../public/site/icon.ts";
import { STYLE } from "../../public/site/style.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";

const YEAR = "public, max-age=31536000, immutable";
const DAY = "public, max-age=86400";

/** Serves the icon also where browsers look for it without a link, the style and the images of the public pages. */
export function siteAssets(server: Server, context: HttpContext): void {
  const icon = (reply: FastifyReply) => reply.type("image/svg+xml").header("cache-control", DAY).send(ICON);
  server.get("/favicon.ico", { schema: { hide: true } }, async (_request, reply) => icon(reply));
  server.get<{ Params: { file: string } }>("/site/:file", { schema: { hide: true } }, async (request, reply) => {
    const { file } = request.params;
    if (file === STYLE.name)
      return reply.type("text/css; charset=utf-8").header("cache-control", YEAR).send(STYLE.text);
    if (file === "icon.svg") return icon(reply);
    const { logo, colours } = context.branding;
    const own = [logo, colours].find((one) => one?.name === file);
    if (own === undefined) throw new Problem("not_found", "The file does not exist");
    return (
      reply
        .type(own.mediaType)
        .header("cache-control", YEAR)
        // An SVG file that is opened alone could run scripts.
        .header("content-security-policy", "default-src 'none'; sandbox")
        .send(own.bytes)
    );
  });
}
