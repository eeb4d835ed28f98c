import { randomBytes } from "node:crypto";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let service: TestService;
const tus = new TusClient(() => service.api);
afterEach(() => service.stop());

const areas = async () => (await readdir(join(service.data, "uploads"))).filter((name) => name !== "uploads.json");

/** Changes the database while the service is stopped, and lets the next one clean up at once. */
async function restartAfter(change: (db: Awaited<ReturnType<TestService["database"]>>["queries"]) => Promise<unknown>) {
  await service.restart(async () => {
    const database = await service.database();
    await change(database.queries);
    await sql`delete from turn`.execute(database.queries);
    await database.close();
  });
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

test("nothing is accepted for which the disk has no space", async () => {
  service = await startTestService({ ACCESSION_DISK_RESERVE: "900TiB" });
  const { files } = await tus.upload();
  expect(await tus.create(files, "a", 1)).toMatchObject({ status: 507, code: "no_space" });
  expect((await service.api.get(files)).json.files).toEqual([]);
});

test("unused uploads are removed, and unknown folders as late", async () => {
  service = await startTestService();
  const [old, recent] = [await tus.upload(), await tus.upload()];
  await tus.send(old.files, "a", Buffer.from("abc"));
  await tus.send(recent.files, "a", Buffer.from("abc"));
  const [unknown, new1] = [await tus.upload(), await tus.upload()];
  const before = new Date(Date.now() - 15 * 86_400_000);
  await utimes(join(service.data, "uploads", unknown.id), before, before);
  await restartAfter(async (db) => {
    await db.updateTable("upload_area").set({ used_at: before }).where("id", "=", old.id).execute();
    await db.deleteFrom("upload_area").where("id", "in", [unknown.id, new1.id]).execute();
  });
  await expect.poll(areas).toHaveLength(2);
  expect((await areas()).sort()).toEqual([recent.id, new1.id].sort());
  expect((await service.api.get(`/uploads/${old.id}`)).status).toBe(404);
  expect((await service.api.get(recent.files)).json.files).toMatchObject([{ path: "a", receivedBytes: 3 }]);
  expect(await tus.request("HEAD", `${old.files}/1`)).toMatchObject({ status: 404 });
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

test("an upload of 100,000 files is answered as fast as a small one", { tags: "extended" }, async () => {
  service = await startTestService();
  const { id, files } = await tus.upload();
  const digest = sha512(Buffer.from("x"));
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
