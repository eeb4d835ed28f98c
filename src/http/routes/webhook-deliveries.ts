import { Type } from "typebox";
import { listDeliveries } from "../../db/deliveries.ts";
import type { HttpContext, Server } from "../context.ts";
import { answer } from "../openapi/answer.ts";
import { nextPage } from "../openapi/headers.ts";
import { LISTED_DELIVERY } from "../openapi/webhook-examples.ts";
import { linkNext, Paging, readCursor, writeCursor } from "../paging.ts";
import { requireWebhook } from "../require.ts";
import { DELIVERY_STATUSES, ListedDeliveryView, viewListedDelivery, WebhookParams } from "../webhooks.ts";

/** What a webhook was told of, newest first. */
export function webhookDeliveries(server: Server, context: HttpContext): void {
  server.get(
    "/webhook/:id/deliveries",
    {
      schema: {
        operationId: "listDeliveries",
        summary: "List the deliveries of a webhook",
        description: "Those of the last 30 days, and what is still to be delivered.",
        tags: ["Webhooks"],
        params: WebhookParams,
        querystring: Type.Object({
          status: Type.Optional(
            Type.Enum([...DELIVERY_STATUSES], { description: "Only these.", examples: ["delivered"] }),
          ),
          ...Paging,
        }),
        response: {
          200: answer(Type.Array(ListedDeliveryView), {
            description: "A page of them.",
            headers: { Link: nextPage },
            example: [LISTED_DELIVERY],
          }),
        },
      },
    },
    async (request, reply) => {
      const { id } = await requireWebhook(context, request);
      const { status, limit = 50, cursor } = request.query;
      const rows = await listDeliveries(context.db, {
        webhook: id,
        status,
        limit: limit + 1,
        before: cursor === undefined ? undefined : readCursor(cursor),
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      if (rows.length > limit && last !== undefined) linkNext(request, reply, context.basePath, writeCursor(last));
      return page.map(viewListedDelivery);
    },
  );
}
