import { Type } from "typebox";
import { replay } from "../../../db/notifications/deliveries.ts";
import { Problem } from "../../../domain/problems.ts";
import { DELIVERY } from "../../openapi/webhook-examples.ts";
import { documented, operation } from "../../operation.ts";
import { notFound, requireWebhook } from "../../requests/require-resource.ts";
import { DeliveryView, viewDelivery, WebhookParams } from "../../webhooks.ts";

/** Sends a delivery again with the same id, and retries it for another day. */
export const webhookReplay = operation({
  route: "POST /webhook/:id/deliveries/:delivery/replay",
  operationId: "replayDelivery",
  summary: "Replay a delivery",
  description: "Sends the delivery again with the same id. The service retries it for another day.",
  tag: "Webhooks",
  problems: ["webhook_disabled"],
  params: Type.Object({
    ...WebhookParams.properties,
    delivery: Type.String({ description: "Id of the delivery.", examples: [DELIVERY.id] }),
  }),
  response: {
    202: documented(DeliveryView, { description: "The delivery, which is pending again.", example: DELIVERY }),
  },
  handler: async (context, request) => {
    const webhook = await requireWebhook(context, request);
    if (webhook.disabled_at !== null) throw new Problem("webhook_disabled");
    const delivery = await replay(context.db, webhook.id, request.params.delivery);
    if (delivery === undefined) throw notFound("delivery", request.params.delivery);
    return viewDelivery(delivery);
  },
});
