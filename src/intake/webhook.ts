import { randomUUID } from "node:crypto";
import { addEarlierDeliveries } from "../db/notifications/deliveries.ts";
import { addWebhook, lockWebhook, replaceKeys, type WebhookRow } from "../db/notifications/webhooks.ts";
import { lockSubmission } from "../db/submissions/submissions.ts";
import { Problem, type Remark } from "../domain/problems.ts";
import { type Noticed, WEBHOOK_EVENT_TYPES } from "../domain/submission/events.ts";
import { keysAt, makeWebhookKey, publicKeyText, secretText, type WebhookKey } from "../domain/webhook/keys.ts";
import type { Format } from "../domain/webhook/url.ts";
import { readWebhookUrl } from "../domain/webhook/url.ts";
import { isPublicAddress } from "../source/s3/transport/address-policy.ts";
import type { IntakeContext } from "./context.ts";
import { invalid } from "./request.ts";

export interface NewWebhook {
  owner: string;
  url: string;
  format: Format;
  /** Subscribed event types; null for all. */
  events: Noticed[] | null;
  /** Undefined for all submissions of the owner, including future ones. */
  submission: string | undefined;
}

/** A webhook with its newest secret, which is shown only once. */
interface Keyed {
  webhook: WebhookRow;
  secret: string;
}

/** Time for which the old keys sign in addition to the new ones. */
const OVERLAP_MS = 86_400_000;
/** Maximum number of keys that sign at the same time; each makes the header longer. */
const MOST_KEYS = 4;

/**
 * Registers a webhook. A webhook for a single submission also receives the submission's earlier events.
 *
 * @throws Problem `invalid_request` for a URL that may not be called, `not_found`, `too_many_webhooks`
 */
export async function registerWebhook(context: IntakeContext, wanted: NewWebhook): Promise<Keyed> {
  const { owner, format, events, submission } = wanted;
  const url = await requireUrl(context, wanted.url);
  const id = randomUUID();
  const key = makeWebhookKey();
  const webhook = await context.db.transaction().execute(async (trx) => {
    // The lock keeps new events from occurring between the earlier events and the registration.
    if (submission !== undefined && (await lockSubmission(trx, submission)) === undefined) {
      throw new Problem("not_found", "The submission does not exist");
    }
    await addWebhook(trx, {
      ...{ id, owner, submission_id: submission ?? null, url: url.href, format, events, created_at: new Date() },
      keys: context.vault.sealAs("webhook keys", id, [key]),
      public_key: publicKeyText(key),
    });
    if (submission !== undefined)
      await addEarlierDeliveries(trx, { webhook: id, submission }, events ?? WEBHOOK_EVENT_TYPES);
    return lockWebhook(trx, id);
  });
  if (webhook === undefined) throw new Problem("internal_error", "The registered webhook is missing in the database");
  return { webhook, secret: secretText(key) };
}

/**
 * Creates new keys for a webhook. The old keys sign for another day.
 *
 * @throws Problem `not_found`, or `rate_limited` if too many of its keys still sign
 */
export async function rotateKeys(context: IntakeContext, id: string): Promise<Keyed> {
  const key = makeWebhookKey();
  const webhook = await context.db.transaction().execute(async (trx) => {
    const row = await lockWebhook(trx, id);
    if (row === undefined) throw new Problem("not_found", "The webhook does not exist");
    const now = new Date();
    const until = new Date(now.getTime() + OVERLAP_MS);
    const old = keysAt(context.vault.openAs<WebhookKey[]>("webhook keys", id, row.keys), now);
    if (old.length >= MOST_KEYS) throw tooManyKeys(old, now);
    const keys = [key, ...old.map((one) => ({ ...one, until: one.until ?? until.toISOString() }))];
    const sealed = { keys: context.vault.sealAs("webhook keys", id, keys), public_key: publicKeyText(key) };
    await replaceKeys(trx, id, { ...sealed, old_key_until: until });
    return { ...row, ...sealed, old_key_until: until };
  });
  return { webhook, secret: secretText(key) };
}

function tooManyKeys(keys: WebhookKey[], now: Date): Problem {
  const next = Math.min(...keys.flatMap(({ until }) => (until === null ? [] : [Date.parse(until)])));
  return new Problem(
    "rate_limited",
    `The webhook already has ${keys.length} active signing keys, which is the maximum`,
    {
      retryAfter: Math.ceil((next - now.getTime()) / 1000),
    },
  );
}

/** The URL, if it may be called. Each connection checks the resolved address again. */
async function requireUrl({ egress }: IntakeContext, text: string): Promise<URL> {
  const refuse = (code: Remark["code"], detail: string) => invalid([{ pointer: "/url", code, detail }], []);
  const url = readWebhookUrl(text);
  if (typeof url === "string") throw refuse("webhook_url_invalid", url);
  const addresses = await egress.resolve(url.hostname).catch((error: unknown) => {
    if (error instanceof Problem) throw refuse(error.code, `${error.message}.`);
    throw error;
  });
  if (url.protocol === "http:" && addresses.some(isPublicAddress)) {
    throw refuse(
      "webhook_url_invalid",
      "Use https:// for endpoints on the Internet, because deliveries contain titles and messages.",
    );
  }
  return url;
}
