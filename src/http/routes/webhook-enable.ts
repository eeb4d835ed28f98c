import { enableWebhook } from "../../db/notifications/webhooks.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import { WEBHOOK } from "../openapi/webhook-examples.ts";
import { requireWebhook } from "../requests/find-or-refuse.ts";
import { viewWebhook, WebhookParams, WebhookView } from "../webhooks.ts";

/** Lets a disabled webhook be told of what happens from now on. */
export function webhookEnable(server: Server, context: HttpContext): void {
  server.post(
    "/webhook/:id/enable",
    {
      schema: {
        operationId: "enableWebhook",
        summary: "Enable a webhook that was disabled",
        description:
          "What was given up can be replayed; of what happened while it was disabled there are no deliveries.",
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 200: answer(WebhookView, { description: "It is told again.", example: WEBHOOK }) },
      },
    },
    async (request) => {
      const row = await requireWebhook(context, request);
      await enableWebhook(context.db, row.id);
      return viewWebhook({ ...row, disabled_at: null, disabled_because: null });
    },
  );
}
