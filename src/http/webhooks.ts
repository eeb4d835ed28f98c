import { type Static, Type } from "typebox";
import { TEST_TYPE, type TypedDelivery } from "../db/notifications/deliveries.ts";
import type { WebhookRow } from "../db/notifications/webhooks.ts";
import { WEBHOOK_EVENT_TYPES } from "../domain/events.ts";
import { FORMATS } from "../domain/webhook/url.ts";
import { WEBHOOK } from "./openapi/webhook-examples.ts";
import { EventType, nullable, ProblemCode, time } from "./schemas.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "given_up"] as const;

/** Types of events that webhooks can subscribe to, as the log names them. */
const WebhookEvents = Type.Array(Type.Enum([...WEBHOOK_EVENT_TYPES]), {
  minItems: 1,
  maxItems: WEBHOOK_EVENT_TYPES.length,
  description: "Types of events, as the log names them.",
  examples: [["completed", "failed"]],
});

/** The members of a request that choose events. */
export const CHOICE = {
  events: Type.Optional(
    Type.Union([WebhookEvents, Type.Null()], { description: "Only events of these types; null for all of them." }),
  ),
};

export const WebhookView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "Id of the webhook." }),
    url: Type.String({ description: "Where its deliveries are sent." }),
    format: Type.Enum([...FORMATS], { description: "What deliveries look like." }),
    events: nullable(
      WebhookEvents,
      "Types of events that the webhook subscribes to; null for all, including types that later versions add.",
    ),
    submission: nullable(
      Type.String({ description: "The one submission that it is told of; null for all of its owner." }),
    ),
    owner: Type.String({ description: "Of whose submissions it is told." }),
    publicKey: Type.String({ description: "For `v1a`: `whpk_` and the Ed25519 key in Base64." }),
    oldKeysUntil: nullable(time("After a rotation: until when the keys before it sign, too.")),
    createdAt: time("When it was registered."),
    deliveredAt: nullable(time("When a delivery was last accepted.")),
    disabledAt: nullable(time("When deliveries ended; null while it is told of what happens.")),
    disabledBecause: nullable(
      Type.Enum(["gone", "failing"], {
        description: "`gone`: the endpoint answered 410. `failing`: nothing was accepted for a day.",
      }),
    ),
  },
  { title: "Webhook", description: "An address that is told what happens to submissions." },
);

export const KeyedWebhook = Type.Object(
  {
    ...WebhookView.properties,
    secret: Type.String({ description: "For `v1`: `whsec_` and the key in Base64. It is shown here and never again." }),
  },
  { title: "NewWebhook", description: "A webhook, with the secret that signs for it." },
);

export const DeliveryView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "As in `webhook-id`, the same at each attempt." }),
    submission: nullable(
      Type.String({ format: "uuid", description: "Id of the submission." }),
      "Null for a test delivery.",
    ),
    event: nullable(
      Type.Integer({ description: "Number of the event in the submission’s log." }),
      "Null for a test delivery.",
    ),
    type: Type.Union([EventType, Type.Literal(TEST_TYPE)], { description: "The type of the event, or `test`." }),
    status: Type.Enum([...DELIVERY_STATUSES], {
      description: "Still to be accepted, accepted, or given up after a day.",
    }),
    attempts: Type.Integer({ description: "How often it was tried." }),
    createdAt: time("When the event happened, or the webhook of its submission was registered."),
    attemptedAt: nullable(time("When it was last tried.")),
    nextAttemptAt: nullable(time("When it is tried next, at the earliest.")),
    answer: nullable(Type.Integer({ description: "HTTP status of the last answer; null when there was none." })),
    error: nullable(
      Type.Object(
        { code: ProblemCode, message: Type.String({ description: "For people." }) },
        { title: "DeliveryError", description: "Why a delivery was not accepted." },
      ),
      "Why the last attempt failed.",
    ),
  },
  { title: "Delivery", description: "What a webhook was sent, or is to be sent, about one event." },
);

export const WebhookParams = Type.Object({
  id: Type.String({ description: "Id of the webhook.", examples: [WEBHOOK.id] }),
});

/** A webhook as its owner sees it: without the secrets that it signs with. */
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
