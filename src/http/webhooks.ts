import { type Static, Type } from "typebox";
import { TEST_TYPE, type TypedDelivery } from "../db/notifications/deliveries.ts";
import type { WebhookRow } from "../db/notifications/webhooks.ts";
import { WEBHOOK_EVENT_TYPES } from "../domain/submission/events.ts";
import { FORMATS } from "../domain/webhook/url.ts";
import { WEBHOOK } from "./openapi/webhook-examples.ts";
import { object, text, uuid } from "./schemas/basics.ts";
import { EventType, nullable, ProblemCode, time } from "./schemas.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "given_up"] as const;

/** Event types that webhooks can subscribe to. */
const WebhookEvents = Type.Array(Type.Enum([...WEBHOOK_EVENT_TYPES]), {
  minItems: 1,
  maxItems: WEBHOOK_EVENT_TYPES.length,
  description: "Event types, as in the log of a submission.",
  examples: [["completed", "failed"]],
});

/** Members of a request that select event types. */
export const CHOICE = {
  events: Type.Optional(
    Type.Union([WebhookEvents, Type.Null()], {
      description:
        "Event types that the webhook receives; null for all types, including types that later versions add.",
    }),
  ),
};

export const WebhookView = object("Webhook", "An address that receives events of submissions.", {
  id: uuid("Id of the webhook."),
  url: text("Address to which deliveries are sent."),
  format: Type.Enum([...FORMATS], { description: "Format of deliveries." }),
  events: nullable(
    WebhookEvents,
    "Event types that the webhook receives; null for all types, including types that later versions add.",
  ),
  submission: nullable(text("Id of the submission whose events the webhook receives; null for all of its owner.")),
  owner: text("Owner of the webhook. Without `submission`, it receives events of all submissions of this owner."),
  publicKey: text("Public key for `v1a` signatures: `whpk_` and the Ed25519 key in Base64."),
  oldKeysUntil: nullable(time("Time until which the previous keys also sign, after a rotation; otherwise null.")),
  createdAt: time("Time at which the webhook was registered."),
  deliveredAt: nullable(time("Time at which the endpoint last accepted a delivery; null if never.")),
  disabledAt: nullable(time("Time at which the webhook was disabled; null if it is enabled.")),
  disabledBecause: nullable(
    Type.Enum(["gone", "failing"], {
      description:
        "Reason why the webhook is disabled: `gone` (the endpoint returned 410) or `failing` (the endpoint accepted no delivery for a day).",
    }),
  ),
});

export const KeyedWebhook = object("NewWebhook", "A webhook with its secret.", {
  ...WebhookView.properties,
  secret: text("Secret for `v1` signatures: `whsec_` and the key in Base64. It is returned only once."),
});

export const DeliveryView = object("Delivery", "A delivery of an event to a webhook.", {
  id: uuid("Id of the delivery, as in the header `webhook-id`. It is the same for every attempt."),
  submission: nullable(uuid("Id of the submission."), "Id of the submission; null for a test delivery."),
  event: nullable(
    Type.Integer({ description: "Number of the event in the event history of the submission." }),
    "Number of the event in the event history of the submission; null for a test delivery.",
  ),
  type: Type.Union([EventType, Type.Literal(TEST_TYPE)], { description: "Type of the event, or `test`." }),
  status: Type.Enum([...DELIVERY_STATUSES], {
    description: "Status: `pending`, `delivered` (accepted by the endpoint) or `given_up` (not accepted within a day).",
  }),
  attempts: Type.Integer({ description: "Number of attempts so far." }),
  createdAt: time("Time of the event, or of the registration of the webhook if the event is older."),
  attemptedAt: nullable(time("Time of the last attempt; null before the first.")),
  nextAttemptAt: nullable(time("Earliest time of the next attempt; null if none follows.")),
  answer: nullable(Type.Integer({ description: "HTTP status of the last response; null if there was none." })),
  error: nullable(
    object("DeliveryError", "The error of a delivery.", {
      code: ProblemCode,
      message: text("Human-readable explanation."),
    }),
    "Error of the last attempt; null if it succeeded.",
  ),
});

export const WebhookParams = Type.Object({
  id: Type.String({ description: "Id of the webhook.", examples: [WEBHOOK.id] }),
});

/** A webhook as the API returns it, without its secret. */
export function viewWebhook(row: WebhookRow): Static<typeof WebhookView> {
  return {
    id: row.id,
    url: row.url,
    format: row.format as Static<typeof WebhookView>["format"],
    events: row.events as Static<typeof WebhookView>["events"],
    submission: row.submission_id,
    owner: row.owner,
    publicKey: row.public_key,
    oldKeysUntil: row.old_key_until?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    deliveredAt: row.delivered_at?.toISOString() ?? null,
    disabledAt: row.disabled_at?.toISOString() ?? null,
    disabledBecause: row.disabled_because as Static<typeof WebhookView>["disabledBecause"],
  };
}

export function viewDelivery(row: TypedDelivery): Static<typeof DeliveryView> {
  return {
    id: row.id,
    submission: row.submission_id,
    event: row.event,
    type: row.type as Static<typeof DeliveryView>["type"],
    status: row.status as Static<typeof DeliveryView>["status"],
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    attemptedAt: row.attempted_at?.toISOString() ?? null,
    nextAttemptAt: row.status === "pending" ? row.due_at.toISOString() : null,
    answer: row.answer,
    error: row.error as Static<typeof DeliveryView>["error"],
  };
}
