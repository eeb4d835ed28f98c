import { randomBytes } from "node:crypto";
import { appendFile, cp, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { sendBatch } from "../support/api/upload-batch.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archivePrefix,
  archiveSettings,
} from "../support/archive/s3-archive.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let archive: S3Server;
let service: TestService;
const tus = new TusClient(() => service.api);

beforeAll(async () => {
  archive = await startS3Server();
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
});
afterAll(() => archive.close());
afterEach(() => service.stop());

const inArea = (id: string) => join(service.data, "uploads", id);
const segmentOf = async (id: string, no: number) => {
  const name = (await readdir(inArea(id))).find((one) => one.startsWith(`${no}-`));
  return join(inArea(id), name ?? "");
};

test("files of many segments are listed with all of them", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  await tus.send(files, "first", Buffer.from("abc"));
  const digest = sha512(Buffer.from("x"));
  await service.restart(async () => {
    const database = await service.database();
    const db = database.queries;
    await sql`insert into upload_file (area_id, no, path, bytes, received, stated_sha512, sha512, completed_at)
      select ${id}, n, 'plots/' || n, 100, 100, ${digest}, ${digest}, now() from generate_series(1001, 1150) as n`.execute(
      db,
    );
    await sql`insert into upload_segment (area_id, no, start_at, bytes, name)
      select ${id}, n, at, 1, n || '-' || at from generate_series(1001, 1150) as n, generate_series(0, 99) as at`.execute(
      db,
    );
    await sql`update upload_area set files = 151, bytes = 15003, received = 15003, next_no = 1151 where id = ${id}`.execute(
      db,
    );
    await database.close();
  });
  const { json } = await tus.submit(id);
  const text = await readFile(join(inArea(id), `listing-${json.id}`), "utf8");
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.map(([path]) => path)).toEqual(["first", ...Array.from({ length: 150 }, (_, n) => `plots/${1001 + n}`)]);
  const hundred = Array.from({ length: 100 }, (_, at) => at);
  for (const [path, , , , , segments] of lines.slice(1)) {
    expect(segments).toEqual(hundred.map((at) => [`${path.slice(6)}-${at}`, 1]));
  }
});

/** Changes a byte. */
async function damage(path: string, bytes: Buffer): Promise<void> {
  await writeFile(path, Buffer.concat([Buffer.from([(bytes[0] ?? 0) ^ 1]), bytes.subarray(1)]));
}

test("an archive in an object store receives uploaded files, also from many segments", async () => {
  const uploads = await mkdtemp(join(tmpdir(), "accession-uploads-"));
  service = await startTestService({ ...archiveSettings(archive.endpoint), ACCESSION_UPLOADS: uploads });
  service.isDamaged = true;
  const { id, files } = await tus.upload();
  const large = randomBytes(20_000_000);
  await tus.send(files, "large.bin", large);
  await tus.send(files, "folder/small.txt", Buffer.from("abc"));
  // A file beside a folder of its name.
  await tus.send(files, "folder", Buffer.from("not a folder"));
  const { json } = await tus.submit(id);
  await service.api.until(json.id, ["completed"]);
  const found = (await service.api.files(json.id)).map((file) => [file.key, file.sha512, file.verifiedWith]);
  expect(found).toEqual([
    ["folder", sha512(Buffer.from("not a folder")), "sha512"],
    ["folder/small.txt", sha512(Buffer.from("abc")), "sha512"],
    ["large.bin", sha512(large), "sha512"],
  ]);
  const path = archivePaths(archive).find((one) => one.endsWith("/data/large.bin"));
  expect(sha512(archive.body(archiveBucket, `${archivePrefix}/${path}`))).toBe(sha512(large));
  await rm(uploads, { recursive: true });
});

test("a file that is changed in the folder of uploads after it had arrived is not archived", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  const bytes = randomBytes(2_000);
  await tus.send(files, "changed", bytes);
  await tus.send(files, "undigested", bytes, { sha512: null });
  await tus.send(files, "longer", bytes);
  await tus.send(files, "shorter", bytes);
  await damage(await segmentOf(id, 1), bytes);
  await damage(await segmentOf(id, 2), bytes);
  // As after a request that was refused: bytes that do not count.
  await appendFile(await segmentOf(id, 3), "x");
  await truncate(await segmentOf(id, 4), 1_999);
  const { json } = await tus.submit(id);
  const waiting = await service.api.until(json.id, ["waiting"]);
  expect(waiting.waiting).toMatchObject({ code: "objects_unreadable" });
  const states = (await service.api.files(json.id)).map((file) => [file.key, file.state, file.error?.code]);
  expect(states).toEqual([
    ["changed", "failed", "source_corrupt"],
    ["longer", "stored", undefined],
    ["shorter", "failed", "source_corrupt"],
    ["undigested", "failed", "source_corrupt"],
  ]);
  await service.api.post(`/submission/${json.id}/cancel`, undefined);
  const { json: events } = await service.api.get(`/submission/${json.id}/events`);
  const said = JSON.stringify([events, (await service.api.get(`/submission/${json.id}`)).json]);
  expect(said.replaceAll('"bucket":', "")).not.toMatch(/bucket/i);
});

test("a submission waits while the folder of uploads is missing, and nothing is recorded there", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  const { at, bytes } = await tus.file(files, "a", randomBytes(1_000));
  const root = join(service.data, "uploads");
  await rename(root, `${root}-elsewhere`);
  expect(await tus.patch(at, 0, bytes)).toMatchObject({ status: 503, code: "archive_unwritable" });
  expect((await service.api.post("/uploads")).json).toMatchObject({ code: "archive_unwritable" });
  await rename(`${root}-elsewhere`, root);
  expect(await tus.patch(at, 0, bytes)).toMatchObject({ status: 204, offset: 1_000 });
  const { json } = await tus.submit(id);
  await service.api.until(json.id, ["completed"]);
});

test("a folder of uploads that was restored from a backup is used as before", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  const { at, bytes } = await tus.file(files, "half", randomBytes(2_000));
  await tus.patch(at, 0, bytes.subarray(0, 700));
  await tus.send(files, "whole", Buffer.from("abc"));
  const root = join(service.data, "uploads");
  await service.restart(async () => {
    await cp(root, `${root}-backup`, { recursive: true });
    await rm(root, { recursive: true });
    await rename(`${root}-backup`, root);
  });
  expect(await tus.patch(at, 700, bytes.subarray(700))).toMatchObject({ status: 204, offset: 2_000 });
  const { json } = await tus.submit(id);
  await service.api.until(json.id, ["completed"]);
  const found = (await service.api.files(json.id)).map((file) => [file.key, file.sha512]);
  expect(found).toEqual([
    ["half", sha512(bytes)],
    ["whole", sha512(Buffer.from("abc"))],
  ]);
});

test("lists of files of cancelled submissions are removed", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  await tus.send(files, "a", Buffer.from("abc"));
  const segment = await segmentOf(id, 1);
  await rename(segment, `${segment}-elsewhere`);
  for (let times = 0; times < 3; times++) {
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["waiting"]);
    await service.api.post(`/submission/${json.id}/cancel`, undefined);
    await expect.poll(async () => (await readdir(inArea(id))).filter((name) => name.startsWith("listing"))).toEqual([]);
  }
});

test("a folder of uploads belongs to one archive", async () => {
  service = await startTestService();
  await tus.upload();
  const uploads = join(service.data, "uploads");
  const other = await mkdtemp(join(tmpdir(), "accession-other-"));
  await writeFile(join(other, "thesis.txt"), "not an upload");
  await expect(startTestService({ ACCESSION_UPLOADS: other })).rejects.toThrow(/has something else in it: thesis.txt/);
  await expect(startTestService({ ACCESSION_UPLOADS: uploads })).rejects.toThrow(/belongs to another archive/);
  expect(await readdir(other)).toEqual(["thesis.txt"]);
  await rm(other, { recursive: true });
});

test("a failed submission is retried with the same files", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  await tus.send(files, "a", Buffer.from("abc"));
  await tus.send(files, "b", Buffer.from("abcd"));
  const segment = await segmentOf(id, 1);
  await rename(segment, `${segment}-elsewhere`);
  const { json } = await tus.submit(id);
  await service.api.until(json.id, ["waiting"]);
  expect((await service.api.files(json.id))[0]?.error).toMatchObject({ code: "object_gone" });
  await rename(`${segment}-elsewhere`, segment);
  expect((await service.api.post(`/submission/${json.id}/retry`)).status).toBe(202);
  const { attempt } = await service.api.until(json.id, ["completed"]);
  expect(attempt).toBe(2);
});

test("a submission that states the revision of an upload is refused if its files have changed since", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  const revision = async (): Promise<number> => (await service.api.get(`/uploads/${id}`)).json.revision;
  const submit = (seen: unknown) => tus.submit(id, { upload: { id, revision: seen } });
  const at = await tus.send(files, "a", Buffer.from("abc"));
  await tus.send(files, "b", Buffer.from("abc"));
  const seen = await revision();
  await tus.request("DELETE", new URL(at).pathname);
  expect(await submit(seen)).toMatchObject({ status: 409, json: { code: "upload_changed" } });
  const removed = await revision();
  await sendBatch(service.api, id, [{ path: "a", bytes: Buffer.from("other") }]);
  expect(await submit(removed)).toMatchObject({ status: 409, json: { code: "upload_changed" } });
  expect(await submit("1")).toMatchObject({
    status: 422,
    json: { code: "invalid_request", errors: [{ pointer: "/upload/revision", code: "wrong_type" }] },
  });
  const { status, json } = await submit(await revision());
  expect(status).toBe(202);
  await service.api.until(json.id, ["completed"]);
});
