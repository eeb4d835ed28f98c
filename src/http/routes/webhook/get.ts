import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import { WEBHOOK } from "../../openapi/webhook-examples.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { viewWebhook, WebhookParams, WebhookView } from "../../webhooks.ts";

/** Returns a webhook. */
export function webhookGet(server: Server, context: HttpContext): void {
  server.get(
    "/webhook/:id",
    {
      schema: {
        operationId: "getWebhook",
        summary: "Retrieve a webhook",
        description: "Returns the webhook without its secret.",
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 200: answer(WebhookView, { description: "The webhook.", example: WEBHOOK }) },
      },
    },
    async (request) => viewWebhook(await requireWebhook(context, request)),
  );
}
