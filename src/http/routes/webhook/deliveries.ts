import { Type } from "typebox";
import { listDeliveries } from "../../../db/notifications/deliveries.ts";
import { DELIVERED } from "../../openapi/webhook-examples.ts";
import { operation } from "../../operation.ts";
import { requireWebhook } from "../../requests/require-resource.ts";
import { pageAnswer, pageOf, paging, readCursor, writeCursor } from "../../responses/paging.ts";
import { DELIVERY_STATUSES, DeliveryView, viewDelivery, WebhookParams } from "../../webhooks.ts";

/** Default number of entries per page. */
const PAGE = 50;

/** Lists the deliveries of a webhook, newest first. */
export const webhookDeliveries = operation({
  route: "GET /webhook/:id/deliveries",
  operationId: "listDeliveries",
  summary: "List the deliveries of a webhook",
  description: "Returns the deliveries of the last 30 days and all pending deliveries, newest first.",
  tag: "Webhooks",
  params: WebhookParams,
  querystring: Type.Object({
    status: Type.Optional(
      Type.Enum([...DELIVERY_STATUSES], {
        description: "Only deliveries with this status.",
        examples: ["delivered"],
      }),
    ),
    ...paging(PAGE),
  }),
  response: pageAnswer(DeliveryView, "deliveries", DELIVERED),
  handler: async (context, request, reply) => {
    const { id } = await requireWebhook(context, request);
    const { status, limit = PAGE, cursor } = request.query;
    const rows = await listDeliveries(context.db, {
      webhook: id,
      status,
      limit: limit + 1,
      before: cursor === undefined ? undefined : readCursor(cursor),
    });
    return pageOf(context, request, reply, { rows, views: rows.map(viewDelivery), limit, cursor: writeCursor });
  },
});
