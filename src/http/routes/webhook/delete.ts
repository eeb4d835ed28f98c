import { Type } from "typebox";
import { removeWebhook } from "../../../db/notifications/webhooks.ts";
import type { HttpContext } from "../../context.ts";
import type { Server } from "../../fastify.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { WebhookParams } from "../../webhooks.ts";

/** Deletes a webhook with its keys and deliveries. */
export function webhookDelete(server: Server, context: HttpContext): void {
  server.delete(
    "/webhook/:id",
    {
      schema: {
        operationId: "deleteWebhook",
        summary: "Delete a webhook",
        description: "Deletes the webhook with its keys and deliveries. Deletion cannot be undone.",
        tags: ["Webhooks"],
        params: WebhookParams,
        response: { 204: Type.Null({ description: "The webhook is deleted." }) },
      },
    },
    async (request, reply) => {
      const { id } = await requireWebhook(context, request);
      await removeWebhook(context.db, id);
      request.log.info({ webhook: id }, "a webhook was deleted");
      return reply.code(204).send(null);
    },
  );
}
