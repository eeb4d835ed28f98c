import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { Agents } from "./agents.ts";
import { type Click, clickOf, type Use } from "./clicks.ts";

const agents = new Agents();
const salt = randomBytes(32);
const at = Date.parse("2026-11-03T10:59:50Z");
const use: Use = {
  ...{ at, until: at, address: "192.0.2.7", userAgent: "curl/8.5.0", dataset: "d", version: 1 },
  ...{ kind: "request", item: "file data/a.csv" },
};

function click(changed: Partial<Use> = {}, salted = salt): Click {
  const found = clickOf({ ...use, ...changed }, salted, agents);
  if (found === undefined) throw new Error("The use is a robot’s");
  return found;
}
const keysOf = ({ key, sessions }: Click) => [key, ...Object.values(sessions)].map((one) => one.toString("hex"));

test("a click has the same keys if reader, item and hour are the same", () => {
  expect(keysOf(click({ at: at + 1_000 }))).toEqual(keysOf(click()));
  expect(click()).toMatchObject({ day: "2026-11-03", sessionEnd: Date.parse("2026-11-03T11:00:00Z") });
});

test.each([
  ["address", { address: "192.0.2.8" }, 5],
  ["user agent", { userAgent: "curl/8.6.0" }, 5],
  ["dataset", { dataset: "e" }, 5],
  ["version", { version: 2 }, 3],
  ["file", { item: "file data/b.csv" }, 1],
  ["hour", { at: at + 10_000 }, 4],
])("another %s has other keys", (_, changed, different) => {
  const known = new Set(keysOf(click()));
  expect(keysOf(click(changed)).filter((key) => !known.has(key))).toHaveLength(different);
});

test("the keys do not contain the reader, and depend on the salt", () => {
  const known = new Set(keysOf(click()));
  expect(keysOf(click({}, randomBytes(32))).some((key) => known.has(key))).toBe(false);
  expect(JSON.stringify(click())).not.toMatch(/192\.0\.2\.7|curl/);
});

test("robots have no clicks", () => {
  expect(clickOf({ ...use, userAgent: "Googlebot/2.1" }, salt, agents)).toBeUndefined();
});
