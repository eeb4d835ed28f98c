import { expect, test } from "vitest";
import { externalIdOf, openAccess, sealAccess } from "./sealed-access.ts";
import { Vault } from "./vault.ts";

const vault = new Vault(new Uint8Array(32).fill(7));
const place = { endpoint: "https://s3.example.org", bucket: "barley-roots" };
const row = { id: "7f3c", owner: "josiah", ...place, addressing: "path", region: "eu-central-1" };
const found = { ...place, pathStyle: true, region: "eu-central-1" };

test("an encrypted access is decrypted with its credentials", () => {
  const credentials = { accessKey: "AK", secretKey: "a-secret", sessionToken: "a-token" };
  const sealed = sealAccess(vault, row.id, { ...place, credentials });
  expect(openAccess(vault, { ...row, ...sealed })).toEqual({ ...found, credentials });
  expect(() => openAccess(vault, { ...row, ...sealed, id: "8a4d" })).toThrow();
});

test("that the requester pays is kept with the credentials", () => {
  const credentials = { accessKey: "AK", secretKey: "a-secret" };
  const paid = sealAccess(vault, row.id, { ...place, credentials, requesterPays: true });
  expect(openAccess(vault, { ...row, ...paid })).toEqual({ ...found, credentials, requesterPays: true });
  const unpaid = sealAccess(vault, row.id, { ...place, credentials, requesterPays: false });
  expect(openAccess(vault, { ...row, ...unpaid })).toEqual({ ...found, credentials });
});

test("a role is kept, and opened with the external id of its owner", () => {
  const arn = "arn:aws:iam::123456789012:role/reader";
  // What a caller states as the external id does not matter.
  const sealed = sealAccess(vault, row.id, { ...place, role: { arn, externalId: "chosen" } });
  expect(sealed.anonymous).toBe(false);
  const idOf = (owner: string) => openAccess(vault, { ...row, ...sealed, owner }).role?.externalId;
  expect(openAccess(vault, { ...row, ...sealed })).toEqual({ ...found, role: { arn, externalId: idOf("josiah") } });
  expect(idOf("josiah")).toMatch(/^[0-9a-f]{64}$/);
  expect(idOf("josiah")).toBe(externalIdOf(vault, "josiah"));
  expect(idOf("josiah ")).not.toBe(idOf("josiah"));
  expect(externalIdOf(new Vault(new Uint8Array(32).fill(8)), "josiah")).not.toBe(idOf("josiah"));
});

test("an anonymous access has no credentials", () => {
  const sealed = sealAccess(vault, row.id, place);
  expect(sealed).toEqual({ credentials: null, anonymous: true });
  expect(openAccess(vault, { ...row, ...sealed, region: null })).toEqual({ ...place, pathStyle: true });
});

test("an access with erased credentials cannot be decrypted", () => {
  const erased = { ...row, credentials: null, anonymous: false };
  expect(() => openAccess(vault, erased)).toThrow(expect.objectContaining({ code: "credentials_required" }));
});

test("credentials stored by an earlier release can be decrypted", () => {
  const credentials = Buffer.from(
    "0Cgh/cVI3rK3J19wCbAjnmW6/Vvvx8D+7iI5sN4PHTgnz8Z6ojs+TXbuXtOx3AOWhgYAVy1teuP+HXkv90KgIXrbMZF4",
    "base64",
  );
  expect(openAccess(vault, { ...row, credentials, anonymous: false }).credentials).toEqual({
    accessKey: "AK",
    secretKey: "a-secret",
  });
});
