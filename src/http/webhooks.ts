import { type Static, Type } from "typebox";
import type { DeliveryRow, ListedDelivery } from "../db/deliveries.ts";
import type { WebhookRow } from "../db/webhooks.ts";
import { FORMATS } from "../submission/webhook/format.ts";
import { nullable, time } from "./schemas.ts";

export const DELIVERY_STATUSES = ["pending", "delivered", "given_up"] as const;

export const WebhookView = Type.Object(
  {
    id: Type.String({ format: "uuid" }),
    url: Type.String({ description: "Where its deliveries are sent." }),
    format: Type.Enum([...FORMATS]),
    submission: nullable(
      Type.String({ description: "The one submission that it is told of; null for all of its owner." }),
    ),
    owner: Type.String(),
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
  { title: "Webhook" },
);

export const KeyedWebhook = Type.Object(
  {
    ...WebhookView.properties,
    secret: Type.String({ description: "For `v1`: `whsec_` and the key in Base64. It is shown here and never again." }),
  },
  { title: "NewWebhook" },
);

export const DeliveryView = Type.Object(
  {
    id: Type.String({ format: "uuid", description: "As in `webhook-id`, the same at each attempt." }),
    submission: Type.String({ format: "uuid" }),
    event: Type.Integer({ description: "Number of the event in the submission’s log." }),
    status: Type.Enum([...DELIVERY_STATUSES]),
    attempts: Type.Integer(),
    createdAt: time("When the event happened, or the webhook of its submission was registered."),
    attemptedAt: nullable(time("When it was last tried.")),
    nextAttemptAt: nullable(time("When it is tried next, at the earliest.")),
    answer: nullable(Type.Integer({ description: "HTTP status of the last answer; null when there was none." })),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  },
  { title: "Delivery" },
);

/** As it is listed. */
export const ListedDeliveryView = Type.Object(
  { ...DeliveryView.properties, type: Type.String({ description: "As in the submission’s log." }) },
  { title: "ListedDelivery" },
);

export const WebhookParams = Type.Object({ id: Type.String({ description: "Id of the webhook." }) });

/** A webhook as its owner sees it: without the secrets that it signs with. */
export function viewWebhook(row: WebhookRow): Static<typeof WebhookView> {
  return {
    id: row.id,
    url: row.url,
    format: row.format as Static<typeof WebhookView>["format"],
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

export function viewDelivery(row: DeliveryRow): Static<typeof DeliveryView> {
  return {
    id: row.id,
    submission: row.submission_id,
    event: row.event,
    status: row.status as Static<typeof DeliveryView>["status"],
    attempts: row.attempts,
    createdAt: row.created_at.toISOString(),
    attemptedAt: row.attempted_at?.toISOString() ?? null,
    nextAttemptAt: row.status === "pending" ? row.due_at.toISOString() : null,
    answer: row.answer,
    error: row.error as Static<typeof DeliveryView>["error"],
  };
}

export function viewListedDelivery(row: ListedDelivery): Static<typeof ListedDeliveryView> {
  return { ...viewDelivery(row), type: row.type };
}
