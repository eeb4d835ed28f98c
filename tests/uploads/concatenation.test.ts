import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type PreviousUpload, Upload } from "tus-js-client";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from "vitest";
import type { Queries } from "../../src/db/database.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { pairsOf, sha512, TusClient } from "../support/api/tus-client.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { startProgram } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { DURABLE_CALLS, watchCalls } from "../support/program/strace.ts";
import { lacks, skipNote } from "../support/tools.ts";

describe("files that are sent in parts", () => {
  let service: TestService;
  let ada: Record<string, string>;
  let bob: Record<string, string>;
  const tus = new TusClient(() => service.api);

  beforeAll(async () => {
    service = await startTestService({ ...TOKENS, ACCESSION_QUOTA_BYTES: "20000000" });
    const tokens = await Tokens.open(service);
    ada = bearer((await tokens.create("ada", "submitter")).token);
    service.api.headers = ada;
    bob = bearer((await tokens.create("bob", "submitter")).token);
  });
  afterAll(() => service.stop());

  /** Restarts the service, as after a crash that left the database in another state. */
  async function changeWhileStopped(change: (db: Queries) => Promise<unknown>): Promise<void> {
    await service.restart(async () => {
      const database = await service.database();
      await change(database.queries);
      await database.close();
    });
    service.api.headers = ada;
  }

  /** As if the process had ended while it compared the joined files of an upload, which has no others. */
  async function forgetComparison(db: Queries, id: string): Promise<void> {
    await db.updateTable("upload_file").set({ completed_at: null, sha512: null }).where("area_id", "=", id).execute();
    await db
      .updateTable("upload_area")
      .set((eb) => ({ incomplete: eb.ref("files") }))
      .where("id", "=", id)
      .execute();
  }

  const area = async (id: string) => (await service.api.get(`/uploads/${id}`)).json;
  const namesOf = async (files: string) =>
    (await service.api.get(files)).json.files.map(({ path }: { path: string }) => path);

  /** An ordinary client with four requests at once. */
  function parallel(files: string, bytes: Buffer, more: Partial<ConstructorParameters<typeof Upload>[1]>): Upload {
    return new Upload(bytes as never, {
      endpoint: service.url + files,
      parallelUploads: 4,
      chunkSize: 100_000,
      retryDelays: [],
      headers: ada,
      metadata: { path: "parallel.bin", sha512: sha512(bytes) },
      ...more,
    });
  }

  /** The addresses of parts, which an ordinary client stores. */
  function storage() {
    const stored = new Map<string, PreviousUpload>();
    const urlStorage = {
      findAllUploads: async () => [...stored.values()],
      findUploadsByFingerprint: async () => [...stored.values()],
      removeUpload: async (key: string) => void stored.delete(key),
      addUpload: async (_: string, upload: PreviousUpload) => {
        stored.set("only", { ...upload, urlStorageKey: "only" });
        return "only";
      },
    };
    return { stored, options: { urlStorage, fingerprint: async () => "parallel.bin" } as never as object };
  }

  test("by an ordinary client with parallel requests are one file, which is archived", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(3_000_001);
    await new Promise<void>((resolve, reject) => {
      parallel(files, bytes, { onSuccess: () => resolve(), onError: reject }).start();
    });
    expect(await namesOf(files)).toEqual(["parallel.bin"]);
    expect(await area(id)).toMatchObject({
      fileCount: 1,
      incompleteFiles: 0,
      bytes: 3_000_001,
      receivedBytes: 3_000_001,
    });
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["completed"]);
    expect(await service.api.files(json.id)).toMatchObject([{ sha512: sha512(bytes), verifiedWith: "sha512" }]);
  });

  test("by an ordinary client are continued after an interruption", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(2_000_000);
    const { stored, options: common } = storage();
    await new Promise<void>((resolve, reject) => {
      const upload = parallel(files, bytes, {
        ...common,
        onError: reject,
        // The client stores the addresses when all parts exist.
        onProgress: () => {
          if (stored.size > 0) upload.abort().then(resolve, reject);
        },
      });
      upload.start();
    });
    expect(await area(id)).toMatchObject({ fileCount: 0, bytes: 2_000_000 });
    await service.restart();
    service.api.headers = ada;
    const previous = [...stored.values()][0] as PreviousUpload & { parallelUploadUrls: string[] };
    expect(previous.parallelUploadUrls).toHaveLength(4);
    // The service has another port now.
    previous.parallelUploadUrls = previous.parallelUploadUrls.map((url) => service.url + new URL(url).pathname);
    const requests: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const upload = parallel(files, bytes, {
        ...common,
        onError: reject,
        onSuccess: () => resolve(),
        onBeforeRequest: (request) => void requests.push(request.getMethod()),
      });
      upload.resumeFromPreviousUpload(previous);
      upload.start();
    });
    expect(requests.filter((method) => method === "HEAD")).toHaveLength(4);
    expect(await namesOf(files)).toEqual(["parallel.bin"]);
    expect(await area(id)).toMatchObject({ fileCount: 1, incompleteFiles: 0, receivedBytes: 2_000_000 });
  });

  test("are joined although an ordinary client does not learn it, and sends them again", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(300_000);
    const stored = storage();
    let joins = 0;
    // The connection breaks when the parts have been joined.
    await new Promise<void>((resolve, reject) => {
      const upload = parallel(files, bytes, {
        ...stored.options,
        retryDelays: [0],
        onError: reject,
        onSuccess: () => resolve(),
        onAfterResponse: (request) => {
          if (!request.getHeader("Upload-Concat")?.startsWith("final")) return;
          if (joins++ === 0) throw Object.assign(new Error("connection reset"), { originalRequest: request });
        },
      });
      upload.start();
    });
    expect(joins).toBe(2);
    const whole = { fileCount: 1, incompleteFiles: 0, bytes: 300_000, receivedBytes: 300_000 };
    expect(await area(id)).toMatchObject(whole);
    // Only the four segments of the file are left.
    expect(await readdir(join(service.data, "uploads", id))).toHaveLength(4);
    // The process ends while it compares the file, and a client that does not know the addresses any more sends all again.
    await changeWhileStopped((db) => forgetComparison(db, id));
    await new Promise<void>((resolve, reject) => {
      parallel(files, bytes, { onSuccess: () => resolve(), onError: reject }).start();
    });
    expect((await service.api.get(files)).json.files).toMatchObject([
      { receivedBytes: 300_000, completedAt: expect.any(String) },
    ]);
    expect(await readdir(join(service.data, "uploads", id))).toHaveLength(4);
  });

  test("that differ from the digest of the file are sent and joined again by an ordinary client", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(300_000);
    const send = (some: Buffer, digest: string) =>
      new Promise<void>((resolve, reject) => {
        const metadata = { path: "a", sha512: digest };
        parallel(files, some, { metadata, onSuccess: () => resolve(), onError: reject }).start();
      });
    await expect(send(randomBytes(200_000), sha512(bytes))).rejects.toThrow("upload_digest_wrong");
    await send(bytes, sha512(bytes));
    expect(await area(id)).toMatchObject({
      fileCount: 1,
      incompleteFiles: 0,
      bytes: 300_000,
      receivedBytes: 300_000,
    });
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["completed"]);
    expect(await service.api.files(json.id)).toMatchObject([{ sha512: sha512(bytes), verifiedWith: "sha512" }]);
  });

  test("are no files before they are joined, and count for the quota", async () => {
    const { id, files } = await tus.upload();
    const options = await tus.request("OPTIONS", files);
    expect(options.headers.get("tus-extension")?.split(",")).toContain("concatenation");
    const [one, two] = [randomBytes(100), randomBytes(50)];
    const parts = [await tus.part(files, one), await tus.part(files, two)];
    expect(await namesOf(files)).toEqual([]);
    expect((await service.api.get(`${files}?after=%01`)).json.files).toEqual([]);
    expect(await area(id)).toMatchObject({
      fileCount: 0,
      incompleteFiles: 0,
      bytes: 150,
      receivedBytes: 150,
      revision: 0,
    });
    expect(await area(id)).toMatchObject({ parts: { count: 2, bytes: 150 } });
    await tus.send(files, "whole", Buffer.from("abc"));
    const detail = expect.stringContaining("2 parts of files with 150 bytes were not joined");
    expect((await tus.submit(id)).json).toMatchObject({ code: "upload_incomplete", detail });
    const listed = (await service.api.get(`${files}?parts=true`)).json;
    expect(listed.files.map(({ url }: { url: string }) => url).sort()).toEqual(parts);
    const page = (await service.api.get(`${files}?parts=true&limit=1`)).json;
    const next = (await service.api.get(`${files}?parts=true&limit=1&after=${encodeURIComponent(page.next)}`)).json;
    expect([page.files[0], next.files[0]]).toEqual(listed.files);
    expect((await service.api.get("/uploads")).json[0]).toMatchObject({ id, parts: { count: 2, bytes: 150 } });
    const head = await tus.request("HEAD", parts[1] ?? "");
    expect([head.headers.get("upload-concat"), head.offset]).toEqual(["partial", 50]);
    expect(head.headers.get("upload-metadata")).toBeNull();
    expect((await service.api.get(parts[0] ?? "")).json).toMatchObject({ path: "", bytes: 100 });
    const huge = { "upload-concat": "partial", "upload-length": "20000001" };
    expect(await tus.request("POST", files, huge)).toMatchObject({ code: "quota_exceeded" });
    // Joined in this order, by addresses with and without a host.
    const joined = await tus.join(files, [`https://any.example${parts[1]}`, parts[0] ?? ""], {
      path: "b",
      note: "x",
    });
    expect(joined).toMatchObject({ status: 201, offset: 150 });
    const at = joined.headers.get("location") ?? "";
    const final = await tus.request("HEAD", at);
    expect(final.headers.get("upload-concat")).toBe(`final;${parts[1]} ${parts[0]}`);
    expect(final.headers.get("upload-metadata")).toBe(pairsOf({ path: "b", note: "x" }));
    expect([final.headers.get("upload-length"), final.offset]).toEqual(["150", 150]);
    expect(await area(id)).toMatchObject({ fileCount: 2, incompleteFiles: 0, bytes: 153, receivedBytes: 153 });
    expect(await area(id)).toMatchObject({ parts: { count: 0, bytes: 0 } });
    expect(await tus.request("HEAD", parts[0] ?? "")).toMatchObject({ status: 404 });
    expect(await tus.patch(at, 150, Buffer.alloc(0))).toMatchObject({ status: 403, code: "upload_joined" });
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["completed"]);
    const [file] = await service.api.files(json.id);
    expect(file?.sha512).toBe(sha512(Buffer.concat([two, one])));
  });

  test("are joined once, also if the request is repeated", async () => {
    const { id, files } = await tus.upload();
    const parts = [await tus.part(files, randomBytes(10)), await tus.part(files, randomBytes(20))];
    const answers = await Promise.all([1, 2, 3].map(() => tus.join(files, parts, { path: "a" })));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ headers }) => headers.get("location"))).size).toBe(1);
    expect(await area(id)).toMatchObject({ fileCount: 1, bytes: 30, receivedBytes: 30 });
    expect(await tus.join(files, parts, { path: "a", sha512: "0".repeat(128) })).toMatchObject({ status: 404 });
    const taken = { status: 409, code: "upload_path_taken" };
    const other = await tus.part(files, randomBytes(5));
    expect(await tus.join(files, [other], { path: "a" })).toMatchObject(taken);
    // The same number of bytes, without a digest or with another one.
    const sameSize = await tus.part(files, randomBytes(30));
    expect(await tus.join(files, [sameSize], { path: "a" })).toMatchObject(taken);
    expect(await tus.join(files, [sameSize], { path: "a", sha512: "0".repeat(128) })).toMatchObject(taken);
    expect(await tus.offset(sameSize)).toBe(30);
  });

  test("are compared with the digest of the file, which can be sent again as a whole", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(1_000);
    const parts = [await tus.part(files, bytes.subarray(0, 400)), await tus.part(files, randomBytes(600))];
    const stated = { path: "a", sha512: sha512(bytes) };
    expect(await tus.join(files, parts, stated)).toMatchObject({ status: 460, code: "upload_digest_wrong" });
    expect((await service.api.get(files)).json.files).toMatchObject([
      { path: "a", receivedBytes: 0, digestMismatch: true },
    ]);
    expect(await readdir(join(service.data, "uploads", id))).toEqual([]);
    const { at } = await tus.file(files, "a", bytes);
    expect((await tus.request("HEAD", at)).headers.get("upload-concat")).toBeNull();
    expect(await tus.patch(at, 0, bytes)).toMatchObject({ status: 204, offset: 1_000 });
    expect((await tus.request("HEAD", at)).headers.get("upload-concat")).toBeNull();
    expect(await area(id)).toMatchObject({ fileCount: 1, incompleteFiles: 0, receivedBytes: 1_000 });
  });

  test("are joined also if the process ended before it noted that a part is complete", async () => {
    const { id, files } = await tus.upload();
    const bytes = randomBytes(100);
    const parts = [await tus.part(files, bytes.subarray(0, 40)), await tus.part(files, bytes.subarray(40))];
    await changeWhileStopped((db) =>
      db.updateTable("upload_file").set({ completed_at: null }).where("area_id", "=", id).execute(),
    );
    expect(await tus.join(files, parts, { path: "a", sha512: sha512(bytes) })).toMatchObject({
      status: 201,
      offset: 100,
    });
  });

  describe("and were not compared before the process ended", () => {
    let upload: { id: string; files: string };
    let at: string;
    const bytes = randomBytes(1_000);
    const stated = { path: "a", sha512: sha512(bytes) };

    beforeEach(async () => {
      upload = await tus.upload();
      const parts = [
        await tus.part(upload.files, bytes.subarray(0, 600)),
        await tus.part(upload.files, bytes.subarray(600)),
      ];
      at = (await tus.join(upload.files, parts, stated)).headers.get("location") ?? "";
      await changeWhileStopped((db) => forgetComparison(db, upload.id));
    });

    test("are compared when a client sends the last byte again, as for any file", async () => {
      expect(await tus.patch(at, 999, bytes.subarray(999))).toMatchObject({ status: 204, offset: 1_000 });
      // The answer may be lost.
      expect(await tus.patch(at, 999, bytes.subarray(999))).toMatchObject({ status: 204, offset: 1_000 });
      expect(await tus.patch(at, 0, bytes)).toMatchObject({ status: 409, code: "upload_offset_wrong" });
      expect(await tus.patch(at, 1_000, Buffer.alloc(0))).toMatchObject({ status: 403, code: "upload_joined" });
    });

    test("are compared while a client asks for their state", async () => {
      await expect.poll(() => tus.offset(at)).toBe(1_000);
    });

    test("are compared while a client tries to submit them", async () => {
      await expect.poll(async () => (await tus.submit(upload.id)).status).toBe(202);
    });

    test("are continued by an ordinary client that has forgotten them", async () => {
      for (const _ of ["uncompared", "compared"]) {
        await new Promise<void>((resolve, reject) => {
          const whole = { parallelUploads: 1, retryDelays: [0, 0], metadata: stated };
          parallel(upload.files, bytes, { ...whole, onSuccess: () => resolve(), onError: reject }).start();
        });
        expect(await area(upload.id)).toMatchObject({ fileCount: 1, incompleteFiles: 0, receivedBytes: 1_000 });
      }
    });
  });

  test("that cannot be read do not prevent the comparison of others", async () => {
    const { id, files } = await tus.upload();
    const folder = join(service.data, "uploads", id);
    const make = async (path: string) => tus.join(files, [await tus.part(files, randomBytes(10))], { path });
    for (let n = 0; n < 10; n++) await make(`${n}`);
    const lost = await readdir(folder);
    await make("readable");
    await changeWhileStopped(async (db) => {
      await forgetComparison(db, id);
      for (const name of lost) await rm(join(folder, name));
    });
    await expect.poll(async () => (await area(id)).incompleteFiles).toBe(10);
    await service.api.send(`/uploads/${id}`, { method: "DELETE" });
  });

  test("can be empty, and can be deleted", async () => {
    const { id, files } = await tus.upload();
    const empty = await tus.part(files, Buffer.alloc(0));
    const wrong = { path: "empty", sha512: "0".repeat(128) };
    expect(await tus.join(files, [empty], wrong)).toMatchObject({ code: "upload_digest_wrong" });
    expect(await tus.join(files, [empty], { path: "empty" })).toMatchObject({ status: 201, offset: 0 });
    const part = await tus.part(files, randomBytes(10));
    expect(await tus.request("DELETE", part)).toMatchObject({ status: 204 });
    expect(await area(id)).toMatchObject({ fileCount: 1, incompleteFiles: 0, bytes: 0, receivedBytes: 0 });
    expect(await readdir(join(service.data, "uploads", id))).toEqual([]);
  });

  test("are not joined in other ways", async () => {
    const { id, files } = await tus.upload();
    const part = await tus.part(files, randomBytes(10));
    const finished = await tus.join(files, [await tus.part(files, randomBytes(3))], { path: "final" });
    const { at: whole } = await tus.file(files, "whole", Buffer.from("abc"));
    const unfinished = await tus.request("POST", files, { "upload-concat": "partial", "upload-length": "10" });
    const elsewhere = await tus.upload();
    const otherPart = await tus.part(elsewhere.files, randomBytes(10));
    const final = finished.headers.get("location") ?? "";
    const missing = { status: 404, code: "not_found", detail: "The upload has no such part" };
    const wrong = { status: 400, code: "bad_request" };
    const cases: [string[], object][] = [
      [[part, part], wrong],
      [[part, final], wrong],
      [[part, whole], wrong],
      [[part, unfinished.headers.get("location") ?? ""], { status: 409, code: "upload_incomplete" }],
      [[part, otherPart], missing],
      [[part, `${files}/999`], missing],
      [[part, `${files}/999999999999`], missing],
      [[part, `${files}/1/../../x`], missing],
      [[part, "http://["], missing],
      [[], wrong],
    ];
    for (const [parts, answer] of cases) {
      expect(await tus.join(files, parts, { path: "b" }), parts.join()).toMatchObject(answer);
    }
    for (const said of ["partial;", "final", "Partial", "final,a", `final;${"/1 ".repeat(101)}`]) {
      const headers = { "upload-concat": said, "upload-length": "1", "upload-metadata": pairsOf({ path: "b" }) };
      expect(await tus.request("POST", files, headers), said.slice(0, 20)).toMatchObject(wrong);
    }
    const body = { "upload-concat": `final;${part}`, "upload-metadata": pairsOf({ path: "b" }) };
    expect(await tus.request("POST", files, body, Buffer.from("x"))).toMatchObject(wrong);
    expect(await tus.join(files, [part], {})).toMatchObject(wrong);
    // Another user learns nothing, neither in this upload nor in one of their own.
    const foreign = await tus.request("POST", files, { ...body, ...bob });
    expect(foreign).toMatchObject({ status: 404, detail: "You have no upload with this id" });
    const { json: own } = await service.api.send("/uploads", { method: "POST", headers: bob });
    expect(await tus.request("POST", own.files, { ...body, ...bob })).toMatchObject(missing);
    // Nothing was lost.
    expect(await tus.offset(part)).toBe(10);
    expect(await area(id)).toMatchObject({ fileCount: 2, bytes: 26 });
  });

  test("are limited in number", { tags: "extended" }, async () => {
    const { files } = await tus.upload();
    const create = () => tus.request("POST", files, { "upload-concat": "partial", "upload-length": "0" });
    const parts: string[] = [];
    for (let n = 0; n < 1_000; n += 50) {
      const answers = await Promise.all(Array.from({ length: 50 }, create));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
      for (const { headers } of answers) parts.push(service.url + headers.get("location"));
    }
    expect(await create()).toMatchObject({ status: 409, code: "upload_too_many_parts" });
    expect(await tus.join(files, parts.slice(0, 101), { path: "a" })).toMatchObject({ code: "bad_request" });
    // By addresses with the host, as clients send them.
    expect(await tus.join(files, parts.slice(0, 100), { path: "a" })).toMatchObject({ status: 201 });
    expect(await create()).toMatchObject({ status: 201 });
  });
});

describe.skipIf(!inject("onPostgres"))("two processes", () => {
  test("join the same parts once", async () => {
    await using service = await startTestService();
    const second = await startTestService({
      ...service.settings,
      ACCESSION_ARCHIVE: service.archive,
      ACCESSION_UPLOADS: join(service.data, "uploads"),
    });
    // The archive is validated once.
    second.isDamaged = true;
    const [one, other] = [new TusClient(() => service.api), new TusClient(() => second.api)];
    const { id, files } = await one.upload();
    for (let round = 0; round < 10; round++) {
      const [first, last] = [randomBytes(1_000), randomBytes(2_000)];
      const parts = [await one.part(files, first), await other.part(files, last)];
      const file = { path: `${round}`, sha512: sha512(Buffer.concat([first, last])) };
      const rival = { path: `rival ${round}` };
      const answers = await Promise.all([
        one.join(files, parts, file),
        other.join(files, parts, file),
        other.join(files, [parts[1] ?? ""], rival),
      ]);
      const joined = answers.filter(({ status }) => status === 201).map(({ headers }) => headers.get("location"));
      expect(new Set(joined).size).toBe(1);
      expect(answers.filter(({ status }) => status !== 201).every(({ status }) => status === 404)).toBe(true);
    }
    const { json } = await service.api.get(`/uploads/${id}`);
    expect(json).toMatchObject({ fileCount: 10, incompleteFiles: 0 });
    await second.stop();
  });
});

describe.skipIf(lacks("strace"))(`SIGKILL at durable calls while parts are joined ${skipNote("strace")}`, () => {
  test("loses no part, and makes no other file", { tags: "extended" }, async () => {
    const data = await createDataFolder();
    const start = () => startProgram(data, { ACCESSION_UPLOADS: join(data, "uploads") });
    let program = await start();
    const tus = new TusClient(() => program.api);
    try {
      let kills = 0;
      for (let call = 1; kills === call - 1; call++) {
        const { id, files } = await tus.upload();
        const bytes = randomBytes(300_000);
        const parts = [
          await tus.part(files, bytes.subarray(0, 100_000)),
          await tus.part(files, bytes.subarray(100_000)),
        ];
        const { pid = 0 } = program.process;
        const trace = await watchCalls(pid, DURABLE_CALLS, (number) => {
          if (number === call) process.kill(pid, "SIGKILL");
        });
        const file = { path: "joined", sha512: sha512(bytes) };
        const answer = await tus.join(files, parts, file).catch(() => undefined);
        if (answer === undefined) {
          kills++;
          await program.end("SIGKILL");
          program = await start();
          // Before: all parts, which can be joined. After: the file, which is compared without another request to join.
          const listed = (await program.api.get(files)).json.files;
          const offsets = await Promise.all(parts.map((part) => tus.offset(part)));
          if (listed.length > 0) expect(offsets).toEqual([Number.NaN, Number.NaN]);
          else {
            expect(offsets).toEqual([100_000, 200_000]);
            expect(await tus.join(files, parts, file)).toMatchObject({ status: 201 });
          }
        } else await trace.detach();
        await expect
          .poll(async () => (await program.api.get(`/uploads/${id}`)).json)
          .toMatchObject({ fileCount: 1, incompleteFiles: 0, bytes: 300_000, receivedBytes: 300_000 });
        const { json } = await tus.submit(id);
        await program.api.until(json.id, ["completed"]);
        expect(await program.api.files(json.id)).toMatchObject([{ sha512: sha512(bytes), verifiedWith: "sha512" }]);
      }
      // At least when the parts are joined, and when the file was compared.
      expect(kills).toBeGreaterThanOrEqual(2);
    } finally {
      await program.end("SIGKILL");
      await rm(data, { recursive: true, force: true });
    }
  });
});
