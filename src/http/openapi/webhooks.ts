import { Type } from "typebox";
import { CloudEvent, Notice, TestCloudEvent, TestNotice } from "../schemas.ts";
import type { Operation } from "./types.ts";
import { COMPLETED_NOTICE, TEST_NOTICE, WEBHOOK_HEADERS } from "./webhook-examples.ts";

const { data, timestamp, type } = COMPLETED_NOTICE;

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
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: Notice, example: COMPLETED_NOTICE },
      "application/cloudevents+json": {
        schema: CloudEvent,
        example: {
          specversion: "1.0",
          id: `${data.submission}/${data.event}`,
          source: "https://archive.example.org",
          type,
          subject: data.submission,
          time: timestamp,
          datacontenttype: "application/json",
          data,
        },
      },
    },
  },
  responses: {
    "2XX": { description: "The delivery is accepted." },
    410: { description: "The endpoint no longer exists. The webhook is disabled." },
    default: { description: "The delivery is retried. `Retry-After` is respected, up to an hour." },
  },
};

const test = TEST_NOTICE.data;

const webhookTest: Operation = {
  ...submissionEvent,
  operationId: "webhookTest",
  summary: "Test delivery",
  description:
    "A POST request to the `url` of a webhook, sent once after `POST /webhook/{id}/test`. It is signed like other deliveries.",
  requestBody: {
    required: true,
    content: {
      "application/json": { schema: TestNotice, example: TEST_NOTICE },
      "application/cloudevents+json": {
        schema: TestCloudEvent,
        example: {
          specversion: "1.0",
          id: WEBHOOK_HEADERS["webhook-id"],
          source: "https://archive.example.org",
          type: TEST_NOTICE.type,
          subject: test.webhook,
          time: TEST_NOTICE.timestamp,
          datacontenttype: "application/json",
          data: test,
        },
      },
    },
  },
  responses: {
    "2XX": { description: "The delivery is accepted." },
    410: { description: "The endpoint no longer exists. The webhook is disabled." },
    default: { description: "The delivery is not retried." },
  },
};

/** Requests that the service sends (member `webhooks` of OpenAPI 3.1). */
export const webhooks: Record<string, Record<string, Operation>> = {
  submissionEvent: { post: submissionEvent },
  webhookTest: { post: webhookTest },
};
