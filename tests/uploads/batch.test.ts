import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { type BatchFile, batchForm, linesOf, postBatch, sendBatch } from "../support/api/upload-batch.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let service: TestService;
const tus = new TusClient(() => service.api);

beforeAll(async () => {
  service = await startTestService({ ACCESSION_QUOTA_OBJECTS: "1000" });
});
afterAll(() => service.stop());

const send = (id: string, body: Uint8Array | string | ReadableStream, type: string, signal?: AbortSignal) =>
  postBatch(service.api, id, { body, type, ...(signal && { signal }) });
const sendAll = (id: string, files: readonly BatchFile[]) => sendBatch(service.api, id, files);

const pathsOf = async (files: string) =>
  (await service.api.get(files)).json.files.map(({ path }: { path: string }) => path);
const storedIn = (id: string) => readdir(join(service.data, "uploads", id));
const viewOf = async (id: string) => (await service.api.get(`/uploads/${id}`)).json;
const some = (count: number, bytes = 1_000, name = "plots/"): BatchFile[] =>
  Array.from({ length: count }, (_, n) => ({ path: `${name}${n}.csv`, bytes: randomBytes(bytes) }));

describe("a batch of files", () => {
  test("is acknowledged file by file, and can be submitted with files that were sent otherwise", async () => {
    const { id, files } = await tus.upload();
    const sent = [
      ...some(100),
      { path: "empty", bytes: Buffer.alloc(0) },
      { path: "ümlaut/“a” b.csv", bytes: randomBytes(3) },
      { path: "undigested", bytes: randomBytes(70_000), sha512: null },
      { path: "large", bytes: randomBytes(8 << 20) },
    ];
    await tus.send(files, "other", randomBytes(100));
    const lines = await sendAll(id, sent);
    const expected = sent.map(({ path, bytes }) => ({ path, bytes: bytes.length, sha512: sha512(bytes) }));
    expect(lines).toHaveLength(sent.length);
    expect(lines).toEqual(expect.arrayContaining(expected));
    const bytes = sent.reduce((sum, file) => sum + file.bytes.length, 100);
    const counts = { fileCount: sent.length + 1, bytes, receivedBytes: bytes, incompleteFiles: 0 };
    expect(await viewOf(id)).toMatchObject(counts);
    expect(await storedIn(id)).toHaveLength(sent.length);
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["completed"]);
    const archived = (await service.api.files(json.id)).map((file) => [file.key, file.sha512, file.verifiedWith]);
    expect(archived).toEqual(
      expect.arrayContaining(
        sent.map(({ path, bytes: of, sha512: stated }) => [path, sha512(of), stated === null ? "length" : "sha512"]),
      ),
    );
  });

  test("is stored once, also if it is sent again, by both ways or twice in one batch", async () => {
    const { id, files } = await tus.upload();
    const [one, two, three] = some(3) as [BatchFile, BatchFile, BatchFile];
    await tus.send(files, one.path, one.bytes);
    const lines = await sendAll(id, [one, two, two, three]);
    expect(lines.map(({ problem }) => problem?.code)).toEqual([undefined, undefined, undefined, undefined]);
    expect(await sendAll(id, [three])).toEqual([{ path: three.path, bytes: 1_000, sha512: sha512(three.bytes) }]);
    expect(await viewOf(id)).toMatchObject({ fileCount: 3, bytes: 3_000 });
    expect(await storedIn(id)).toHaveLength(3);
    // A client of tus finds it complete.
    const again = await tus.create(files, three.path, 1_000, { sha512: sha512(three.bytes) });
    expect([again.status, again.offset]).toEqual([201, 1_000]);
  });

  test("states the SHA-512 of files that it has twice, once without it", async () => {
    const { id, files } = await tus.upload();
    // Some of them are recorded together with their second.
    const sent = some(50);
    const pairs = sent.map((file) => [{ ...file, sha512: null }, file]);
    const lines = await sendAll(
      id,
      pairs.flatMap((pair, n) => (n % 2 === 0 ? pair : pair.toReversed())),
    );
    expect(lines.map(({ problem }) => problem?.code)).toEqual(Array(100).fill(undefined));
    const { json } = await service.api.get(files);
    expect(json.files.map((file: BatchFile) => [file.path, file.sha512])).toEqual(
      expect.arrayContaining(sent.map(({ path, bytes }) => [path, sha512(bytes)])),
    );
    expect((await viewOf(id)).fileCount).toBe(50);
  });

  test("states the SHA-512 of files that were sent before without it", async () => {
    const { id, files } = await tus.upload();
    const sent = some(3).map((file) => ({ ...file, sha512: null }));
    const [one, two, three] = sent as [BatchFile, BatchFile, BatchFile];
    await sendAll(id, sent);
    const level = async () => (await service.api.get(files)).json.files.map(({ sha512: stated }: BatchFile) => stated);
    expect(await level()).toEqual([null, null, null]);
    await sendAll(id, [{ path: one.path, bytes: one.bytes }, two]);
    const again = await tus.create(files, three.path, three.bytes.length, { sha512: sha512(three.bytes) });
    expect([again.status, again.offset]).toEqual([201, three.bytes.length]);
    expect(await level()).toEqual([sha512(one.bytes), null, sha512(three.bytes)]);
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["completed"]);
    const archived = (await service.api.files(json.id)).map(({ verifiedWith }) => verifiedWith);
    expect(archived).toEqual(["sha512", "length", "sha512"]);
  });

  test("has wrong files, which do not stop the others and leave nothing", async () => {
    const { id, files } = await tus.upload();
    const taken = await tus.file(files, "taken", randomBytes(10));
    const wrong: [BatchFile, string][] = [
      [{ path: "../a", bytes: Buffer.from("a") }, "bad_request"],
      [{ path: "a\nb", bytes: Buffer.from("a") }, "bad_request"],
      [{ path: "a".repeat(1_025), bytes: Buffer.from("a") }, "bad_request"],
      [{ path: "b", bytes: Buffer.from("b"), sha512: "xyz" }, "bad_request"],
      [{ path: "c", bytes: Buffer.from("c"), sha512: sha512(Buffer.from("d")) }, "upload_digest_wrong"],
      [{ path: "too-large", bytes: randomBytes((8 << 20) + 1) }, "upload_needs_tus"],
      [{ path: "taken", bytes: Buffer.from("other") }, "upload_path_taken"],
    ];
    const [first, last] = some(2) as [BatchFile, BatchFile];
    const lines = await sendAll(id, [first, ...wrong.map(([file]) => file), last]);
    const codes = new Map(lines.map(({ path, problem }) => [path, problem?.code]));
    expect(codes).toEqual(
      new Map([
        [first.path, undefined],
        [last.path, undefined],
        ...wrong.map(([{ path }, code]): [string, string] => [path, code]),
      ]),
    );
    expect(lines.find(({ path }) => path === "taken")?.problem).toMatchObject({ status: 409, file: taken.at });
    expect(await pathsOf(files)).toEqual([first.path, last.path, "taken"].sort());
    expect(await storedIn(id)).toHaveLength(2);
  });

  test("names refused paths by their beginning, so that its answer stays small", async () => {
    const { id } = await tus.upload();
    const paths = ["b".repeat(4_096), "\u0001".repeat(4_096)];
    const lines = await sendAll(
      id,
      paths.map((path) => ({ path, bytes: Buffer.from("a") })),
    );
    expect(lines.map(({ path, problem }) => [path, problem?.code])).toEqual([
      [`${"b".repeat(200)}…`, "bad_request"],
      [`${"\ufffd".repeat(200)}…`, "bad_request"],
    ]);
  });

  test("ends at a part that it does not know, at a file without its path, and at a path without a file", async () => {
    const { id, files } = await tus.upload();
    const { type, pieces } = batchForm(some(3));
    const boundary = type.slice(type.indexOf("=") + 1);
    const field = (name: string, value = "x") =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`);
    const [one = expect.fail(), two = expect.fail(), three = expect.fail(), end = expect.fail()] = pieces;
    const unnamed = Buffer.from(two.toString("latin1").replace('name="path"', 'name="other"'), "latin1");
    const reversed = Buffer.concat([two.subarray(two.indexOf("--", 10)), field("path", "two")]);
    const bodies = {
      "another part": [one, field("x".repeat(1_000)), three],
      "many long names": [one, ...Array.from({ length: 1_000 }, (_, n) => field(`${n}${"x".repeat(6_000)}`)), three],
      "a path twice": [one, field("path"), two],
      "no path": [one, unnamed, three],
      "fields after their file": [one, reversed, three],
      "a path alone at the end": [one, field("path")],
    };
    for (const [what, parts] of Object.entries(bodies)) {
      const lines = linesOf(await (await send(id, Buffer.concat([...parts, end]), type)).text());
      expect([what, lines.at(-1)?.problem?.code]).toEqual([what, "malformed_multipart"]);
      // The file before was perhaps not acknowledged, but none was after.
      for (const { path } of lines.slice(0, -1)) expect([what, path]).toEqual([what, "plots/0.csv"]);
    }
    for (const path of await pathsOf(files)) expect(path).toBe("plots/0.csv");
    const cut = await send(id, Buffer.concat(batchForm(some(1, 300_000)).pieces).subarray(0, 280_000), type);
    expect(linesOf(await cut.text()).at(-1)?.problem?.code).toBe("malformed_multipart");
  });

  test("with bytes that are not UTF-8 in a path is refused file by file", async () => {
    const { id } = await tus.upload();
    const { type, pieces } = batchForm([{ path: "PATH", bytes: Buffer.from("a") }, ...some(1)]);
    const body = Buffer.concat(pieces);
    body[body.indexOf("PATH")] = 0xff;
    const first = async (form: Buffer) => linesOf(await (await send(id, form, type)).text());
    expect(await first(body)).toMatchObject([
      { path: "\ufffdATH", problem: { code: "bad_request" } },
      { bytes: 1_000 },
    ]);
  });

  test("uses the quota exactly, also with other batches and uploads at once", async () => {
    const uploads = await Promise.all([tus.upload(), tus.upload(), tus.upload()]);
    const before = (await service.api.get("/uploads")).json;
    const all = await Promise.all(uploads.map(({ id }, n) => sendAll(id, some(500, 10, `${n}/`))));
    const added = all.flat().filter(({ problem }) => problem === undefined).length;
    const refused = all.flat().filter(({ problem }) => problem?.code === "quota_exceeded").length;
    expect(added + refused).toBe(1_500);
    const { detail } = await tus.create(uploads[0]?.files ?? "", "more", 1);
    expect(detail).toMatch(/^You use 1,000 objects/);
    const stored = await Promise.all(uploads.map(({ id }) => storedIn(id)));
    expect(stored.flat()).toHaveLength(added);
    for (const { id } of [...uploads, ...before]) await tus.request("DELETE", `/uploads/${id}`);
  });

  test("keeps what was acknowledged when the connection is cut", async () => {
    const { id, files } = await tus.upload();
    const sent = some(30);
    const { type, pieces } = batchForm(sent);
    const cut = new AbortController();
    const seen: string[] = [];
    const text = () => linesOf(seen.join(""));
    let next = 0;
    const body = new ReadableStream({
      pull: async (stream) => {
        if (next < 20) stream.enqueue(pieces[next++]);
        // The beginning of the next one, which never ends.
        else if (next++ === 20) stream.enqueue(pieces[20]?.subarray(0, 400));
        else {
          await vi.waitUntil(() => text().length === 20);
          cut.abort();
        }
      },
    });
    const answer = await send(id, body, type, cut.signal);
    const reading = (async () => {
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) seen.push(decoder.decode(chunk, { stream: true }));
    })();
    await expect(reading).rejects.toThrow();
    expect(await pathsOf(files)).toEqual(
      sent
        .slice(0, 20)
        .map(({ path }) => path)
        .sort(),
    );
    await expect.poll(() => storedIn(id)).toHaveLength(20);
    expect((await sendAll(id, sent)).filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(await viewOf(id)).toMatchObject({ fileCount: 30, bytes: 30_000 });
  });

  test("ends with a problem if it is no form, is cut off, or has more than 10,000 files", async () => {
    const { id } = await tus.upload();
    const { type, pieces } = batchForm(some(3));
    const none = await send(id, "{}", "application/json");
    expect([none.status, ((await none.json()) as { code: string }).code]).toEqual([415, "unsupported_media_type"]);
    const lines = async (body: Buffer, as = type) => linesOf(await (await send(id, body, as)).text());
    expect(await lines(Buffer.from("abc"))).toMatchObject([{ problem: { code: "malformed_multipart" } }]);
    expect(await lines(Buffer.from("abc"), "multipart/form-data")).toMatchObject([
      { problem: { code: "malformed_multipart" } },
    ]);
    const short = await lines(Buffer.concat(pieces.slice(0, 2)));
    expect(short.at(-1)).toMatchObject({ problem: { code: "malformed_multipart" } });
    expect(short.filter(({ bytes }) => bytes === 1_000)).toHaveLength(1);
    const empty = Array.from({ length: 10_001 }, (_, n) => ({ path: `${n}`, bytes: Buffer.alloc(0), sha512: null }));
    const many = batchForm(empty);
    expect((await lines(Buffer.concat(many.pieces), many.type)).at(-1)).toMatchObject({
      problem: { code: "body_too_large", detail: "A batch has at most 10,000 files" },
    });
    await tus.request("DELETE", `/uploads/${id}`);
  });

  test.skipIf(!inject("onPostgres"))("ends with an error of the database, and can be sent again", async () => {
    const { id } = await tus.upload();
    const files = some(300);
    const database = await service.database();
    await sql`alter table upload_segment rename to elsewhere`.execute(database.queries);
    const lines = await sendAll(id, files);
    await sql`alter table elsewhere rename to upload_segment`.execute(database.queries);
    await database.close();
    expect(lines).toMatchObject([{ problem: { code: "internal_error" } }]);
    expect(await viewOf(id)).toMatchObject({ fileCount: 0 });
    expect((await sendAll(id, files)).filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(await viewOf(id)).toMatchObject({ fileCount: 300, bytes: 300_000 });
    await tus.request("DELETE", `/uploads/${id}`);
  });

  test("is refused by an upload that was submitted or deleted", async () => {
    const { id } = await tus.upload();
    const { type, pieces } = batchForm(some(1));
    await sendAll(id, some(1));
    const { json } = await tus.submit(id);
    const submitted = await send(id, Buffer.concat(pieces), type);
    expect([submitted.status, ((await submitted.json()) as { code: string }).code]).toEqual([409, "upload_submitted"]);
    await service.api.until(json.id, ["completed"]);
    const other = await tus.upload();
    await tus.request("DELETE", `/uploads/${other.id}`);
    expect((await send(other.id, Buffer.concat(pieces), type)).status).toBe(404);
  });

  test("of an upload that is submitted meanwhile is refused file by file with this reason", async () => {
    const { id } = await tus.upload();
    const { type, pieces } = batchForm(some(600));
    const gate = Promise.withResolvers<void>();
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.concat(pieces.slice(0, 2))),
      pull: async (stream) => {
        await gate.promise;
        stream.enqueue(Buffer.concat(pieces.slice(2)));
        stream.close();
      },
    });
    const answer = await send(id, body, type);
    await vi.waitUntil(async () => (await viewOf(id)).fileCount > 0);
    const { status, json } = await tus.submit(id);
    expect(status).toBe(202);
    gate.resolve();
    const lines = linesOf(await answer.text());
    expect(new Set(lines.slice(1).map(({ problem }) => problem?.code))).toEqual(new Set(["upload_submitted"]));
    expect(lines).toHaveLength(600);
    await service.api.until(json.id, ["completed"]);
  });

  test("does not go on without end outside its files", async () => {
    const { id } = await tus.upload();
    const { type, pieces } = batchForm(some(1));
    const boundary = type.slice(type.indexOf("=") + 1);
    const part = (name: string) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    const [file = expect.fail()] = pieces;
    const path = `${part("path")}\r\n\r\nlarge\r\n`;
    const endless: Record<string, [before: Uint8Array | string, code: string]> = {
      "before the first part": ["", "malformed_multipart"],
      "in a header": [`${part("path")}\r\nX: `, "malformed_multipart"],
      "in a value": [`${part("path")}\r\n\r\n`, "malformed_multipart"],
      "in a header after a file": [Buffer.concat([file, Buffer.from(`${part("path")}\r\nX: `)]), "malformed_multipart"],
      "after the last part": [Buffer.concat(pieces), "malformed_multipart"],
      "in a file": [`${path}${part("file")}\r\n\r\n`, "body_too_large"],
    };
    for (const [where, [before, code]] of Object.entries(endless)) {
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(Buffer.from(before)),
        pull: (stream) => stream.enqueue(Buffer.alloc(1 << 20, "x")),
      });
      const answer = await send(id, body, type);
      expect([where, linesOf(await answer.text()).at(-1)?.problem?.code]).toEqual([where, code]);
    }
    await tus.request("DELETE", `/uploads/${id}`);
  });

  test("of an upload that is deleted meanwhile ends, and leaves nothing", async () => {
    const { id } = await tus.upload();
    const { type, pieces } = batchForm(some(3));
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.concat(pieces.slice(0, 2))),
    });
    const answer = await send(id, body, type);
    await vi.waitUntil(async () => (await viewOf(id)).fileCount > 0);
    expect((await tus.request("DELETE", `/uploads/${id}`)).status).toBe(204);
    expect(linesOf(await answer.text()).at(-1)).toMatchObject({ problem: { code: "not_found" } });
    expect(await readdir(join(service.data, "uploads"))).not.toContain(id);
  });
});
