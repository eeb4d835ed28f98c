import { expect, test } from "vitest";
import { isInForce, opensFiles } from "./grants.ts";

const now = new Date("2026-11-24T12:00:00Z");
const grant = { dataset_id: "a", version: 2, expires_at: null, revoked_at: null };

test("a grant ends at the moment of its expiry, and with its revocation", () => {
  expect(isInForce(grant, now)).toBe(true);
  expect(isInForce({ ...grant, expires_at: new Date(now.getTime() + 1) }, now)).toBe(true);
  expect(isInForce({ ...grant, expires_at: now }, now)).toBe(false);
  expect(isInForce({ ...grant, revoked_at: new Date(now.getTime() - 1) }, now)).toBe(false);
  // A clock that was set back does not revive what was revoked.
  expect(isInForce({ ...grant, revoked_at: new Date(now.getTime() + 1_000) }, now)).toBe(false);
});

test("a grant opens its version, or all versions, of its dataset only", () => {
  expect(opensFiles(grant, "a", 2, now)).toBe(true);
  expect(opensFiles(grant, "a", 1, now)).toBe(false);
  expect(opensFiles(grant, "a", 3, now)).toBe(false);
  expect(opensFiles(grant, "b", 2, now)).toBe(false);
  expect(opensFiles({ ...grant, version: null }, "a", 7, now)).toBe(true);
  expect(opensFiles({ ...grant, version: null }, "b", 7, now)).toBe(false);
  expect(opensFiles({ ...grant, revoked_at: now }, "a", 2, now)).toBe(false);
});
