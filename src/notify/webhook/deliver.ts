import {
  type DeliveryQueue,
  type DeliveryRow,
  giveUpAll,
  nextDelivery,
  postpone,
  recordAttempt,
  TRIED_MS,
} from "../../db/notifications/deliveries.ts";
import { disableWebhook, findWebhook, recordDelivered, type WebhookRow } from "../../db/notifications/webhooks.ts";
import { eventsAfter } from "../../db/submissions/events.ts";
import { findSubmission } from "../../db/submissions/submissions.ts";
import { keysAt, signatures, type WebhookKey } from "../../domain/webhook/keys.ts";
import type { Format } from "../../domain/webhook/url.ts";
import type { NotifyContext } from "../context.ts";
import { nextTry } from "../next-try.ts";
import { type Body, bodyOf, testBodyOf } from "./payload.ts";
import { type Answer, type Sending, send } from "./send.ts";

/** With this status an endpoint unsubscribes (Standard Webhooks, “Delivery”). */
const GONE = 410;

/**
 * Delivers what is due in a queue, in order: each delivery waits until the one before it is delivered or given up. After
 * a crash between the answer and its record, the delivery is sent again under the same id.
 */
export async function deliverQueue(
  context: NotifyContext,
  queue: DeliveryQueue,
  isHeld: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const webhook = await findWebhook(context.db, queue.webhook);
    if (webhook === undefined) return;
    if (webhook.disabled_at !== null) {
      return context.metrics.noticed("webhook", "given_up", await giveUpAll(context.db, webhook.id));
    }
    const delivery = await nextDelivery(context.db, queue);
    if (delivery === undefined) return;
    if (delivery.due_at > new Date()) return postpone(context.db, queue, delivery.due_at);
    // A worker that was suspended must not send a delivery that another worker may already have sent.
    if (signal.aborted || !(await isHeld())) return;
    const answer = await send(context.egress, await sendingOf(context, webhook, delivery), signal);
    if (!(await note(context, queue, delivery, answer))) return;
  }
}

async function sendingOf(context: NotifyContext, webhook: WebhookRow, delivery: DeliveryRow): Promise<Sending> {
  const { vault, version } = context;
  const body = await bodyFor(context, webhook, delivery);
  const now = new Date();
  const timestamp = Math.floor(now.getTime() / 1000);
  const keys = keysAt(vault.openAs<WebhookKey[]>("webhook keys", webhook.id, webhook.keys), now);
  return {
    url: webhook.url,
    body: body.text,
    headers: {
      "content-type": body.type,
      "user-agent": `Accession/${version}`,
      "webhook-id": delivery.id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatures(keys, { id: delivery.id, timestamp, body: body.text }),
    },
  };
}

async function bodyFor(
  { db, publicBaseUrl }: NotifyContext,
  webhook: WebhookRow,
  delivery: DeliveryRow,
): Promise<Body> {
  const format = webhook.format as Format;
  if (delivery.submission_id === null || delivery.event === null) {
    const { id, created_at: createdAt } = delivery;
    return testBodyOf(format, { delivery: { id, createdAt }, webhook: webhook.id, publicBaseUrl: publicBaseUrl() });
  }
  const submission = await findSubmission(db, delivery.submission_id);
  const [event] = await eventsAfter(db, delivery.submission_id, delivery.event - 1, 1);
  if (submission === undefined || event === undefined)
    throw new Error(`The event of delivery ${delivery.id} does not exist`);
  const { id, title, dataset_id: dataset } = submission;
  return bodyOf(format, { submission: { id, title, dataset }, event, publicBaseUrl: publicBaseUrl() });
}

/** Records the outcome of a try. Returns whether the queue continues. */
async function note(
  context: NotifyContext,
  queue: DeliveryQueue,
  delivery: DeliveryRow,
  answer: Answer,
): Promise<boolean> {
  const { db, metrics } = context;
  const { status, problem, wishedMs } = answer;
  const at = new Date();
  const attempt = { at, answer: status === 0 ? null : status };
  if (problem === undefined) {
    await recordDelivered(db, queue.webhook, at);
    const isNoted = await recordAttempt(db, delivery.id, { ...attempt, status: "delivered", error: null });
    if (isNoted) metrics.noticed("webhook", "delivered");
    return isNoted;
  }
  if (problem.code === "internal_error") {
    context.log.error({ why: String(problem.cause) }, "a delivery failed because of an internal error");
  }
  const again = status === GONE ? undefined : nextTry(delivery.attempts + 1, at, delivery.expires_at, wishedMs);
  const error = { code: problem.code, message: problem.message };
  const isOver = again === undefined;
  // A delivery that was given up in the meantime, together with its webhook, is already counted.
  if (await recordAttempt(db, delivery.id, { ...attempt, status: isOver ? "given_up" : "pending", error })) {
    metrics.noticed("webhook", isOver ? "given_up" : "failed");
  }
  if (again !== undefined) {
    await postpone(db, queue, again);
    return false;
  }
  if (status === GONE) await disable(context, queue, "gone");
  else if (await isDead(context, delivery)) await disable(context, queue, "failing");
  return true;
}

/** Whether the endpoint accepted no delivery at all during the tries of this one. */
async function isDead({ db }: NotifyContext, { webhook_id, expires_at, event }: DeliveryRow): Promise<boolean> {
  // A test delivery is tried only once, so it proves nothing.
  if (event === null) return false;
  const webhook = await findWebhook(db, webhook_id);
  const since = expires_at.getTime() - TRIED_MS;
  return webhook !== undefined && (webhook.delivered_at === null || webhook.delivered_at.getTime() < since);
}

async function disable(context: NotifyContext, { webhook }: DeliveryQueue, because: "gone" | "failing"): Promise<void> {
  const { db, log, metrics } = context;
  metrics.noticed("webhook", "given_up", await disableWebhook(db, webhook, because));
  log.warn({ because }, "a webhook was disabled automatically");
}
