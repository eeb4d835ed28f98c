import { createHmac, createPublicKey, verify } from "node:crypto";
import { expect, test } from "vitest";
import { keysAt, makeWebhookKey, publicKeyText, secretText, signatures } from "./keys.ts";

const message = { id: "msg", timestamp: 1_700_000_000, body: '{"a":"ä"}' };
const content = 'msg.1700000000.{"a":"ä"}';

test("keys are written as the specification requires: 32 bytes each, in Base64", () => {
  const key = makeWebhookKey();
  expect(secretText(key)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(publicKeyText(key)).toMatch(/^whpk_[A-Za-z0-9+/]{43}=$/);
});

test("every key signs once with each algorithm, the newest first", () => {
  const keys = [makeWebhookKey(), makeWebhookKey()];
  const signed = signatures(keys, message).split(" ");
  expect(signed.map((one) => one.split(",")[0])).toEqual(["v1", "v1a", "v1", "v1a"]);
  for (const [n, key] of keys.entries()) {
    const hmac = createHmac("sha256", Buffer.from(key.secret, "base64")).update(content).digest("base64");
    expect(signed[2 * n]).toBe(`v1,${hmac}`);
    const x = Buffer.from(key.publicKey, "base64").toString("base64url");
    const publicKey = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signature = Buffer.from(signed[2 * n + 1]?.slice(4) ?? "", "base64");
    expect(verify(null, Buffer.from(content), publicKey, signature)).toBe(true);
  }
});

test("an old key signs until just before its end", () => {
  const old = { ...makeWebhookKey(), until: "2026-01-02T00:00:00.000Z" };
  const keys = [makeWebhookKey(), old];
  expect(keysAt(keys, new Date("2026-01-01T23:59:59.999Z"))).toEqual(keys);
  expect(keysAt(keys, new Date("2026-01-02T00:00:00Z"))).toEqual(keys.slice(0, 1));
});
