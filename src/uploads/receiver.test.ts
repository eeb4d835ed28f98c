import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db, useTestDatabase } from "../../tests/support/database/test-database.ts";
import type { SpaceReservation } from "../archive/store.ts";
import { findArea, insertArea, lockArea } from "../db/uploads/areas.ts";
import { type FileRef, findFile, insertFile } from "../db/uploads/files.ts";
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
  const { promise, resolve } = Promise.withResolvers<{ sha512: string }>();
  const hashers = { follow: () => ({ reached: () => undefined, verdict: () => promise, stop: () => undefined }) };
  return { hashers: hashers as unknown as FileHashers, finish: (sha512: string) => resolve({ sha512 }) };
}

async function newFile(bytes = BYTES): Promise<FileRef> {
  const folder = await UploadFolder.open(root, { archive, space: { hold } });
  area = randomUUID();
  await insertArea(db, { id: area, owner: "ada", most: 100 });
  await folder.makeArea(area);
  const file = { path: "a", bytes, metadata: "", statedSha512: DIGEST, sha512: undefined };
  const no = await db.transaction().execute(async (trx) => {
    const row = await lockArea(trx, area);
    return row === undefined ? 0 : (await insertFile(trx, row, file)).no;
  });
  return { area, no };
}

async function receiverWith(hashers: FileHashers): Promise<Receiver> {
  const folder = await UploadFolder.open(root, { archive, space: { hold } });
  return new Receiver({ db, folder, hashers, failed: () => undefined, verifyWaitMs: 1 });
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
