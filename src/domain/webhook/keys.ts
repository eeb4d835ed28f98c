import { createHmac, createPrivateKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** The signing keys of a webhook. All texts are Base64. */
export interface WebhookKey {
  /** For `v1`: HMAC-SHA-256. */
  secret: string;
  /** For `v1a`: the raw halves of an Ed25519 key pair. */
  privateKey: string;
  publicKey: string;
  /** ISO 8601 time at which the key stops signing; null for the newest key. */
  until: string | null;
}

const SECRET_BYTES = 32;

export function makeWebhookKey(): WebhookKey {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  return {
    secret: randomBytes(SECRET_BYTES).toString("base64"),
    privateKey: Buffer.from(d, "base64url").toString("base64"),
    publicKey: Buffer.from(x, "base64url").toString("base64"),
    until: null,
  };
}

/** The secret in the form for receivers (Standard Webhooks, “Signature scheme”). */
export function secretText({ secret }: WebhookKey): string {
  return `whsec_${secret}`;
}

/** The public key in the form for receivers. */
export function publicKeyText({ publicKey }: WebhookKey): string {
  return `whpk_${publicKey}`;
}

/** The keys that sign at this time, the newest first. */
export function keysAt(keys: readonly WebhookKey[], now: Date): WebhookKey[] {
  return keys.filter(({ until }) => until === null || new Date(until) > now);
}

/** The signed content. Neither id nor timestamp contains a full stop. */
export interface Message {
  id: string;
  /** Unix time in seconds. */
  timestamp: number;
  body: string;
}

/** The header `webhook-signature`: a `v1` and a `v1a` signature of each key, separated by spaces. */
export function signatures(keys: readonly WebhookKey[], { id, timestamp, body }: Message): string {
  const content = Buffer.from(`${id}.${timestamp}.${body}`);
  return keys
    .flatMap((key) => [
      `v1,${createHmac("sha256", Buffer.from(key.secret, "base64")).update(content).digest("base64")}`,
      `v1a,${sign(null, content, privateKeyOf(key)).toString("base64")}`,
    ])
    .join(" ");
}

function privateKeyOf({ privateKey, publicKey }: WebhookKey) {
  const [d, x] = [privateKey, publicKey].map((text) => Buffer.from(text, "base64").toString("base64url"));
  return createPrivateKey({ key: { kty: "OKP", crv: "Ed25519", d, x } as never, format: "jwk" });
}
