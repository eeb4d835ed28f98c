import { enableWebhook } from "../../../db/notifications/webhooks.ts";
import { WEBHOOK } from "../../openapi/webhook-examples.ts";
import { documented, operation } from "../../operation.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { viewWebhook, WebhookParams, WebhookView } from "../../webhooks.ts";

/** Re-enables a disabled webhook, which then receives new events. */
export const webhookEnable = operation({
  route: "POST /webhook/:id/enable",
  operationId: "enableWebhook",
  summary: "Enable a disabled webhook",
  description:
    "The webhook receives new events again. Failed deliveries can be replayed. Events that occurred while the webhook was disabled have no deliveries.",
  tag: "Webhooks",
  params: WebhookParams,
  response: { 200: documented(WebhookView, { description: "The enabled webhook.", example: WEBHOOK }) },
  handler: async (context, request) => {
    const row = await requireWebhook(context, request);
    await enableWebhook(context.db, row.id);
    return viewWebhook({ ...row, disabled_at: null, disabled_because: null });
  },
});
