import { Type } from "typebox";
import { replay } from "../../../db/notifications/deliveries.ts";
import { Problem } from "../../../domain/problems.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { answer } from "../../openapi/answer.ts";
import { DELIVERY } from "../../openapi/webhook-examples.ts";
import { notFound, requireWebhook } from "../../requests/require-resource.ts";
import { DeliveryView, viewDelivery, WebhookParams } from "../../webhooks.ts";

/** Sends a delivery again with the same id, and retries it for another day. */
export function webhookReplay(server: Server, context: HttpContext): void {
  server.post(
    "/webhook/:id/deliveries/:delivery/replay",
    {
      config: { problems: ["webhook_disabled"] },
      schema: {
        operationId: "replayDelivery",
        summary: "Replay a delivery",
        description: "Sends the delivery again with the same id. The service retries it for another day.",
        tags: ["Webhooks"],
        params: Type.Object({
          ...WebhookParams.properties,
          delivery: Type.String({ description: "Id of the delivery.", examples: [DELIVERY.id] }),
        }),
        response: {
          202: answer(DeliveryView, { description: "The delivery, which is pending again.", example: DELIVERY }),
        },
      },
    },
    async (request, reply) => {
      const webhook = await requireWebhook(context, request);
      if (webhook.disabled_at !== null) throw new Problem("webhook_disabled");
      const delivery = await replay(context.db, webhook.id, request.params.delivery);
      if (delivery === undefined) throw notFound("delivery", request.params.delivery);
      return reply.code(202).send(viewDelivery(delivery));
    },
  );
}
