import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db, useTestDatabase } from "../../tests/support/database/test-database.ts";
import type { SpaceReservation } from "../archive/store.ts";
import { findArea, insertArea, lockArea, markRemoved } from "../db/uploads/areas.ts";
import { deleteFile, type FileRef, findFile, insertFile, segmentsOf } from "../db/uploads/files.ts";
import { Problem } from "../domain/problems.ts";
import type { FileHashers } from "../source/reading/file-hashers.ts";
import { offsetOf } from "./offset.ts";
import { Receiver } from "./receiver.ts";
import { UploadFolder } from "./upload-folder.ts";

useTestDatabase();

const BYTES = 300_000;
const archive = randomUUID();
const DIGEST = "ab".repeat(64);
let root: string;
let area: string;
/** Sizes of the reservations of disk space. */
const held: number[] = [];
let free = Number.POSITIVE_INFINITY;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "accession-receiver-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function hold(bytes: number): Promise<SpaceReservation> {
  if (bytes > free) throw new Problem("no_space");
  held.push(bytes);
  return { use: () => undefined, release: () => undefined };
}

/** Hashes as slowly as the test wants. */
function slowHashers() {
  const { promise, resolve, reject } = Promise.withResolvers<{ sha512: string }>();
  const hashers = { follow: () => ({ reached: () => undefined, verdict: () => promise, stop: () => undefined }) };
  return { hashers: hashers as unknown as FileHashers, finish: (sha512: string) => resolve({ sha512 }), fail: reject };
}

async function newFile(bytes = BYTES): Promise<FileRef> {
  const folder = await UploadFolder.open(root, { archive, space: { hold } });
  area = randomUUID();
  await insertArea(db, { id: area, owner: "ada", sealed: undefined, most: 100 });
  await folder.makeArea(area);
  const file = { path: "a", bytes, metadata: "", statedSha512: DIGEST, sha512: undefined };
  const no = await db.transaction().execute(async (trx) => {
    const row = await lockArea(trx, area);
    return row === undefined ? 0 : (await insertFile(trx, row, file)).no;
  });
  return { area, no };
}

async function receiverWith(hashers: FileHashers, verifyWaitMs = 1): Promise<Receiver> {
  const folder = await UploadFolder.open(root, { archive, space: { hold } });
  return new Receiver({ db, folder, hashers, failed: () => undefined, verifyWaitMs });
}

async function* bodyOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const stateOf = async (ref: FileRef) => {
  const row = await findFile(db, ref);
  return row === undefined ? undefined : { offset: offsetOf(row), isComplete: row.completed_at !== null };
};

test("while a file is compared with its digest, its last byte does not count, and is sent again", async () => {
  const ref = await newFile();
  const { hashers, finish } = slowHashers();
  const receiver = await receiverWith(hashers);
  const bytes = randomBytes(BYTES);
  const last = () => receiver.receive(ref, { from: BYTES - 1, bytes: 1, body: bodyOf(bytes.subarray(BYTES - 1)) });
  expect(await receiver.receive(ref, { from: 0, bytes: BYTES, body: bodyOf(bytes) })).toBe(BYTES - 1);
  expect(await last()).toBe(BYTES - 1);
  expect(await stateOf(ref)).toEqual({ offset: BYTES - 1, isComplete: false });
  finish(DIGEST);
  await vi.waitUntil(async () => (await stateOf(ref))?.isComplete === true);
  expect(await last()).toBe(BYTES);
  expect(await findArea(db, area)).toMatchObject({ incomplete: 0, received: BYTES, files: 1, bytes: BYTES });
});

test("a client that is waiting learns that the digest does not match, also when it comes later", async () => {
  const ref = await newFile();
  const { hashers, finish } = slowHashers();
  const receiver = await receiverWith(hashers);
  const bytes = randomBytes(BYTES);
  const last = () => receiver.receive(ref, { from: BYTES - 1, bytes: 1, body: bodyOf(bytes.subarray(BYTES - 1)) });
  await receiver.receive(ref, { from: 0, bytes: BYTES, body: bodyOf(bytes) });
  finish("cd".repeat(64));
  await vi.waitUntil(async () => (await stateOf(ref))?.offset === 0);
  await expect(last()).rejects.toMatchObject({ code: "upload_digest_wrong" });
  await vi.waitUntil(async () => (await readdir(join(root, area))).length === 0);
  expect(await findArea(db, area)).toMatchObject({ incomplete: 1, received: 0 });
});

test("space is reserved in steps, and what has arrived stays if there is no more", async () => {
  const MIB = 1024 * 1024;
  const ref = await newFile(1000 * MIB);
  const receiver = await receiverWith(slowHashers().hashers);
  held.length = 0;
  const full = async function* () {
    for (let n = 0; n < 70; n++) {
      if (n === 64) free = 0;
      yield Buffer.alloc(MIB);
    }
  };
  const receiving = receiver.receive(ref, { from: 0, bytes: 1000 * MIB, body: full() });
  await expect(receiving).rejects.toMatchObject({ code: "no_space" });
  free = Number.POSITIVE_INFINITY;
  expect(held).toEqual([64 * MIB]);
  expect(await stateOf(ref)).toEqual({ offset: 64 * MIB, isComplete: false });
});

/** A request whose bytes arrive when the test wants. */
function gatedBody(...chunks: Uint8Array[]) {
  const gates = chunks.map(() => Promise.withResolvers<void>());
  const body = async function* () {
    for (const [n, chunk] of chunks.entries()) {
      await gates[n]?.promise;
      yield chunk;
    }
  };
  return { body: body(), send: (n: number) => gates[n]?.resolve() };
}

const folderOf = (ref: FileRef) => join(root, ref.area);
const sizesIn = async (ref: FileRef) =>
  Promise.all((await readdir(folderOf(ref))).map(async (name) => (await stat(join(folderOf(ref), name))).size));

/** The bytes of a file that are recorded, as they are stored. */
async function storedBytes(ref: FileRef): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { name, bytes } of await segmentsOf(db, ref))
    parts.push((await readFile(join(folderOf(ref), name))).subarray(0, bytes));
  return Buffer.concat(parts);
}

test("a late comparison of earlier bytes has no effect on those that another process has received since", async () => {
  const ref = await newFile();
  const [early, other, later] = [slowHashers(), slowHashers(), slowHashers()];
  const [first, second, third] = await Promise.all([early, other, later].map(({ hashers }) => receiverWith(hashers)));
  const bytes = randomBytes(BYTES);
  const all = () => ({ from: 0, bytes: BYTES, body: bodyOf(bytes) });
  await first?.receive(ref, all());
  await second?.receive(ref, { from: BYTES - 1, bytes: 1, body: bodyOf(bytes.subarray(BYTES - 1)) });
  other.finish("cd".repeat(64));
  await vi.waitUntil(async () => (await stateOf(ref))?.offset === 0);
  expect(await third?.receive(ref, all())).toBe(BYTES - 1);
  early.finish("cd".repeat(64));
  await first?.close();
  expect(await stateOf(ref)).toEqual({ offset: BYTES - 1, isComplete: false });
  later.finish(DIGEST);
  await vi.waitUntil(async () => (await stateOf(ref))?.isComplete === true);
  expect(await storedBytes(ref)).toEqual(bytes);
});

test("a short failure of the database fails the request that asks for the state, and not the one that sends", async () => {
  const ref = await newFile();
  const receiver = await receiverWith(slowHashers().hashers);
  const { body, send } = gatedBody(Buffer.alloc(1_000), Buffer.alloc(1_000));
  const receiving = receiver.receive(ref, { from: 0, bytes: 2_000, body });
  send(0);
  await vi.waitUntil(async () => (await sizesIn(ref))[0] === 1_000);
  await sql`alter table upload_segment rename to unavailable`.execute(db);
  await expect(receiver.flush(ref)).rejects.toThrow(/upload_segment/);
  await sql`alter table unavailable rename to upload_segment`.execute(db);
  send(1);
  expect(await receiving).toBe(2_000);
  expect(await findArea(db, area)).toMatchObject({ received: 2_000 });
});

async function remove(what: string, ref: FileRef): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (what === "a file") await deleteFile(trx, ref);
    else await markRemoved(trx, ref.area);
  });
}

test.each(["a file", "an upload"])("the sender of %s that another process has removed learns it", async (removed) => {
  const ref = await newFile();
  const receiver = await receiverWith(slowHashers().hashers);
  const { body, send } = gatedBody(Buffer.alloc(1_000), Buffer.alloc(1_000));
  const receiving = receiver.receive(ref, { from: 0, bytes: 2_000, body });
  send(0);
  await vi.waitUntil(async () => (await sizesIn(ref))[0] === 1_000);
  await remove(removed, ref);
  send(1);
  await expect(receiving).rejects.toMatchObject({ code: "not_found" });
  expect(await sizesIn(ref)).toEqual([]);
});

test.each(["a file", "an upload"])(
  "a client that waits for the comparison of %s learns its removal",
  async (removed) => {
    const ref = await newFile();
    const { hashers, fail } = slowHashers();
    const receiver = await receiverWith(hashers, 60_000);
    const receiving = receiver.receive(ref, { from: 0, bytes: BYTES, body: bodyOf(randomBytes(BYTES)) });
    await vi.waitUntil(async () => (await stateOf(ref))?.offset === BYTES - 1);
    await remove(removed, ref);
    fail(new Error("ENOENT"));
    await expect(receiving).rejects.toMatchObject({ code: "not_found" });
  },
);

test("a request that another process has taken over leaves no bytes that do not count", async () => {
  const ref = await newFile();
  const bytes = randomBytes(BYTES);
  const [one, other] = await Promise.all([receiverWith(slowHashers().hashers), receiverWith(slowHashers().hashers)]);
  const { body, send } = gatedBody(bytes.subarray(0, 1_000), Buffer.alloc(1_000), Buffer.alloc(1_000));
  const receiving = one.receive(ref, { from: 0, bytes: BYTES, body });
  send(0);
  await vi.waitUntil(async () => (await sizesIn(ref))[0] === 1_000);
  await one.flush(ref);
  send(1);
  await vi.waitUntil(async () => (await sizesIn(ref))[0] === 2_000);
  await other.receive(ref, { from: 1_000, bytes: 500, body: bodyOf(bytes.subarray(1_000, 1_500)) });
  send(2);
  await expect(receiving).rejects.toMatchObject({ code: "upload_taken_over" });
  expect((await sizesIn(ref)).sort()).toEqual([1_000, 500]);
  expect(await storedBytes(ref)).toEqual(bytes.subarray(0, 1_500));
});

test("a segment to which a request of another process may still write is not continued", async () => {
  const ref = await newFile();
  const bytes = randomBytes(BYTES);
  const [one, other] = await Promise.all([receiverWith(slowHashers().hashers), receiverWith(slowHashers().hashers)]);
  const { body, send } = gatedBody(bytes.subarray(0, 1_000), randomBytes(1_000));
  const receiving = one.receive(ref, { from: 0, bytes: BYTES, body });
  send(0);
  await vi.waitUntil(async () => (await sizesIn(ref))[0] === 1_000);
  await one.flush(ref);
  // One that breaks before it has sent anything.
  await other.receive(ref, { from: 1_000, bytes: undefined, body: bodyOf() });
  await other.receive(ref, { from: 1_000, bytes: 2_000, body: bodyOf(bytes.subarray(1_000, 3_000)) });
  send(1);
  await expect(receiving).rejects.toMatchObject({ code: "upload_taken_over" });
  expect(await storedBytes(ref)).toEqual(bytes.subarray(0, 3_000));
});

test("a request that has lost a file to a client that asks records nothing, however often the client has asked", async () => {
  const ref = await newFile();
  const bytes = randomBytes(BYTES);
  const [one, other] = await Promise.all([receiverWith(slowHashers().hashers), receiverWith(slowHashers().hashers)]);
  const { body, send } = gatedBody(bytes.subarray(0, 1_000), randomBytes(1_000));
  const receiving = one.receive(ref, { from: 0, bytes: BYTES, body });
  send(0);
  await vi.waitUntil(async () => (await sizesIn(ref))[0] === 1_000);
  await one.flush(ref);
  const versions: unknown[] = [];
  for (let asks = 0; asks < 3; asks++) {
    expect(await other.finish(ref)).toMatchObject({ received: 1_000 });
    versions.push((await sql`select xmin::text from upload_file where area_id = ${ref.area}`.execute(db)).rows);
  }
  expect(versions).toEqual(Array(3).fill(versions[0]));
  send(1);
  await expect(receiving).rejects.toMatchObject({ code: "upload_taken_over" });
  await other.receive(ref, { from: 1_000, bytes: 2_000, body: bodyOf(bytes.subarray(1_000, 3_000)) });
  expect(await storedBytes(ref)).toEqual(bytes.subarray(0, 3_000));
});
