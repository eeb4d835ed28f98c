import { Type } from "typebox";
import { removeWebhook } from "../../../db/notifications/webhooks.ts";
import { operation } from "../../operation.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { WebhookParams } from "../../webhooks.ts";

/** Deletes a webhook with its keys and deliveries. */
export const webhookDelete = operation({
  route: "DELETE /webhook/:id",
  operationId: "deleteWebhook",
  summary: "Delete a webhook",
  description: "Deletes the webhook with its keys and deliveries. Deletion cannot be undone.",
  tag: "Webhooks",
  params: WebhookParams,
  response: { 204: Type.Null({ description: "The webhook is deleted." }) },
  handler: async (context, request) => {
    const { id } = await requireWebhook(context, request);
    await removeWebhook(context.db, id);
    request.log.info({ webhook: id }, "a webhook was deleted");
    return null;
  },
});
