import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyReply } from "fastify";
import { Problem } from "../../domain/problems.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";

/** Folder of the files that never change, because their names contain their digests. */
const ASSETS = "assets/";
/** The script of the workers that hash files. It uses WebAssembly, which no page may. */
const HASH_WORKER = /^assets\/hash-worker-[\w-]+\.js$/;
/** A worker has the policy of its script, not that of the page. This one cannot send the files that it reads. */
const HASH_WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'";
const YEAR_MS = 365 * 86_400_000;
const NOT_BUILT = "The web page has not been built. Run “npm run build” in the source folder";

/**
 * Serves the web page at `/app/`. Every path below returns the same HTML document, whose script displays the view for the
 * path. Scripts and styles are in `/app/assets/`, compressed in advance.
 */
export async function servePage(server: Server, context: HttpContext): Promise<void> {
  const { pageFolder } = context;
  const hidden = { schema: { hide: true } };
  if (pageFolder !== undefined) {
    await server.register(fastifyStatic, { root: pageFolder, serve: false, preCompressed: true });
  }
  server.get("/app", hidden, async (_request, reply) => sendDocument(reply, context));
  server.get<{ Params: { "*": string } }>("/app/*", hidden, async (request, reply) => {
    const path = request.params["*"];
    if (!path.startsWith(ASSETS)) return sendDocument(reply, context);
    if (pageFolder === undefined) throw new Problem("not_found", NOT_BUILT);
    if (HASH_WORKER.test(path)) reply.header("content-security-policy", HASH_WORKER_POLICY);
    return reply.sendFile(path, { maxAge: YEAR_MS, immutable: true });
  });
}

/** Sends the HTML document with the base path of the page and a new nonce for its styles. */
async function sendDocument(reply: FastifyReply, context: HttpContext): Promise<FastifyReply> {
  const { pageFolder = "", basePath } = context;
  const html = await readFile(join(pageFolder, "index.html"), "utf8").catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") throw new Problem("not_found", NOT_BUILT, { cause });
    throw cause;
  });
  const nonce = randomBytes(16).toString("base64");
  return reply
    .type("text/html; charset=utf-8")
    .header("content-security-policy", pagePolicy(nonce, await context.providerOrigins()))
    .send(html.replaceAll("%BASE%", `${basePath}/app/`).replaceAll("%NONCE%", nonce));
}

/**
 * The Content Security Policy of the page. All content comes from the service. The page may also connect to these origins
 * of the identity provider. Styles that the page adds at run time have the nonce.
 */
function pagePolicy(nonce: string, provider: readonly string[]): string {
  const directives: Record<string, string[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'"],
    "style-src": ["'self'", `'nonce-${nonce}'`],
    "connect-src": ["'self'", ...provider],
    // Previews of archived images are fetched with the caller’s token and displayed from memory.
    "img-src": ["'self'", "data:", "blob:"],
    "base-uri": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}
