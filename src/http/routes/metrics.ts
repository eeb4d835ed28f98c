import { Type } from "typebox";
import type { ProbeContext, Server } from "../context.ts";

/** What monitoring reads. It names no owner, title, bucket or endpoint. */
export function metrics(server: Server, context: ProbeContext): void {
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
        .send(await context.metrics.text()),
  );
}
