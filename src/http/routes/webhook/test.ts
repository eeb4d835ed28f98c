import { addTestDelivery } from "../../../db/notifications/deliveries.ts";
import { Problem } from "../../../domain/problems.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import { TEST_DELIVERY } from "../../openapi/webhook-examples.ts";
import { callAt } from "../../requests/access.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { DeliveryView, viewDelivery, WebhookParams } from "../../webhooks.ts";

/** Sends a test delivery to a webhook. */
export function webhookTest(server: Server, context: HttpContext): void {
  server.post(
    "/webhook/:id/test",
    {
      config: { problems: ["webhook_disabled"] },
      schema: {
        operationId: "testWebhook",
        summary: "Send a test delivery",
        description:
          "Sends a signed event of type `webhook.test` once, regardless of the event types that the webhook subscribes to. The list of deliveries shows the response of the endpoint.",
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 202: answer(DeliveryView, { description: "The test delivery.", example: TEST_DELIVERY }) },
      },
    },
    async (request, reply) => {
      const webhook = await requireWebhook(context, request);
      if (webhook.disabled_at !== null) throw new Problem("webhook_disabled");
      await callAt(context, request, reply, webhook.url);
      return reply.code(202).send(viewDelivery(await addTestDelivery(context.db, webhook.id)));
    },
  );
}
