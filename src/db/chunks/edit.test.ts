import { beforeEach, expect, test } from "vitest";
import { addListing, addSubmission, db, useTestDatabase } from "../../../tests/support/database/test-database.ts";
import { type ChunkRevision, readRevision } from "./chunk-revision.ts";
import { displacedAt, everyObject, openChunks, readChunk } from "./chunks.ts";
import { editNotable, editObjects, notableChunks } from "./edit.ts";
import { everyFile, filesAfter } from "./files.ts";
import { type Outcome, type OutcomeBatch, OutcomeCollector } from "./outcome-batch.ts";
import { countRead, recordBatch, recordOutcomes } from "./outcomes.ts";

let id: string;

useTestDatabase();
beforeEach(async () => {
  id = await addSubmission(db);
});

const keys = ["a", "b", "c/1", "c/2", "d", "e", "f\0", "g"];
const listing = () => addListing(db, id, 1, keys);
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

/** The outcomes as a thread sends them. */
async function batchOf(no: number, outcomes: Outcome[]) {
  const chunk = await readChunk(db, id, 1, no);
  const collector = new OutcomeCollector();
  for (const outcome of outcomes) {
    const object = chunk?.objects.find(({ seq }) => seq === outcome.seq);
    if (object !== undefined) collector.add(object, outcome);
  }
  return collector.take();
}
const recordAll = (known: ChunkRevision | undefined, batch: OutcomeBatch) =>
  db.transaction().execute((trx) => recordBatch(trx, id, 1, { no: 0, known }, batch));
const revisionOf = async (no: number) => (await readRevision(db, id, 1, no)) as ChunkRevision;
const wholeListing = async () => (await Array.fromAsync(everyObject(db, id, 1))).flat();
const outcomes = [
  stored(2, {
    contentPath: "by-key/ä\n",
    etagIsDigest: true,
    responseMetadata: { contentType: "text/csv", userMetadata: { a: "é\u2028" } },
  }),
  failed(0),
  stored(1, { suspect: true, verifiedBy: "length" }),
];

test("a batch of lines has the same effect as its outcomes, in one or several parts", async () => {
  await listing();
  await record(0, outcomes);
  const expected = await wholeListing();
  for (const parts of [[outcomes], outcomes.map((one) => [one])]) {
    id = await addSubmission(db);
    await listing();
    let known: ChunkRevision | undefined = await revisionOf(0);
    const sum = { stored: 0, bytes: 0, failed: 0, left: 3 };
    for (const part of parts) {
      const done = await recordAll(known, await batchOf(0, part));
      sum.stored += done.stored;
      sum.bytes += done.bytes;
      sum.failed += done.failed;
      sum.left = done.left;
      known = done.known;
    }
    expect(sum).toEqual({ stored: 1, bytes: expected[2]?.bytes, failed: 1, left: 0 });
    expect(await wholeListing()).toEqual(expected);
    expect(await revisionOf(0)).toEqual(known);
    expect(await displacedAt(db, id, 1, ["by-key/ä\n"])).toMatchObject([{ seq: 2 }]);
  }
});

test("a batch changes only objects that are still listed if the chunk has changed in the meantime", async () => {
  await listing();
  const known = await revisionOf(0);
  const batch = await batchOf(0, outcomes);
  await record(0, [stored(1)]);
  await db.transaction().execute((trx) => countRead(trx, id, 1, 2));
  const before = await wholeListing();
  const done = await recordAll(known, batch);
  expect(done).toMatchObject({ stored: 1, failed: 1, left: 0 });
  expect(done.known).toBeUndefined();
  const after = await wholeListing();
  expect(after[1]).toEqual(before[1]);
  expect(after[2]).toMatchObject({ state: "stored", attempts: 2, contentPath: "by-key/ä\n" });
  expect(await revisionOf(0)).toMatchObject({ listed: 0, failed: 1, suspect: 0 });
});

test("later batches, too, keep what else has changed in the chunk", async () => {
  await listing();
  const known = await revisionOf(0);
  const batches = await Promise.all(outcomes.map((outcome) => batchOf(0, [outcome])));
  await db
    .transaction()
    .execute((trx) =>
      editObjects(trx, id, 1, [1, 2], (object) =>
        Boolean(Object.assign(object, { odd: true, path: `data/%keys%/${object.seq}` })),
      ),
    );
  await record(0, [failed(1)]);
  let last: ChunkRevision | undefined = known;
  for (const batch of batches) last = (await recordAll(last, batch)).known;
  const [first, second, third] = await wholeListing();
  expect(first).toMatchObject({ state: "failed" });
  expect(second).toMatchObject({ state: "failed", odd: true, path: "data/%keys%/1" });
  expect(third).toMatchObject({ state: "stored", odd: true, path: "data/%keys%/2" });
  expect(await revisionOf(0)).toMatchObject({ listed: 0, failed: 2, suspect: 0, odd: 2 });
});

test("a batch whose transaction was rolled back can be recorded again", async () => {
  await listing();
  const known = await revisionOf(0);
  const batch = await batchOf(0, outcomes);
  const failing = db.transaction().execute(async (trx) => {
    await recordBatch(trx, id, 1, { no: 0, known }, batch);
    throw new Error("full");
  });
  await expect(failing).rejects.toThrow("full");
  expect(await revisionOf(0)).toEqual(known);
  expect(await recordAll(known, batch)).toMatchObject({ stored: 1, failed: 1, left: 0 });
});

test("batches of two workers with the same chunk count every object once", async () => {
  await listing();
  const [one, other] = [await revisionOf(0), await revisionOf(0)];
  const [first, second, last] = outcomes.map((outcome) => [outcome]);
  const done = await recordAll(one, await batchOf(0, first ?? []));
  const otherDone = await recordAll(other, await batchOf(0, [...(first ?? []), ...(second ?? [])]));
  expect(otherDone).toMatchObject({ stored: 0, failed: 1, left: 1 });
  expect(await recordAll(done.known, await batchOf(0, last ?? []))).toMatchObject({ left: 0 });
  expect(await recordAll(otherDone.known, await batchOf(0, last ?? []))).toMatchObject({
    stored: 0,
    failed: 0,
    left: 0,
  });
  expect(await revisionOf(0)).toMatchObject({ listed: 0, failed: 1, suspect: 1 });
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
      editObjects(trx, id, 1, [7], (object) =>
        Boolean(Object.assign(object, { odd: true, path: "data/%keys/c%2Fodd" })),
      ),
    );
  expect(await seqsOf({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(await seqsOf({ limit: 3, after: 1 })).toEqual([2, 3, 4]);
  expect(await seqsOf({ state: "failed" })).toEqual([1, 5]);
  expect(await seqsOf({ state: "failed", after: 1 })).toEqual([5]);
  expect(await seqsOf({ state: "stored" })).toEqual([0, 2, 3, 4]);
  expect(await seqsOf({ state: "listed" })).toEqual([6, 7]);
  expect(await seqsOf({ state: "excluded" })).toEqual([]);
  expect(await seqsOf({ prefix: "data/c/" })).toEqual([2, 3]);
  for (const prefix of ["data/%keys/c", "data/%keys", "data/%"]) expect(await seqsOf({ prefix })).toEqual([7]);
  expect(await seqsOf({ prefix: "data/c/", state: "stored", after: 2 })).toEqual([3]);
  expect(await seqsOf({ prefix: "dat" })).toHaveLength(8);
  expect(await seqsOf({ prefix: "data/f\0" })).toEqual([6]);
  expect(await seqsOf({ prefix: "elsewhere" })).toEqual([]);
  expect(await Array.fromAsync(everyFile(db, id, 1, { state: "listed", after: 6 }))).toMatchObject([[{ seq: 7 }]]);
});

test("chunks that cannot have a path are not read, also if they have odd keys", async () => {
  await listing();
  await db.updateTable("chunk").set({ odd: 1, objects: "not JSON" }).where("submission_id", "=", id).execute();
  for (const prefix of ["data/nope", "data/0", "data/%key/"]) expect(await seqsOf({ prefix })).toEqual([]);
  for (const prefix of ["data/%keys/nope", "data/c/"]) await expect(seqsOf({ prefix })).rejects.toThrow(SyntaxError);
});
