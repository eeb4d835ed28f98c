import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addListing,
  addSubmission,
  db,
  objectOf,
  useTestDatabase,
} from "../../../tests/support/database/test-database.ts";
import { compareKeys } from "../../domain/keys-and-paths/path.ts";
import type { ObjectRecord } from "./objects.ts";
import {
  foldersAmong,
  markRelisted,
  neverRelisted,
  OrderedListing,
  objectsOfKeys,
  recordUnordered,
} from "./unordered-keys.ts";

useTestDatabase();

const unit = fc.constantFrom("a", "b", "/", "\0", "!", "é", "\uFFFD", "😀");
const key = fc.string({ unit, minLength: 1, maxLength: 4 });
const keySet = fc.uniqueArray(key, { minLength: 1, maxLength: 25 });
const keysOf = (objects: readonly ObjectRecord[]) => objects.map((object) => object.key).sort(compareKeys);
const collect = async (found: AsyncIterable<ObjectRecord[]>) => (await Array.fromAsync(found)).flat();
const few = { numRuns: 40 };

test("objects are found by key in ordered and unordered listings", async () => {
  const cases = fc.record({
    keys: keySet,
    others: keySet,
    unordered: fc.boolean(),
    perChunk: fc.integer({ min: 1, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ keys, others, unordered, perChunk }) => {
      const id = await addSubmission(db);
      const order = unordered ? keys : keys.toSorted(compareKeys);
      await addListing(db, id, 1, order, { unordered, perChunk });
      const wanted = [...keys.filter((_, index) => index % 2 === 0), ...others];
      const found = await objectsOfKeys(db, id, 1, wanted);
      expect(keysOf(found)).toEqual(keys.filter((one) => wanted.includes(one)).sort(compareKeys));
      for (const object of found) expect(object.key).toBe(order[object.seq]);
    }),
    few,
  );
});

test("an ordered listing is read in parts: each has the objects between the keys before and after it", async () => {
  const cases = fc.record({
    keys: keySet,
    after: fc.option(key),
    ends: fc.array(key, { maxLength: 4 }),
    perChunk: fc.integer({ min: 1, max: 7 }),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ keys, after, ends, perChunk }) => {
      const id = await addSubmission(db);
      const order = keys.toSorted(compareKeys);
      await addListing(db, id, 1, order, { perChunk });
      const listing = new OrderedListing(db, id, 1, after ?? undefined);
      let from = after;
      for (const end of [...ends.toSorted(compareKeys), undefined]) {
        const within = order.filter(
          (one) => (from === null || compareKeys(one, from) > 0) && (end === undefined || compareKeys(one, end) <= 0),
        );
        expect((await collect(listing.upTo(end))).map((object) => object.key)).toEqual(within);
        if (end !== undefined && (from === null || compareKeys(end, from) > 0)) from = end;
      }
    }),
    few,
  );
});

test("the folders of an unordered listing are the keys that have other keys below them", async () => {
  await fc.assert(
    fc.asyncProperty(keySet, async (keys) => {
      const id = await addSubmission(db);
      await addListing(db, id, 1, keys, { unordered: true });
      const naive = keys.filter((one) => keys.some((other) => other.startsWith(`${one}/`)));
      expect([...(await foldersAmong(db, id, 1, keys))].sort()).toEqual(naive.sort());
    }),
    few,
  );
});

test("the first page out of order records the keys of all earlier pages; a repeated key is detected", async () => {
  const id = await addSubmission(db);
  const objects = ["a", "b", "c", "d", "A", "B"].map((one, seq) => objectOf(one, seq));
  await addListing(db, id, 1, objects);
  expect(await recordUnordered(db, id, 1, [{ no: 1, objects: objects.slice(3) }])).toBe(true);
  expect(keysOf(await objectsOfKeys(db, id, 1, ["a", "B", "z"]))).toEqual(["B", "a"]);
  expect(await recordUnordered(db, id, 1, [{ no: 2, objects: [objectOf("e", 6), objectOf("a", 7)] }])).toBe(false);
});

test("objects of an unordered listing that were not listed again are found", async () => {
  const id = await addSubmission(db);
  const objects = ["c", "a", "d", "b", "\0"].map((one, seq) => objectOf(one, seq));
  await addListing(db, id, 1, objects, { unordered: true });
  await markRelisted(db, id, 1, ["a", "\0", "elsewhere"]);
  expect(keysOf(await collect(neverRelisted(db, id, 1)))).toEqual(["b", "c", "d"]);
});
