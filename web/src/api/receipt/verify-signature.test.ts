import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { expect, test, vi } from "vitest";
import { verifySignature } from "./verify-signature.ts";

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const { publicKey, privateKey } = generateKeyPairSync("ed25519");
const jwk = { ...publicKey.export({ format: "jwk" }), kid: "one" };

function receipt(header: object = {}, key: KeyObject = privateKey): string {
  const signed = `${base64url({ alg: "EdDSA", kid: "one", typ: "accession-receipt+jws", ...header })}.${base64url({ title: "Ä" })}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
}

test("a signature is valid with the published key of the service, also if there are several keys", async () => {
  const other = { ...generateKeyPairSync("ed25519").publicKey.export({ format: "jwk" }), kid: "other" };
  expect(await verifySignature(`${receipt()}\n`, [null, 7, other, jwk])).toEqual({ state: "holds", kid: "one" });
});

test("a changed receipt has an invalid signature, and a receipt of another key is not accepted", async () => {
  const [header, , signature] = receipt().split(".");
  const forged = `${header}.${base64url({ title: "Ö" })}.${signature}`;
  expect(await verifySignature(forged, [jwk])).toEqual({ state: "broken", kid: "one" });
  for (const cut of ["", "AA", "!", "A"]) {
    expect(await verifySignature(`${receipt().split(".").slice(0, 2).join(".")}.${cut}`, [jwk])).toMatchObject({
      state: "broken",
    });
  }
  const foreign = generateKeyPairSync("ed25519").privateKey;
  expect(await verifySignature(receipt({}, foreign), [jwk])).toMatchObject({ state: "broken" });
  expect(await verifySignature(receipt({ kid: "two" }), [jwk])).toEqual({ state: "unknown-key", kid: "two" });
  expect(await verifySignature(receipt(), [])).toMatchObject({ state: "unknown-key" });
});

test.each([
  ["no algorithm", receipt({ alg: "none" })],
  ["another algorithm", receipt({ alg: "HS256" })],
  ["another type", receipt({ typ: "JWT" })],
  ["an extension that must be understood", receipt({ crit: ["b64"], b64: false })],
  ["no key", receipt({ kid: undefined })],
  ["a part too many", `${receipt()}.x`],
  ["no JWS", "hello"],
  ["nothing", ""],
])("what has %s is no receipt", async (_, jws) => {
  expect(await verifySignature(jws, [jwk])).toEqual({ state: "no-receipt" });
});

test("without Web Crypto in the browser, the verification is reported as unsupported", async () => {
  vi.stubGlobal("crypto", {});
  expect(await verifySignature(receipt(), [jwk])).toEqual({ state: "unsupported" });
  vi.unstubAllGlobals();
});
