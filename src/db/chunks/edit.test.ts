import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  addListing,
  addSubmission,
  objectOf,
  openTestDatabase,
} from "../../../tests/support/database/test-database.ts";
import type { Queries } from "../database.ts";
import { everyObject, openChunks } from "./chunks.ts";
import { editNotable, editObjects, notableChunks } from "./edit.ts";
import { everyFile, filesAfter } from "./files.ts";
import { type Outcome, recordOutcomes } from "./outcomes.ts";

let db: Queries;
let close: () => Promise<void>;
let id: string;

beforeAll(async () => {
  ({ db, close } = await openTestDatabase());
});
afterAll(() => close());
beforeEach(async () => {
  id = await addSubmission(db);
});

const keys = ["a", "b", "c/1", "c/2", "d", "e", "f\0", "g"];
const listing = () =>
  addListing(
    db,
    id,
    1,
    keys.map((key, seq) => objectOf(key, seq)),
  );
const stored = (seq: number, more: Partial<Outcome> = {}): Outcome =>
  ({
    ...{ seq, state: "stored", contentPath: null, sha512: "00ff", verifiedBy: "md5", verifiedWith: "md5" },
    ...{ suspect: false, responseMetadata: {}, ...more },
  }) as Outcome;
const failed = (seq: number): Outcome => ({ seq, state: "failed", error: { code: "object_gone", message: "\0" } });
const record = (no: number, outcomes: Outcome[]) =>
  db.transaction().execute((trx) => recordOutcomes(trx, id, 1, no, outcomes));
const seqsOf = async (filter: object) =>
  (await filesAfter(db, id, 1, { after: -1, limit: 99, ...filter })).map(({ seq }) => seq);

test("outcomes count once; suspects are not stored yet; the last one closes the chunk", async () => {
  await listing();
  expect(await record(0, [stored(0), stored(1, { suspect: true })])).toEqual({
    stored: 1,
    bytes: 1,
    failed: 0,
    left: 1,
  });
  expect(await openChunks(db, id, 1, 9)).toEqual([0, 1, 2]);
  expect(await record(0, [failed(0), failed(2)])).toEqual({ stored: 0, bytes: 0, failed: 1, left: 0 });
  expect(await openChunks(db, id, 1, 9)).toEqual([1, 2]);
  expect(await Array.fromAsync(notableChunks(db, id, 1, "suspect"))).toEqual([0]);
  const [first] = await Array.fromAsync(everyObject(db, id, 1));
  expect(first).toMatchObject([
    { key: "a", state: "stored", sha512: "00ff", attempts: 1 },
    { key: "b", suspect: true },
    { key: "c/1", state: "failed", error: { code: "object_gone", message: "\0" } },
  ]);
});

test("an object that must be read again reopens its chunk", async () => {
  await listing();
  await record(0, [stored(0), stored(1), failed(2)]);
  await db.transaction().execute((trx) =>
    editNotable(trx, id, 1, "failed", (object) => {
      if (object.state !== "failed") return false;
      object.state = "listed";
      return true;
    }),
  );
  expect(await openChunks(db, id, 1, 2)).toEqual([0, 1]);
});

test("exactly the requested objects are changed, in any chunk", async () => {
  await listing();
  await db.transaction().execute((trx) =>
    editObjects(trx, id, 1, [6, 1, 5, 99], (object) => {
      object.path = `data/x${object.seq}`;
      return object.seq !== 5;
    }),
  );
  const paths = (await Array.fromAsync(everyObject(db, id, 1))).flat().map(({ path }) => path);
  expect(paths).toEqual([null, "data/x1", null, null, null, null, "data/x6", null]);
});

test("files are found by state, by path prefix, and after a position", async () => {
  await listing();
  await record(0, [stored(0), failed(1), stored(2)]);
  await record(1, [stored(3), stored(4), failed(5)]);
  await db
    .transaction()
    .execute((trx) =>
      editObjects(trx, id, 1, [7], (object) => Boolean(Object.assign(object, { odd: true, path: "data/c/odd" }))),
    );
  expect(await seqsOf({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(await seqsOf({ limit: 3, after: 1 })).toEqual([2, 3, 4]);
  expect(await seqsOf({ state: "failed" })).toEqual([1, 5]);
  expect(await seqsOf({ state: "failed", after: 1 })).toEqual([5]);
  expect(await seqsOf({ state: "stored" })).toEqual([0, 2, 3, 4]);
  expect(await seqsOf({ state: "listed" })).toEqual([6, 7]);
  expect(await seqsOf({ state: "excluded" })).toEqual([]);
  expect(await seqsOf({ prefix: "data/c/" })).toEqual([2, 3, 7]);
  expect(await seqsOf({ prefix: "data/c/", state: "stored", after: 2 })).toEqual([3]);
  expect(await seqsOf({ prefix: "dat" })).toHaveLength(8);
  expect(await seqsOf({ prefix: "data/f\0" })).toEqual([6]);
  expect(await seqsOf({ prefix: "elsewhere" })).toEqual([]);
  expect(await Array.fromAsync(everyFile(db, id, 1, { state: "listed", after: 6 }))).toMatchObject([[{ seq: 7 }]]);
});
