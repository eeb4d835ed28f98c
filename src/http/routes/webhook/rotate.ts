import { rotateKeys } from "../../../intake/webhook.ts";
import { NEW_WEBHOOK } from "../../openapi/webhook-examples.ts";
import { documented, operation } from "../../operation.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { KeyedWebhook, viewWebhook, WebhookParams } from "../../webhooks.ts";

/** Creates new keys for a webhook. The old keys also sign for another day. */
export const webhookRotate = operation({
  route: "POST /webhook/:id/rotate",
  operationId: "rotateWebhook",
  summary: "Rotate the keys of a webhook",
  description:
    "Creates new keys. For one day, deliveries are signed with the old keys too. If a key is compromised, delete the webhook, which makes its keys invalid immediately.",
  tag: "Webhooks",
  params: WebhookParams,
  response: {
    200: documented(KeyedWebhook, {
      description: "The webhook with its new secret, which is returned only once.",
      example: NEW_WEBHOOK,
    }),
  },
  handler: async (context, request) => {
    const { id } = await requireWebhook(context, request);
    const { webhook, secret } = await rotateKeys(context.intake, id);
    request.log.info({ webhook: id }, "a webhook was given new keys");
    return { ...viewWebhook(webhook), secret };
  },
});
