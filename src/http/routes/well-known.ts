import { Type } from "typebox";
import type { HttpContext, Server } from "../context.ts";

/** The public keys of receipts, and the metrics. */
export function wellKnown(server: Server, context: HttpContext): void {
  server.get(
    "/.well-known/jwks.json",
    {
      schema: {
        operationId: "jwks",
        summary: "Public keys of receipts",
        tags: ["Operating"],
        response: { 200: Type.Object({ keys: Type.Array(Type.Unknown()) }) },
      },
    },
    async () => context.jwks as { keys: unknown[] },
  );
  server.get(
    "/metrics",
    {
      schema: {
        operationId: "metrics",
        summary: "Metrics for Prometheus",
        tags: ["Operating"],
        produces: ["text/plain"],
        response: { 200: Type.String() },
      },
    },
    async (_request, reply) =>
      reply
        .type("text/plain; version=0.0.4; charset=utf-8")
        .serializer((text: unknown) => text as string)
        .send(await context.metrics()),
  );
}
