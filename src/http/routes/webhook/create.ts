import { Type } from "typebox";
import { findSubmission } from "../../../db/submissions/submissions.ts";
import { FORMATS, LONGEST_URL } from "../../../domain/webhook/url.ts";
import { registerWebhook } from "../../../intake/webhook.ts";
import { mayChange } from "../../../people/caller.ts";
import { location } from "../../openapi/headers.ts";
import { NEW_WEBHOOK, WEBHOOK } from "../../openapi/webhook-examples.ts";
import { documented, operation, withExample } from "../../operation.ts";
import { callAt, callerOf } from "../../requests/access.ts";
import { notFound } from "../../requests/require-resource.ts";
import { closedObject, uuid } from "../../schemas/basics.ts";
import { CHOICE, KeyedWebhook, viewWebhook } from "../../webhooks.ts";

/** Registers a webhook for all submissions of the caller, or for one. */
export const webhookCreate = operation({
  route: "POST /webhook",
  operationId: "createWebhook",
  summary: "Register a webhook",
  description:
    "The service sends events of submissions to the webhook, signed according to the Standard Webhooks specification. See docs/webhooks.md.",
  tag: "Webhooks",
  problems: ["not_found", "too_many_webhooks"],
  body: withExample(
    closedObject("NewWebhookRequest", "The webhook to register.", {
      url: Type.String({
        ...{ minLength: 1, maxLength: LONGEST_URL, examples: ["https://lab.example.org/accession"] },
        description:
          "Address to which deliveries are sent by POST. `http://` is allowed only in networks that the operator permits.",
      }),
      format: Type.Optional(
        Type.Enum([...FORMATS], {
          description:
            "Format of deliveries: `json` (default), or `cloudevents` for CloudEvents 1.0 in structured mode.",
        }),
      ),
      ...CHOICE,
      submission: Type.Optional(
        uuid(
          "Id of a submission. The webhook then receives all events of this submission, including past ones. Default: new events of all submissions of the caller.",
        ),
      ),
    }),
    { url: WEBHOOK.url, format: WEBHOOK.format },
  ),
  response: {
    201: documented(KeyedWebhook, {
      description: "The webhook with its secret, which is returned only once.",
      headers: { Location: location },
      example: NEW_WEBHOOK,
    }),
  },
  handler: async (context, request, reply) => {
    const { url, format = "json", events = null, submission } = request.body;
    const caller = callerOf(request);
    if (URL.canParse(url)) await callAt(context, request, reply, url);
    if (submission !== undefined) {
      const row = await findSubmission(context.db, submission);
      if (row === undefined || !mayChange(caller, row.owner)) {
        throw notFound("submission", submission);
      }
    }
    const made = await registerWebhook(context.intake, { owner: caller.owner, url, format, events, submission });
    request.log.info({ webhook: made.webhook.id }, "a webhook was registered");
    reply.header("location", `${context.basePath}/webhook/${made.webhook.id}`);
    return { ...viewWebhook(made.webhook), secret: made.secret };
  },
});
