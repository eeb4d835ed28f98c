import { Type } from "typebox";
import { listWebhooks } from "../../../db/notifications/webhooks.ts";
import { WEBHOOK } from "../../openapi/webhook-examples.ts";
import { operation } from "../../operation.ts";
import { callerOf } from "../../requests/access.ts";
import { pageAnswer, pageOf, paging, readCursor, writeCursor } from "../../responses/paging.ts";
import { viewWebhook, WebhookView } from "../../webhooks.ts";

/** Default number of entries per page. */
const PAGE = 50;

/** Lists the webhooks of the caller, newest first. Admins see all webhooks. */
export const webhookList = operation({
  route: "GET /webhook",
  operationId: "listWebhooks",
  summary: "List webhooks",
  description: "Returns the webhooks of the caller, newest first. For admins, it returns all webhooks.",
  tag: "Webhooks",
  querystring: Type.Object(paging(PAGE)),
  response: pageAnswer(WebhookView, "webhooks", WEBHOOK),
  handler: async (context, request, reply) => {
    const { limit = PAGE, cursor } = request.query;
    const caller = callerOf(request);
    const rows = await listWebhooks(context.db, {
      owner: caller.roles.includes("admin") ? undefined : caller.owner,
      limit: limit + 1,
      before: cursor === undefined ? undefined : readCursor(cursor),
    });
    return pageOf(context, request, reply, { rows, views: rows.map(viewWebhook), limit, cursor: writeCursor });
  },
});
