import { setWebhookEvents } from "../../../db/notifications/webhooks.ts";
import { WEBHOOK } from "../../openapi/webhook-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { closedObject } from "../../schemas/basics.ts";
import { CHOICE, viewWebhook, WebhookParams, WebhookView } from "../../webhooks.ts";

/** Changes the events that a webhook subscribes to. */
export const webhookUpdate = operation({
  route: "PATCH /webhook/:id",
  operationId: "updateWebhook",
  summary: "Update a webhook",
  description: "Changes the event types of the webhook, for new events. Omitted members do not change.",
  tag: "Webhooks",
  params: WebhookParams,
  body: withExample(closedObject("WebhookChanges", "Changes to a webhook.", CHOICE), {
    events: ["completed", "failed"],
  }),
  response: { 200: documented(WebhookView, { description: "The webhook after the change.", example: WEBHOOK }) },
  handler: async (context, request) => {
    const row = await requireWebhook(context, request);
    const { events = row.events } = request.body;
    await setWebhookEvents(context.db, row.id, events);
    return viewWebhook({ ...row, events });
  },
});
