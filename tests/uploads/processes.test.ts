import { randomBytes } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { EdalClient, edalMetadata } from "../support/api/edal-client.ts";
import { type SentFile, sha512, TusClient } from "../support/api/tus-client.ts";
import { sendBatch } from "../support/api/upload-batch.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** The answer to a request, which is repeated while the database is too busy to answer. */
async function answered<T extends { status: number }>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    const answer = await request();
    if (answer.status !== 503) return answer;
  }
}

describe.skipIf(!inject("onPostgres"))("two processes with the same folder of uploads", () => {
  let service: TestService;
  let second: TestService;
  const quota = { ACCESSION_QUOTA_OBJECTS: "100" };
  const tus = new TusClient(() => service.api);
  const other = new TusClient(() => second.api);

  beforeAll(async () => {
    service = await startTestService(quota);
    second = await startTestService({
      ...quota,
      ...service.settings,
      ACCESSION_ARCHIVE: service.archive,
      ACCESSION_UPLOADS: join(service.data, "uploads"),
    });
    // The archive is validated once.
    second.isDamaged = true;
  });
  afterAll(async () => {
    await second.stop();
    await service.stop();
  });

  const sizesIn = async (id: string) => {
    const folder = join(service.data, "uploads", id);
    return Promise.all((await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size));
  };

  /** Begins to send a file by the first process, which has then recorded some bytes. */
  async function beginSending({ at }: SentFile, bytes: Buffer) {
    const sent = Promise.withResolvers<ReadableStreamDefaultController>();
    const body = new ReadableStream({ start: (stream) => sent.resolve(stream) });
    const answer = tus.patch(at, 0, body);
    const stream = await sent.promise;
    stream.enqueue(bytes);
    await expect.poll(() => tus.offset(at)).toBe(bytes.length);
    return { answer, stream };
  }

  test("a file that another process receives now is not mixed, and can be submitted there", async () => {
    const { id, files } = await tus.upload();
    const file = await tus.file(files, "a", randomBytes(1_000_000));
    const { answer, stream } = await beginSending(file, file.bytes.subarray(0, 400_000));
    // Arrived at the first process, and not recorded.
    stream.enqueue(randomBytes(100_000));
    await expect.poll(() => sizesIn(id)).toEqual([500_000]);
    expect(await other.offset(file.at)).toBe(400_000);
    const middle = file.bytes.subarray(400_000, 700_000);
    expect(await other.patch(file.at, 400_000, middle)).toMatchObject({ status: 204, offset: 700_000 });
    stream.close();
    expect(await answer).toMatchObject({ status: 423, code: "upload_taken_over" });
    expect((await sizesIn(id)).sort()).toEqual([300_000, 400_000]);
    const last = file.bytes.subarray(700_000);
    expect(await tus.patch(file.at, 700_000, last)).toMatchObject({ status: 204, offset: 1_000_000 });
    expect(await sizesIn(id)).toHaveLength(2);
    const { json } = await other.submit(id);
    await second.api.until(json.id, ["completed"]);
    expect((await service.api.files(json.id))[0]).toMatchObject({ sha512: sha512(file.bytes), verifiedWith: "sha512" });
  });

  test("a client that asks the other process before it continues learns a number of bytes that does not grow", async () => {
    const { files } = await tus.upload();
    const file = await tus.file(files, "a", randomBytes(1_000_000));
    const { answer, stream } = await beginSending(file, file.bytes.subarray(0, 400_000));
    expect((await other.request("HEAD", file.at)).offset).toBe(400_000);
    stream.enqueue(file.bytes.subarray(400_000, 500_000));
    stream.close();
    expect(await answer).toMatchObject({ status: 423, code: "upload_taken_over" });
    expect(await tus.offset(file.at)).toBe(400_000);
    expect(await tus.patch(file.at, 400_000, file.bytes.subarray(400_000))).toMatchObject({
      status: 204,
      offset: 1_000_000,
    });
  });

  test("requests to both processes for different uploads use the quota of their owner exactly", async () => {
    const uploads = [await tus.upload(), await other.upload()];
    try {
      const creating = uploads.flatMap(({ files }) =>
        Array.from({ length: 70 }, (_, n) => answered(() => (n % 2 === 0 ? tus : other).create(files, `${n}`, 1))),
      );
      const refused = (await Promise.all(creating)).filter(({ status }) => status !== 201);
      expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["quota_exceeded"]));
      const { detail } = await tus.create(uploads[0]?.files ?? "", "more", 1);
      expect(detail).toMatch(/^You use 100 objects and request at least 1 object more; your quota allows 100/);
    } finally {
      // The other tests need the quota.
      for (const { id } of uploads) await tus.request("DELETE", `/uploads/${id}`);
    }
  });

  test("the same batch to both processes is stored once", async () => {
    const { id } = await tus.upload();
    const files = Array.from({ length: 40 }, (_, n) => ({ path: `${n}`, bytes: randomBytes(500) }));
    const lines = await Promise.all([sendBatch(service.api, id, files), sendBatch(second.api, id, files)]);
    expect(lines.flat().filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(await sizesIn(id)).toEqual(Array(40).fill(500));
    expect((await service.api.get(`/uploads/${id}`)).json).toMatchObject({ fileCount: 40, bytes: 20_000 });
    await tus.request("DELETE", `/uploads/${id}`);
  });

  test("files that e!DAL's client sends to both processes are one upload, which is submitted once", async () => {
    const clients = [new EdalClient(() => service.api), new EdalClient(() => second.api)] as const;
    const files = Array.from({ length: 40 }, (_, n) => ({ webkitRelativePath: `c/${n}`, bytes: randomBytes(500) }));
    const sending = files.map((file, n) =>
      answered(() => clients[n % 2 === 0 ? 0 : 1].send(clients[0].form(file, edalMetadata))),
    );
    const answers = await Promise.all(sending);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const [id = "", ...others] = new Set<string>(answers.map(({ json }) => json.upload));
    expect(others).toEqual([]);
    expect(await sizesIn(id)).toEqual(Array(40).fill(500));
    const published = await Promise.all(clients.map((client) => client.publish(edalMetadata.title)));
    expect(new Set(published.map(({ status, json }) => `${status} ${json.id}`)).size).toBe(1);
    const done = await service.api.until(published[0]?.json.id, ["completed"]);
    expect(await service.api.files(done.id)).toHaveLength(40);
  });

  test.each(["a file", "an upload"])("a sender learns that %s was removed by another process", async (removed) => {
    const { id, files } = await tus.upload();
    const file = await tus.file(files, "a", randomBytes(500_000));
    const { answer, stream } = await beginSending(file, file.bytes.subarray(0, 300_000));
    const path = removed === "a file" ? file.at : `/uploads/${id}`;
    expect(await other.request("DELETE", path)).toMatchObject({ status: 204 });
    stream.enqueue(file.bytes.subarray(300_000));
    stream.close();
    expect(await answer).toMatchObject({ status: 404, code: "not_found" });
    expect(await tus.request("HEAD", file.at)).toMatchObject({ status: 404 });
    if (removed === "a file") expect(await sizesIn(id)).toEqual([]);
    else expect(await readdir(join(service.data, "uploads"))).not.toContain(id);
  });

  test("an upload that is changed while it is submitted is submitted again", async () => {
    const { id, files } = await tus.upload();
    await tus.send(files, "a", Buffer.from("abc"));
    const database = await service.database();
    const submitting = await database.queries.transaction().execute(async (trx) => {
      // As another process that adds a file.
      await trx.updateTable("upload_area").set({ revision: 1_000 }).where("id", "=", id).execute();
      const answer = tus.submit(id);
      const names = () => readdir(join(service.data, "uploads", id));
      await expect.poll(names).toContainEqual(expect.stringMatching(/^listing-[0-9a-f-]+$/));
      return { answer };
    });
    const { status, json } = await submitting.answer;
    expect([status, json]).toMatchObject([
      409,
      { code: "upload_changed", action: expect.stringMatching(/no program/) },
    ]);
    const again = await tus.submit(id);
    await service.api.until(again.json.id, ["completed"]);
    await database.close();
  });
});
