import { beforeEach, expect, test } from "vitest";
import {
  addListing,
  addSubmission,
  db,
  objectOf,
  useTestDatabase,
} from "../../../tests/support/database/test-database.ts";
import { dropBefore, reuseFromEarlierAttempt } from "./attempts.ts";
import { displacedAt, insertChunks } from "./chunks.ts";
import type { ObjectRecord } from "./objects.ts";
import { objectsOfKeys } from "./unordered-keys.ts";

let id: string;

useTestDatabase();
beforeEach(async () => {
  id = await addSubmission(db);
});

const stored = {
  state: "stored",
  sha512: "ab",
  verifiedBy: "md5",
  verifiedWith: "md5",
  responseMetadata: {},
  attempts: 1,
} as const;

/** Lists keys in an attempt. Each object is stored, with the given differences. */
async function attemptWith(attempt: number, keys: Record<string, Partial<ObjectRecord>>): Promise<void> {
  const objects = Object.entries(keys).map(([key, more], seq) => objectOf(key, seq, { ...stored, ...more }));
  await addListing(db, id, attempt, objects, { perChunk: 2 });
}

async function carriedInto(attempt: number, keys: string[]): Promise<Record<string, string>> {
  const objects = keys.map((key, seq) => objectOf(key, seq));
  await reuseFromEarlierAttempt(db, id, attempt, objects);
  return Object.fromEntries(objects.map(({ key, state, sha512 }) => [key, state === "stored" ? `${sha512}` : state]));
}

test("of three attempts the newest that listed a key decides", async () => {
  await attemptWith(1, { a: { sha512: "11" }, b: { sha512: "11" }, c: { sha512: "11" }, d: { sha512: "11" } });
  await attemptWith(2, { b: { sha512: "22" }, c: { state: "listed", sha512: null } });
  await attemptWith(3, { c: { state: "failed", sha512: null }, e: { sha512: "33" } });
  expect(await carriedInto(4, ["a", "b", "c", "d", "e", "f"])).toEqual({
    a: "11",
    b: "22",
    c: "listed",
    d: "11",
    e: "33",
    f: "listed",
  });
});

test("if a newer attempt listed a different object under a key, the object of an older attempt is not reused", async () => {
  await attemptWith(1, { k: {} });
  await attemptWith(2, { k: { etag: '"other"', state: "listed" } });
  expect(await carriedInto(3, ["k"])).toEqual({ k: "listed" });
});

test("an object that may have changed is not reused", async () => {
  await attemptWith(1, {
    "a-excluded": { state: "excluded" },
    "b-larger": { bytes: 99 },
    "c-other": { etag: '"x"' },
    "d-suspect": { suspect: true },
    "e-none": { etag: null },
    "f-same": {},
  });
  const objects = ["a-excluded", "b-larger", "c-other", "d-suspect", "e-none", "f-same"].map((key, seq) =>
    objectOf(key, seq, key === "e-none" ? { etag: null } : {}),
  );
  await reuseFromEarlierAttempt(db, id, 2, objects);
  expect(objects.filter(({ state }) => state === "stored").map(({ key }) => key)).toEqual(["f-same"]);
});

test("a reused object keeps its path, and is found there after the earlier attempts are dropped", async () => {
  await attemptWith(1, { k: { contentPath: "by-key/k" }, l: {} });
  const objects = [objectOf("k", 0), objectOf("l", 1)];
  await reuseFromEarlierAttempt(db, id, 2, objects);
  await insertChunks(db, id, 2, [{ no: 0, objects }]);
  await dropBefore(db, id, 2);
  expect(await objectsOfKeys(db, id, 1, ["k", "l"])).toEqual([]);
  expect(await displacedAt(db, id, 1, ["by-key/k"])).toEqual([]);
  expect(await displacedAt(db, id, 2, ["by-key/k", "by-key/x"])).toMatchObject([{ ...stored, key: "k" }]);
});
