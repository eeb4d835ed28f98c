import { WEBHOOK } from "../../openapi/webhook-examples.ts";
import { documented, operation } from "../../operation.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { viewWebhook, WebhookParams, WebhookView } from "../../webhooks.ts";

/** Returns a webhook. */
export const webhookGet = operation({
  route: "GET /webhook/:id",
  operationId: "getWebhook",
  summary: "Retrieve a webhook",
  description: "Returns the webhook without its secret.",
  tag: "Webhooks",
  params: WebhookParams,
  response: { 200: documented(WebhookView, { description: "The webhook.", example: WEBHOOK }) },
  handler: async (context, request) => viewWebhook(await requireWebhook(context, request)),
});
