import { rotateKeys } from "../../intake/webhook.ts";
import type { HttpContext } from "../context.ts";
import type { Server } from "../fastify.ts";
import { answer } from "../openapi/answer.ts";
import { NEW_WEBHOOK } from "../openapi/webhook-examples.ts";
import { requireWebhook } from "../requests/find-or-refuse.ts";
import { KeyedWebhook, viewWebhook, WebhookParams } from "../webhooks.ts";

/** Gives a webhook new keys, beside which the old ones sign for another day. */
export function webhookRotate(server: Server, context: HttpContext): void {
  server.post(
    "/webhook/:id/rotate",
    {
      schema: {
        operationId: "rotateWebhook",
        summary: "Give a webhook new keys",
        description:
          "For a day deliveries are signed with the old keys, too. A key that others know is gone with its webhook at once.",
        tags: ["Webhooks"],
        params: WebhookParams,
        response: {
          200: answer(KeyedWebhook, {
            description: "The webhook, and this once its new secret.",
            example: NEW_WEBHOOK,
          }),
        },
      },
    },
    async (request) => {
      const { id } = await requireWebhook(context, request);
      const { webhook, secret } = await rotateKeys(context.intake, id);
      request.log.info({ webhook: id }, "a webhook was given new keys");
      return { ...viewWebhook(webhook), secret };
    },
  );
}
