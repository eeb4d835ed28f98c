import { randomBytes, randomUUID } from "node:crypto";
import { readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, expect, test, vi } from "vitest";
import type { Queries } from "../../src/db/database.ts";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { batchForm, linesOf, postBatch, sendBatch } from "../support/api/upload-batch.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const digest = sha512(Buffer.from("x"));
const DAY_MS = 86_400_000;

let service: TestService;
const tus = new TusClient(() => service.api);
afterEach(() => service.stop());

const areas = async () => (await readdir(join(service.data, "uploads"))).filter((name) => name !== "uploads.json");

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

/** Changes the database while the service is stopped, and lets the next one clean up at once. */
async function restartAfter(change: (db: Queries) => Promise<unknown>) {
  await service.restart(async () => {
    const database = await service.database();
    await change(database.queries);
    await sql`delete from turn`.execute(database.queries);
    await database.close();
  });
}

/** Resolves when the service that was started last has cleaned up: it has then removed an upload that had expired. */
async function cleaned(): Promise<void> {
  const { id } = await tus.upload();
  await restartAfter((db) =>
    db
      .updateTable("upload_area")
      .set({ used_at: daysAgo(15), warned_at: daysAgo(4) })
      .where("id", "=", id)
      .execute(),
  );
  // Uploads are removed one after the other, and unknown folders at the end; the end of the process waits for it.
  await expect.poll(areas).not.toContain(id);
}

test("files count for the quota once: when they are created, and until their bytes are removed", async () => {
  service = await startTestService({ ACCESSION_QUOTA_BYTES: "3000000", ACCESSION_QUOTA_OBJECTS: "3" });
  const { id, files } = await tus.upload();
  const bytes = randomBytes(1_400_000);
  await tus.send(files, "a", bytes);
  // Reached in the middle of an upload, which stays as it is.
  expect(await tus.create(files, "b", 1_700_000)).toMatchObject({ code: "quota_exceeded" });
  await tus.send(files, "b", bytes);
  await tus.send(files, "c", Buffer.from("c"));
  expect(await tus.create(files, "d", 1)).toMatchObject({ code: "quota_exceeded" });
  // Almost the whole quota, and not twice as much.
  const { status, json } = await tus.submit(id);
  expect([status, json.code]).toEqual([202, undefined]);
  expect(await tus.create((await tus.upload()).files, "d", 1)).toMatchObject({ code: "quota_exceeded" });
  await service.api.until(json.id, ["completed"]);
  const { files: others, id: other } = await tus.upload();
  expect(await tus.create(others, "d", 1)).toMatchObject({ code: "quota_exceeded" });
  // The bytes in the upload are removed, those in the archive stay.
  await restartAfter(async () => undefined);
  await expect.poll(areas).not.toContain(id);
  expect((await service.api.get(`/uploads/${id}`)).status).toBe(404);
  expect((await service.api.get(`/uploads/${other}`)).status).toBe(200);
  expect(await tus.create(others, "d", 1)).toMatchObject({ code: "quota_exceeded" });
});

test("files of a batch for which there is no quota are refused before they are stored", async () => {
  service = await startTestService({ ACCESSION_QUOTA_BYTES: "3000000", ACCESSION_QUOTA_OBJECTS: "3" });
  const { id, files } = await tus.upload();
  const known = { path: "known", bytes: randomBytes(2_800_000) };
  await tus.send(files, known.path, known.bytes);
  const { type, pieces } = batchForm([{ path: "large", bytes: randomBytes(1_000_000) }]);
  const [large = expect.fail(), end = expect.fail()] = pieces;
  const seen: string[] = [];
  const rest = [large.subarray(0, 400_000), large.subarray(400_000), end];
  const body = new ReadableStream({
    pull: async (stream) => {
      // The answer comes before the rest of the file.
      if (rest.length === 2) await vi.waitUntil(() => linesOf(seen.join("")).length === 1);
      stream.enqueue(rest.shift());
      if (rest.length === 0) stream.close();
    },
  });
  const answer = await postBatch(service.api, id, { body, type });
  for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) seen.push(text);
  expect(linesOf(seen.join(""))).toMatchObject([{ path: "large", problem: { code: "quota_exceeded" } }]);
  // What the upload has already, and what fits.
  const sent = ["known", "a", "b", "c", "known"].map((path) =>
    path === "known" ? known : { path, bytes: randomBytes(9) },
  );
  const lines = await sendBatch(service.api, id, sent);
  const refused = lines.filter(({ problem }) => problem?.code === "quota_exceeded").map(({ path }) => path);
  expect([lines.length, refused.length, refused.includes("known")]).toEqual([5, 1, false]);
  expect(await readdir(join(service.data, "uploads", id))).toHaveLength(3);
});

test("requests for several uploads at once use the quota exactly", async () => {
  service = await startTestService({ ACCESSION_QUOTA_BYTES: "1000000", ACCESSION_QUOTA_OBJECTS: "50" });
  const uploads = await Promise.all(Array.from({ length: 4 }, () => tus.upload()));
  const createAll = async (name: string, bytes: number) => {
    const creating = uploads.flatMap(({ files }) =>
      Array.from({ length: 6 }, (_, n) => tus.create(files, `${name}/${n}`, bytes)),
    );
    const created = await Promise.all(creating);
    const accepted = created.filter(({ status }) => status === 201).length;
    expect(created.filter(({ code }) => code === "quota_exceeded")).toHaveLength(24 - accepted);
    return accepted;
  };
  // Ten files fill the bytes, and 40 empty ones the number.
  expect(await createAll("bytes", 100_000)).toBe(10);
  expect([await createAll("empty", 0), await createAll("more", 0)]).toEqual([24, 16]);
});

test("nothing is accepted for which the disk has no space", async () => {
  service = await startTestService({ ACCESSION_DISK_RESERVE: "900TiB" });
  const { files } = await tus.upload();
  expect(await tus.create(files, "a", 1)).toMatchObject({ status: 507, code: "no_space" });
  expect((await service.api.get(files)).json.files).toEqual([]);
});

test("unused uploads are removed", async () => {
  service = await startTestService();
  const [old, recent] = [await tus.upload(), await tus.upload()];
  await tus.send(old.files, "a", Buffer.from("abc"));
  await tus.send(recent.files, "a", Buffer.from("abc"));
  await restartAfter(async (db) => {
    await db
      .updateTable("upload_area")
      .set({ used_at: daysAgo(15), warned_at: daysAgo(4) })
      .where("id", "=", old.id)
      .execute();
  });
  await expect.poll(areas).toEqual([recent.id]);
  expect((await service.api.get(`/uploads/${old.id}`)).status).toBe(404);
  expect((await service.api.get(recent.files)).json.files).toMatchObject([{ path: "a", receivedBytes: 3 }]);
  expect(await tus.request("HEAD", `${old.files}/1`)).toMatchObject({ status: 404 });
});

test("a folder that the database does not know is removed 14 days after the service first saw it", async () => {
  service = await startTestService();
  const [unknown, recent, known] = [await tus.upload(), await tus.upload(), await tus.upload()];
  const seen: string[] = [];
  const lookAt = async (db: Queries) => {
    seen.splice(0);
    seen.push(...(await db.selectFrom("unknown_upload").select("id").execute()).map(({ id }) => id));
  };
  // As after the restoration of a database, or its loss.
  for (const { id } of [unknown, known]) await utimes(join(service.data, "uploads", id), daysAgo(30), daysAgo(30));
  await restartAfter((db) => db.deleteFrom("upload_area").where("id", "in", [unknown.id, recent.id]).execute());
  await cleaned();
  expect((await areas()).sort()).toEqual([unknown.id, recent.id, known.id].sort());
  await restartAfter(async (db) => {
    await lookAt(db);
    await db
      .updateTable("unknown_upload")
      .set({ seen_at: daysAgo(13) })
      .execute();
  });
  expect(seen).toEqual([unknown.id]);
  await cleaned();
  expect(await areas()).toContain(unknown.id);
  await restartAfter((db) =>
    db
      .updateTable("unknown_upload")
      .set({ seen_at: daysAgo(15) })
      .execute(),
  );
  await expect.poll(areas).not.toContain(unknown.id);
  await cleaned();
  await restartAfter(lookAt);
  expect(seen).toEqual([]);
});

test("files in the folder of an upload that nothing needs are removed after a day", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  await tus.send(files, "a", Buffer.from("abc"));
  const joined = [await tus.part(files, Buffer.from("de")), await tus.part(files, Buffer.from("f"))];
  expect(await tus.join(files, joined, { path: "b" })).toMatchObject({ status: 201, offset: 3 });
  const part = await tus.part(files, Buffer.from("g"));
  const folder = join(service.data, "uploads", id);
  const segments = await readdir(folder);
  expect(segments).toHaveLength(4);
  const listing = `listing-${randomUUID()}`;
  const orphans = [`1-${randomUUID()}`, `7-${randomUUID()}`, listing, `${listing}.new`];
  const quiet = daysAgo(1.05);
  const writing = `1-${randomUUID()}`;
  const usedAt = (used_at: Date) => (db: Queries) =>
    db.updateTable("upload_area").set({ used_at }).where("id", "=", id).execute();
  // An earlier database that was restored does not know later files.
  await restartAfter(async (db) => {
    for (const name of [...orphans, writing]) await writeFile(join(folder, name), "x");
    for (const name of [...orphans, ...segments]) await utimes(join(folder, name), quiet, quiet);
    await utimes(folder, quiet, quiet);
    await usedAt(daysAgo(2))(db);
  });
  await cleaned();
  await restartAfter(async (db) => {
    expect(await readdir(folder)).toHaveLength(9);
    await usedAt(new Date())(db);
  });
  await expect.poll(() => readdir(folder)).not.toContain(orphans[0]);
  await cleaned();
  expect((await readdir(folder)).sort()).toEqual([...segments, writing].sort());
  expect(await tus.request("DELETE", part)).toMatchObject({ status: 204 });
  const { json } = await tus.submit(id);
  await service.api.until(json.id, ["completed"]);
});

test("an owner has at most 100 uploads that were not submitted", async () => {
  service = await startTestService();
  const created = await Promise.all(Array.from({ length: 101 }, () => service.api.post("/uploads")));
  expect(created.filter(({ status }) => status === 201)).toHaveLength(100);
  const next = await service.api.post("/uploads");
  expect(next.json).toMatchObject({ code: "too_many_uploads" });
  const { json } = await service.api.get("/uploads");
  await service.api.send(`/uploads/${json[0].id}`, { method: "DELETE" });
  expect((await service.api.post("/uploads")).status).toBe(201);
});

test("an upload has at most 1,000,000 files", async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  await restartAfter((db) => db.updateTable("upload_area").set({ files: 999_999 }).where("id", "=", id).execute());
  const created = await Promise.all(["a", "b", "c"].map((path) => tus.create(files, path, 1, { sha512: digest })));
  expect(created.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  const path = (await service.api.get(files)).json.files[0].path;
  // A file that the upload has already is continued.
  expect(await tus.create(files, path, 1, { sha512: digest })).toMatchObject({ status: 201 });
  expect(await tus.create(files, "d", 1)).toMatchObject({ status: 409, code: "upload_too_many_files" });
});

test("an upload of 100,000 files is answered as fast as a small one, also with a quota", {
  tags: "extended",
}, async () => {
  service = await startTestService({ ACCESSION_QUOTA_BYTES: "1TiB", ACCESSION_QUOTA_OBJECTS: "1000000" });
  const { id, files } = await tus.upload();
  await restartAfter(async (db) => {
    await sql`insert into upload_file (area_id, no, path, bytes, received, stated_sha512, sha512, completed_at)
      select ${id}, n, 'plots/' || n, 1, 1, ${digest}, ${digest}, now() from generate_series(1, 100000) as n`.execute(
      db,
    );
    await sql`insert into upload_segment (area_id, no, start_at, bytes, name)
      select ${id}, n, 0, 1, n || '-' || gen_random_uuid() from generate_series(1, 100000) as n`.execute(db);
    await sql`update upload_area set files = 100000, bytes = 100000, received = 100000, next_no = 100001, revision = 200000
      where id = ${id}`.execute(db);
  });
  const small = await tus.upload();
  const measure = async (to: { id: string; files: string }) => {
    const times: number[] = [];
    for (let n = 0; n < 50; n++) {
      const since = performance.now();
      await tus.send(to.files, `new/${n}`, Buffer.from("abc"), { withCreation: true });
      await service.api.get(`/uploads/${to.id}`);
      times.push(performance.now() - since);
    }
    return times.sort((one, other) => one - other)[25] ?? 0;
  };
  await measure(await tus.upload());
  const [few, many] = [await measure(small), await measure({ id, files })];
  console.info(
    `a file of 3 bytes and the state: ${few.toFixed(1)} ms among 50 files, ${many.toFixed(1)} ms among 100,000`,
  );
  const since = performance.now();
  const page = await service.api.get(`${files}?after=plots/5&limit=1000`);
  console.info(`a page of 1,000 files: ${(performance.now() - since).toFixed(1)} ms`);
  expect(page.json.files).toHaveLength(1_000);
  expect(many).toBeLessThan(10 * few + 50);
});
