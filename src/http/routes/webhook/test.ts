import { addTestDelivery } from "../../../db/notifications/deliveries.ts";
import { Problem } from "../../../domain/problems.ts";
import { TEST_DELIVERY } from "../../openapi/webhook-examples.ts";
import { documented, operation } from "../../operation.ts";
import { callAt } from "../../requests/access.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { DeliveryView, viewDelivery, WebhookParams } from "../../webhooks.ts";

/** Sends a test delivery to a webhook. */
export const webhookTest = operation({
  route: "POST /webhook/:id/test",
  operationId: "testWebhook",
  summary: "Send a test delivery",
  description:
    "Sends a signed event of type `webhook.test` once, regardless of the event types that the webhook subscribes to. The list of deliveries shows the response of the endpoint.",
  tag: "Webhooks",
  problems: ["webhook_disabled"],
  params: WebhookParams,
  response: { 202: documented(DeliveryView, { description: "The test delivery.", example: TEST_DELIVERY }) },
  handler: async (context, request, reply) => {
    const webhook = await requireWebhook(context, request);
    if (webhook.disabled_at !== null) throw new Problem("webhook_disabled");
    await callAt(context, request, reply, webhook.url);
    return viewDelivery(await addTestDelivery(context.db, webhook.id));
  },
});
