import { Type } from "typebox";
import { setWebhookEvents } from "../../db/webhooks.ts";
import type { HttpContext, Server } from "../context.ts";
import { answer } from "../openapi/answer.ts";
import { WEBHOOK } from "../openapi/webhook-examples.ts";
import { requireWebhook } from "../require.ts";
import { CHOICE, viewWebhook, WebhookParams, WebhookView } from "../webhooks.ts";

/** Chooses the events that a webhook is told of. */
export function webhookUpdate(server: Server, context: HttpContext): void {
  server.patch(
    "/webhook/:id",
    {
      schema: {
        operationId: "updateWebhook",
        summary: "Choose the events of a webhook",
        description: "Holds for events to come. Members that are left out stay as they are.",
        tags: ["Webhooks"],
        params: WebhookParams,
        body: Type.Object(CHOICE, {
          title: "WebhookChanges",
          description: "What is to change of a webhook.",
          additionalProperties: false,
          examples: [{ events: ["completed", "failed"] }],
        }),
        response: { 200: answer(WebhookView, { description: "As it stands now.", example: WEBHOOK }) },
      },
    },
    async (request) => {
      const row = await requireWebhook(context, request);
      const { events = row.events } = request.body;
      await setWebhookEvents(context.db, row.id, events);
      return viewWebhook({ ...row, events });
    },
  );
}
