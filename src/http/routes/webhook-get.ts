import type { HttpContext, Server } from "../context.ts";
import { requireWebhook } from "../require.ts";
import { problems } from "../schemas.ts";
import { viewWebhook, WebhookParams, WebhookView } from "../webhooks.ts";

/** One webhook. */
export function webhookGet(server: Server, context: HttpContext): void {
  server.get(
    "/webhook/:id",
    {
      schema: {
        operationId: "getWebhook",
        summary: "Look at a webhook",
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 200: WebhookView, ...problems },
      },
    },
    async (request) => viewWebhook(await requireWebhook(context, request)),
  );
}
