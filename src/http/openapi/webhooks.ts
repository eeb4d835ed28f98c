import { type TSchema, Type } from "typebox";
import { CloudEvent, Notice, TestCloudEvent, TestNotice } from "../schemas.ts";
import type { Operation } from "./types.ts";
import { COMPLETED_NOTICE, TEST_NOTICE, WEBHOOK_HEADERS } from "./webhook-examples.ts";

/** A body in both formats. @param notice the example in the format `json` */
const bodyOf = (
  schemas: { json: TSchema; cloudEvent: TSchema },
  { type, timestamp: time, data }: { type: string; timestamp: string; data: object },
  { id, subject }: { id: string; subject: string },
) => {
  const source = "https://archive.example.org";
  const cloudEvent = { specversion: "1.0", id, source, type, subject, time, datacontenttype: "application/json", data };
  return {
    required: true,
    content: {
      "application/json": { schema: schemas.json, example: { type, timestamp: time, data } },
      "application/cloudevents+json": { schema: schemas.cloudEvent, example: cloudEvent },
    },
  };
};

const { submission, event } = COMPLETED_NOTICE.data;

const header = (name: keyof typeof WEBHOOK_HEADERS, description: string) => ({
  in: "header",
  name,
  required: true,
  description,
  schema: Type.String(),
  example: WEBHOOK_HEADERS[name],
});

const submissionEvent: Operation = {
  operationId: "submissionEvent",
  summary: "Event of a submission",
  description:
    "A POST request to the `url` of a webhook. Each event is delivered at least once, and the events of a submission are delivered in order. A 2xx response within 15 seconds accepts the delivery, and 410 disables the webhook. After any other result, the delivery is retried for a day. See docs/webhooks.md.",
  tags: ["Webhooks"],
  parameters: [
    header("webhook-id", "Id of the delivery, the same for every attempt."),
    header("webhook-timestamp", "Time of this attempt, in seconds since 1970 (Unix time)."),
    header(
      "webhook-signature",
      "Signatures of `id.timestamp.body`, separated by spaces. Each key signs once: `v1,` is HMAC-SHA-256, `v1a,` is Ed25519.",
    ),
  ],
  requestBody: bodyOf({ json: Notice, cloudEvent: CloudEvent }, COMPLETED_NOTICE, {
    id: `${submission}/${event}`,
    subject: submission,
  }),
  responses: {
    "2XX": { description: "The delivery is accepted." },
    410: { description: "The endpoint no longer exists. The webhook is disabled." },
    default: { description: "The delivery is retried. `Retry-After` is respected, up to an hour." },
  },
};

const webhookTest: Operation = {
  ...submissionEvent,
  operationId: "webhookTest",
  summary: "Test delivery",
  description:
    "A POST request to the `url` of a webhook, sent once after `POST /webhook/{id}/test`. It is signed like other deliveries.",
  requestBody: bodyOf({ json: TestNotice, cloudEvent: TestCloudEvent }, TEST_NOTICE, {
    id: WEBHOOK_HEADERS["webhook-id"],
    subject: TEST_NOTICE.data.webhook,
  }),
  responses: { ...submissionEvent.responses, default: { description: "The delivery is not retried." } },
};

/** Requests that the service sends (member `webhooks` of OpenAPI 3.1). */
export const webhooks: Record<string, Record<string, Operation>> = {
  submissionEvent: { post: submissionEvent },
  webhookTest: { post: webhookTest },
};
