import { randomBytes } from "node:crypto";
import { readdirSync, readlinkSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { EdalClient, edalMetadata } from "../support/api/edal-client.ts";
import { beginFile, named, statuses } from "../support/api/edal-files.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ ACCESSION_QUOTA_BYTES: "4000000" });
});
afterAll(() => service.stop());

/** The files of uploads that this process, in which the service runs, has open; also removed ones. */
function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      return path.includes("/incoming-") ? [path] : [];
    } catch {
      // It was closed meanwhile.
      return [];
    }
  });
}

/** Begins a request that states 2 GiB, of which only the beginning is sent. @returns the answer */
async function beginHuge(form: FormData, bytes: number): Promise<unknown> {
  const sent = new Request("http://localhost", { method: "POST", body: form });
  const start = Buffer.from(await sent.arrayBuffer()).subarray(0, bytes);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  const headers = { "content-type": sent.headers.get("content-type") ?? "", "content-length": 2 ** 31 };
  const sending = request(`${service.url}/submission/upload/dataset`, { method: "POST", headers }, (response) =>
    resolve(json(response)),
  );
  sending.on("error", () => undefined);
  sending.write(start);
  return promise.finally(() => sending.destroy());
}

test("a refused request of more than 1 GiB is not read to its end", async () => {
  const client = new EdalClient(() => service.api);
  const form = client.form({ webkitRelativePath: "c/huge", bytes: randomBytes(6_000_000) }, edalMetadata);
  expect(await beginHuge(form, 5_000_000)).toMatchObject({ code: "quota_exceeded" });
  expect((await client.publish(edalMetadata.title)).json).toMatchObject({ code: "upload_incomplete" });
});

test("files of all titles count before a file is stored, and one that is sent again needs only the difference", async () => {
  const client = new EdalClient(() => service.api);
  const large = (bytes: number) => ({ webkitRelativePath: "c/plots/large.bin", bytes: randomBytes(bytes) });
  const other = { webkitRelativePath: "c/other", bytes: randomBytes(2_500_000) };
  const titles = [named("The older title"), named("The newer title")] as const;
  expect(statuses(await client.sendAll([large(2_000_000)], titles[0]))).toEqual(new Set([200]));
  expect(await beginHuge(client.form(other, titles[1]), 2_200_000)).toMatchObject({ code: "quota_exceeded" });
  expect(await client.sendAll([{ ...other, bytes: randomBytes(1_000) }], titles[1])).toMatchObject([{ status: 200 }]);
  // The upload of its title is not the newest one.
  expect(await client.sendAll([large(3_500_000)], titles[0])).toMatchObject([{ status: 200 }]);
  expect(await beginHuge(client.form(large(5_000_000), titles[0]), 4_300_000)).toMatchObject({
    code: "quota_exceeded",
    detail: expect.stringContaining("You use 3.3 MiB"),
  });
  for (const { id } of (await service.api.get("/uploads")).json as { id: string }[]) {
    expect((await service.api.send(`/uploads/${id}`, { method: "DELETE" })).status).toBe(204);
  }
});

test("files that cannot fit, whichever file they replace, are refused without reading the files of the uploads", async (context) => {
  context.skip(!inject("onPostgres"), "a second connection holds a lock");
  const client = new EdalClient(() => service.api);
  const metadata = named("A small upload");
  const small = { webkitRelativePath: "c/small", bytes: randomBytes(1_000) };
  const [sent] = await client.sendAll([small], metadata);
  expect(sent?.status).toBe(200);
  const large = client.form({ webkitRelativePath: "c/small", bytes: randomBytes(5_000_000) }, metadata);
  const database = await service.database();
  try {
    await database.queries.transaction().execute(async (trx) => {
      await sql`lock table upload_file in access exclusive mode`.execute(trx);
      expect(await beginHuge(large, 4_500_000)).toMatchObject({ code: "quota_exceeded" });
    });
  } finally {
    await database.close();
  }
  expect((await service.api.send(`/uploads/${sent?.json.upload}`, { method: "DELETE" })).status).toBe(204);
});

test("a file that is sent again to an upload with very many files needs only the difference", async () => {
  await using limited = await startTestService({ ACCESSION_QUOTA_BYTES: "4000000" });
  const client = new EdalClient(() => limited.api);
  const metadata = named("Very many files");
  const large = (name: string, bytes: number) => ({ webkitRelativePath: `c/${name}`, bytes: randomBytes(bytes) });
  const [sent] = await client.sendAll([large("large", 3_000_000)], metadata);
  await limited.restart(async () => {
    const { queries, close } = await limited.database();
    const area = sent?.json.upload;
    await sql`insert into upload_file (area_id, no, path, bytes, sha512, completed_at)
      select ${area}, no, 'empty/' || no, 0, '', now() from generate_series(1000, 11000) as no`.execute(queries);
    await sql`update upload_area set files = files + 10001, next_no = 11001 where id = ${area}`.execute(queries);
    await close();
  });
  expect(await client.sendAll([large("large", 3_500_000)], metadata)).toMatchObject([{ status: 200 }]);
  expect(await client.sendAll([large("other", 600_000)], metadata)).toMatchObject([
    { status: 403, json: { code: "quota_exceeded" } },
  ]);
});

test("a smaller file than the earlier one is refused with the amounts if the quota has become smaller than the use", async () => {
  await using limited = await startTestService();
  const client = new EdalClient(() => limited.api);
  const file = (bytes: number) => ({ webkitRelativePath: "c/file", bytes: randomBytes(bytes) });
  expect(await client.sendAll([file(1_000_000)])).toMatchObject([{ status: 200 }]);
  await limited.restart(undefined, { ACCESSION_QUOTA_BYTES: "200000" });
  expect(await client.sendAll([file(500_000)])).toMatchObject([
    {
      status: 403,
      json: {
        detail: expect.stringMatching(/^You use 977 KiB and request at least \d/),
        quota: { of: "bytes", used: 1_000_000, wanted: expect.toSatisfy((bytes) => bytes > 0), allowed: 200_000 },
      },
    },
  ]);
});

test("a file that is refused in the middle keeps no space while its client still sends", async () => {
  const client = new EdalClient(() => service.api);
  const form = client.form({ webkitRelativePath: "c/large", bytes: randomBytes(8_000_000) }, edalMetadata);
  const sent = new Request("http://localhost", { method: "POST", body: form });
  const body = Buffer.from(await sent.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const headers = { "content-type": sent.headers.get("content-type") ?? "", "content-length": body.length };
  const sending = request(`${service.url}/submission/upload/dataset`, { method: "POST", headers }, (response) =>
    resolve(json(response)),
  );
  sending.on("error", reject);
  sending.write(body.subarray(0, 3_500_000));
  // It is being written, and hashed by a thread.
  await expect.poll(openFiles).toHaveLength(2);
  sending.write(body.subarray(3_500_000, 6_000_000));
  await expect.poll(openFiles).toEqual([]);
  sending.end(body.subarray(6_000_000));
  expect(await promise).toMatchObject({ code: "quota_exceeded" });
});

test("a title for which there is no upload left is refused with this reason", async () => {
  const other = await startTestService();
  const client = new EdalClient(() => other.api);
  try {
    for (let n = 0; n < 100; n++) expect((await other.api.post("/uploads")).status).toBe(201);
    const form = client.form({ webkitRelativePath: "c/a", bytes: Buffer.from("a") }, edalMetadata);
    expect(await client.send(form)).toMatchObject({ status: 409, json: { code: "too_many_uploads" } });
    const refused = await client.publish(edalMetadata.title);
    expect([refused.status, refused.json.code]).toEqual([409, "too_many_uploads"]);
    expect(refused.json.detail).toContain("because you have 100 uploads that were not submitted");
  } finally {
    await other.stop();
  }
});

test("files beyond the quota are answered after the whole request, stored nowhere, and prevent the submission", async () => {
  const small = await startTestService({ ACCESSION_QUOTA_BYTES: "100000" });
  const client = new EdalClient(() => small.api);
  try {
    const metadata = named("Too large");
    const large = { webkitRelativePath: "c/large", bytes: randomBytes(5 << 20) };
    const little = { webkitRelativePath: "c/little", bytes: randomBytes(50_000) };
    const answers = await client.sendAll([little, large], metadata);
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual([
      [200, undefined],
      [403, "quota_exceeded"],
    ]);
    expect(await readdir(join(small.data, "uploads", answers[0]?.json.upload))).toHaveLength(1);
    const refused = await client.publish(metadata.title);
    expect([refused.status, refused.json.detail]).toMatchObject([
      409,
      expect.stringContaining("1 file did not arrive completely: “large” (quota_exceeded)"),
    ]);
    // Without a length, the rest is not read.
    const form = new Request("http://localhost", { method: "POST", body: client.form(large, metadata) });
    const [body, type] = [form.body, form.headers.get("content-type") ?? ""];
    const headers = { ...small.api.headers, "content-type": type };
    const init = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    const chunked = await fetch(`${small.url}/submission/upload/dataset`, init).catch(() => undefined);
    expect([403, undefined]).toContain(chunked?.status);
    expect((await client.publish(metadata.title)).json.detail).toContain("“large” (quota_exceeded)");
    // What replaces a file needs only the difference.
    const other = await client.sendAll([{ ...little, bytes: randomBytes(60_000) }], metadata);
    expect(statuses(other)).toEqual(new Set([200]));
    expect((await client.publish(metadata.title)).status).toBe(202);
  } finally {
    await small.stop();
  }
});

test("more requests than usual wait, because the client does not repeat what is refused", async () => {
  const limited = await startTestService({ ACCESSION_RATE_LIMIT: "50" });
  const client = new EdalClient(() => limited.api);
  try {
    const forms = Array.from({ length: 75 }, (_, n) => {
      const file = { webkitRelativePath: `c/${n}`, bytes: Buffer.from(`${n}`) };
      return client.form(file, edalMetadata);
    });
    expect(statuses(await Promise.all(forms.map((form) => client.send(form))))).toEqual(new Set([200]));
    const [upload] = (await limited.api.get("/uploads")).json;
    expect(upload.fileCount).toBe(75);
  } finally {
    await limited.stop();
  }
});

test("only a number of requests waits, and those that are refused prevent the submission", async () => {
  await using roomy = await startTestService();
  const client = new EdalClient(() => roomy.api);
  const metadata = named("Many at once");
  const slow = await Promise.all(Array.from({ length: 16 }, (_, n) => beginFile(roomy, `slow-${n}`)));
  const forms = Array.from({ length: 65 }, (_, n) => {
    return client.form({ webkitRelativePath: `c/${n}`, bytes: Buffer.from(`${n}`) }, metadata);
  });
  const refused = Promise.withResolvers<unknown>();
  const sending = forms.map(async (form) => {
    const { status, json } = await client.send(form);
    if (status !== 200) refused.resolve([status, json.code]);
    return status;
  });
  expect(await refused.promise).toEqual([429, "rate_limited"]);
  for (const one of slow) expect((await one.finish(metadata)).status).toBe(200);
  expect((await Promise.all(sending)).toSorted()).toEqual([...Array.from({ length: 64 }, () => 200), 429]);
  const { json } = await client.publish(metadata.title);
  expect(json.detail).toContain("1 file did not arrive completely: a file without a known name (rate_limited)");
  const accepted = await client.publish(metadata.title);
  expect(accepted.status).toBe(202);
  await roomy.api.until(accepted.json.id, ["completed"]);
});
