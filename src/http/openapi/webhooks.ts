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
  summary: "Something happened to a submission",
  description:
    "Sent to a webhook’s `url` by POST, at least once and for each submission in order; see docs/webhooks.md. Any 2xx within 15 s accepts it, 410 disables the webhook, and whatever else is tried again for a day.",
  tags: ["Webhooks"],
  parameters: [
    header("webhook-id", "Names the delivery, the same at each attempt."),
    header("webhook-timestamp", "When this attempt was made, in seconds since 1970."),
    header(
      "webhook-signature",
      "Signatures of “id.timestamp.body”, separated by spaces: `v1,` (HMAC-SHA-256) and `v1a,` (Ed25519) by each key.",
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
    "2XX": { description: "It is accepted." },
    410: { description: "The endpoint is gone: the webhook is disabled." },
    default: { description: "It is tried again; `Retry-After` is heeded, up to an hour." },
  },
};

const test = TEST_NOTICE.data;

const webhookTest: Operation = {
  ...submissionEvent,
  operationId: "webhookTest",
  summary: "A test delivery",
  description:
    "Sent once to a webhook’s `url` by POST after `POST /webhook/{id}/test`, and signed like other deliveries.",
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
    "2XX": { description: "It is accepted." },
    410: { description: "The endpoint is gone: the webhook is disabled." },
    default: { description: "It is not sent again." },
  },
};

/** What the service sends by itself (OpenAPI 3.1, member `webhooks`). */
export const webhooks: Record<string, Record<string, Operation>> = {
  submissionEvent: { post: submissionEvent },
  webhookTest: { post: webhookTest },
};
