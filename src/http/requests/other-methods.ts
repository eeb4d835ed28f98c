import { Problem } from "../../domain/problems.ts";
import type { Server } from "../fastify.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Methods of the path, on routes that reject all other methods. Absent on operations. */
    allow?: string;
  }
}

/**
 * Answers unsupported methods of known paths with 405 and `Allow` (RFC 9110, section 15.5.6), and `OPTIONS` with 204 and
 * `Allow`. Call it before routes are added.
 *
 * @returns a function to call after all routes are added; it adds a route for the remaining methods of each path
 */
export function answerOtherMethods(server: Server): () => void {
  const methods = new Map<string, Set<string>>();
  server.addHook("onRoute", ({ url, method, config }) => {
    // The router treats a path with and without a trailing slash as the same.
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
    // A hook instead of the handler, to reject before the body is read.
    onRequest: async (_request, reply) => {
      reply.header("allow", allow);
      throw new Problem("method_not_allowed", `This path supports ${[...known].sort().join(" and ")}`);
    },
    handler: async () => undefined,
  });
  server.options(url, hidden, async (_request, reply) => reply.header("allow", allow).code(204).send());
}
