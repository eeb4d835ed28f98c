import { Problem } from "../../domain/problems.ts";
import type { Server } from "../fastify.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The methods of this path, where the route refuses the others; absent on routes that do something. */
    allow?: string;
  }
}

/**
 * Answers a known path with a wrong method by 405 and `Allow` (RFC 9110, section 15.5.6), and `OPTIONS` by 204 and
 * `Allow`. To be called before any route is added.
 *
 * @returns to be called when all routes are there: adds a route for the remaining methods of each path
 */
export function answerOtherMethods(server: Server): () => void {
  const methods = new Map<string, Set<string>>();
  server.addHook("onRoute", ({ url, method, config }) => {
    // The router takes a path and the same with a slash at its end for one.
    const path = url === "/" ? url : url.replace(/\/$/, "");
    if (path === "*" || config?.allow !== undefined) return;
    const known = methods.get(path) ?? new Set();
    for (const one of [method].flat()) known.add(one);
    methods.set(path, known);
  });
  return () => {
    for (const [url, known] of methods) addOthers(server, url, known);
  };
}

function addOthers(server: Server, url: string, known: ReadonlySet<string>): void {
  const allow = [...known, "OPTIONS"].sort().join(", ");
  const hidden = { schema: { hide: true }, config: { allow } };
  const refused = server.supportedMethods.filter((method) => !known.has(method) && method !== "OPTIONS");
  server.route({
    url,
    method: refused,
    ...hidden,
    // Before a byte of the body is read.
    onRequest: async (_request, reply) => {
      reply.header("allow", allow);
      throw new Problem("method_not_allowed", `This path is for ${[...known].sort().join(" and ")}`);
    },
    handler: async () => undefined,
  });
  server.options(url, hidden, async (_request, reply) => reply.header("allow", allow).code(204).send());
}
