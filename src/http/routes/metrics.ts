import { Type } from "typebox";
import type { ProbeContext } from "../context.ts";
import { documented, operation } from "../operation.ts";
import { sendText } from "../responses/send-text.ts";

/** Returns metrics for monitoring. They never contain an owner, title, bucket or endpoint. */
export const metrics = operation({
  route: "GET /metrics",
  operationId: "metrics",
  summary: "Retrieve metrics for Prometheus",
  description: "Returns the metrics of the service. They never contain an owner, title, bucket or endpoint.",
  tag: "Operating",
  config: { anyQuery: true },
  response: {
    200: documented(Type.String(), {
      description: "The metrics in the text format of Prometheus.",
      media: { "text/plain": '# TYPE accession_submissions gauge\naccession_submissions{status="completed"} 1\n' },
    }),
  },
  handler: async (context: ProbeContext, _request, reply) =>
    sendText(reply, "text/plain; version=0.0.4; charset=utf-8", await context.metrics.text()),
});
