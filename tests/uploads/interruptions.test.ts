import { randomBytes, randomInt } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { digestOf, sha512, TusClient } from "../support/api/tus-client.ts";
import { findPackage } from "../support/archive/package.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

describe("interrupted uploads", () => {
  let service: TestService;
  const tus = new TusClient(() => service.api);

  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  async function stored(id: string): Promise<string | null | undefined> {
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["completed"]);
    const [file] = await service.api.files(json.id);
    expect(file).toMatchObject({ verifiedWith: "sha512" });
    return file?.sha512;
  }

  const segments = async (id: string) =>
    (await readdir(join(service.data, "uploads", id))).filter((name) => /^\d+-/.test(name));

  test("a connection that is cut at any byte loses nothing that has arrived", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "cut.bin", randomBytes(1_000_000));
    let offset = 0;
    for (let cuts = 0; cuts < 12; cuts++) {
      const end = offset + randomInt(1, Math.floor((bytes.length - offset) / 2));
      await tus.sendAndCut(at, offset, bytes.subarray(offset, end));
      // What the service said to have is there.
      expect(await tus.offset(at)).toBe(end);
      offset = end;
    }
    expect((await tus.submit(id)).json).toMatchObject({ code: "upload_incomplete" });
    const wrong = await tus.patch(at, offset + 1, bytes.subarray(offset + 1));
    expect(wrong).toMatchObject({ status: 409, code: "upload_offset_wrong" });
    expect(await tus.patch(at, offset, bytes.subarray(offset))).toMatchObject({ status: 204, offset: bytes.length });
    expect(await stored(id)).toBe(sha512(bytes));
  });

  test("a client that asks before it continues learns a number of bytes that does not grow", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "aborted.bin", randomBytes(1_000_000));
    let offset = 0;
    for (let aborts = 0; aborts < 5; aborts++) {
      const middle = offset + 100_000;
      const sent = Promise.withResolvers<ReadableStreamDefaultController>();
      const body = new ReadableStream({ start: (stream) => sent.resolve(stream) });
      const aborted = tus.patch(at, offset, body);
      const stream = await sent.promise;
      stream.enqueue(bytes.subarray(offset, middle));
      await expect.poll(() => tus.offset(at)).toBe(middle);
      expect((await tus.request("HEAD", at)).offset).toBe(middle);
      // The rest of the request that the client has given up arrives after the answer.
      stream.enqueue(bytes.subarray(middle, middle + 50_000));
      stream.close();
      expect(await aborted).toMatchObject({ status: 423, code: "upload_taken_over" });
      expect(await tus.offset(at)).toBe(middle);
      offset = middle;
    }
    expect(await tus.patch(at, offset, bytes.subarray(offset))).toMatchObject({ status: 204, offset: bytes.length });
    expect(await stored(id)).toBe(sha512(bytes));
  });

  test("two senders of the same file do not mix their bytes", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "both.bin", randomBytes(1_000_000));
    // The first one is in the middle of the file when the second one begins; its other bytes would be wrong.
    const wrong = randomBytes(600_000);
    const first = Promise.withResolvers<ReadableStreamDefaultController>();
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(bytes.subarray(0, 400_000));
        first.resolve(stream);
      },
    });
    const sending = tus.patch(at, 0, body).catch((error: unknown) => error);
    const stream = await first.promise;
    await expect.poll(() => tus.offset(at)).toBe(400_000);
    const second = tus.patch(at, 400_000, bytes.subarray(400_000));
    expect(await second).toMatchObject({ status: 204, offset: bytes.length });
    stream.enqueue(wrong);
    stream.close();
    const refused = await sending;
    if (!(refused instanceof Error)) expect(refused).toMatchObject({ status: 423, code: "upload_taken_over" });
    expect(await stored(id)).toBe(sha512(bytes));
  });

  test("of many senders at once, the bytes of one count, and the others leave none", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "many.bin", randomBytes(500_000));
    const others = Array.from({ length: 7 }, () => tus.patch(at, 0, randomBytes(400_000)));
    const answers = await Promise.all(others);
    for (const { status } of answers) expect([204, 409, 423]).toContain(status);
    // All bytes of a sender that was not interrupted, or some of one that was: then those after it began at another offset.
    const offset = await tus.offset(at);
    const isWhole = answers.some(({ status }) => status === 204);
    expect(offset).toBeGreaterThan(isWhole ? 399_999 : 0);
    expect(offset).toBeLessThanOrEqual(400_000);
    expect(await segments(id)).toHaveLength(1);
    // The bytes are not those of the digest.
    expect(await tus.patch(at, offset, bytes.subarray(offset))).toMatchObject({ status: 460 });
    expect(await segments(id)).toEqual([]);
    expect(await tus.patch(at, 0, bytes)).toMatchObject({ status: 204, offset: 500_000 });
    expect(await stored(id)).toBe(sha512(bytes));
  });

  test("a file in many requests, also refused ones, is one stored file", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "small steps", randomBytes(2_000));
    const wrong = { "upload-checksum": `sha256 ${digestOf("sha256", Buffer.from("other bytes")).digest("base64")}` };
    for (let offset = 0; offset < 60; offset++) {
      const refused = await tus.patch(at, offset, randomBytes(100), wrong);
      expect(refused).toMatchObject({ status: 460, code: "upload_checksum_wrong" });
      expect(await tus.patch(at, offset, randomBytes(2_001))).toMatchObject({ code: "upload_too_long" });
      const end = new ReadableStream({
        start: (stream) => {
          stream.enqueue(randomBytes(2_001));
          stream.close();
        },
      });
      expect(await tus.patch(at, offset, end)).toMatchObject({ code: "upload_too_long" });
      const one = await tus.patch(at, offset, bytes.subarray(offset, offset + 1));
      expect(one).toMatchObject({ status: 204, offset: offset + 1 });
    }
    expect(await segments(id)).toHaveLength(1);
    expect(await tus.patch(at, 60, bytes.subarray(60))).toMatchObject({ status: 204, offset: 2_000 });
    expect(await segments(id)).toHaveLength(1);
    expect(await stored(id)).toBe(sha512(bytes));
  });

  test("an upload that is deleted while a file is sent leaves nothing", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "gone", randomBytes(1_000_000));
    const body = new ReadableStream({ start: (stream) => stream.enqueue(bytes.subarray(0, 300_000)) });
    const sending = tus.patch(at, 0, body).catch((error: unknown) => error);
    await expect.poll(() => tus.offset(at)).toBe(300_000);
    expect((await service.api.send(`/uploads/${id}`, { method: "DELETE" })).status).toBe(204);
    const answer = await sending;
    if (!(answer instanceof Error)) expect(answer).toMatchObject({ status: 404 });
    expect(await readdir(join(service.data, "uploads"))).not.toContain(id);
  });

  test("a client that has not heard that a file is complete may ask again", async () => {
    const { files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "a", randomBytes(1_000));
    await tus.patch(at, 0, bytes);
    expect(await tus.patch(at, 1_000, Buffer.alloc(0))).toMatchObject({ status: 204, offset: 1_000 });
    expect(await tus.patch(at, 999, bytes.subarray(999))).toMatchObject({ status: 204, offset: 1_000 });
    expect(await tus.patch(at, 500, bytes.subarray(500))).toMatchObject({ status: 409, code: "upload_offset_wrong" });
  });

  test("a file that a crash has left between receiving and comparing is compared when its last byte is sent again", async () => {
    const { id, files } = await tus.upload();
    const [good, bad] = [
      await tus.file(files, "good", randomBytes(600_000)),
      await tus.file(files, "bad", randomBytes(600_000)),
    ];
    for (const { at, bytes } of [good, bad]) {
      await tus.patch(at, 0, bytes.subarray(0, 200_000));
      await tus.patch(at, 200_000, bytes.subarray(200_000));
    }
    await service.restart(async () => {
      const database = await service.database();
      const { queries: db } = database;
      await db.updateTable("upload_file").set({ completed_at: null, sha512: null }).where("area_id", "=", id).execute();
      await db.updateTable("upload_area").set({ incomplete: 2 }).where("id", "=", id).execute();
      const wrong = { stated_sha512: "0".repeat(128) };
      await db.updateTable("upload_file").set(wrong).where("area_id", "=", id).where("path", "=", "bad").execute();
      await database.close();
    });
    for (const { at, bytes } of [good, bad]) {
      expect(await tus.offset(at)).toBe(599_999);
      expect(await tus.patch(at, 599_999, bytes.subarray(599_998))).toMatchObject({ code: "upload_too_long" });
    }
    expect((await tus.submit(id)).json).toMatchObject({ code: "upload_incomplete" });
    const last = (file: typeof good) => tus.patch(file.at, 599_999, file.bytes.subarray(599_999));
    expect(await last(good)).toMatchObject({ status: 204, offset: 600_000 });
    expect(await last(bad)).toMatchObject({ status: 460, code: "upload_digest_wrong" });
    expect(await tus.offset(bad.at)).toBe(0);
    await tus.request("DELETE", bad.at);
    expect(await stored(id)).toBe(sha512(good.bytes));
  });

  test("a file that is removed while it is sent leaves nothing", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "gone", randomBytes(1_000_000));
    const body = new ReadableStream({ start: (stream) => stream.enqueue(bytes.subarray(0, 300_000)) });
    const sending = tus.patch(at, 0, body).catch((error: unknown) => error);
    await expect.poll(() => tus.offset(at)).toBe(300_000);
    expect(await tus.request("DELETE", at)).toMatchObject({ status: 204 });
    await sending;
    expect(await tus.request("HEAD", at)).toMatchObject({ status: 404 });
    await expect.poll(() => segments(id)).toEqual([]);
    expect((await service.api.get(`/uploads/${id}`)).json).toMatchObject({ fileCount: 0, receivedBytes: 0 });
  });

  test("a client that sends a byte a second is stopped, and keeps its bytes", { tags: "extended" }, async () => {
    const { files } = await tus.upload();
    const { at } = await tus.file(files, "slow.bin", randomBytes(1_000_000));
    const { port } = new URL(service.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(
      `PATCH ${at} HTTP/1.1\r\nHost: localhost:${port}\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 1000000\r\n\r\n`,
    );
    let answer = "";
    socket.setEncoding("latin1").on("data", (text: string) => {
      answer += text;
    });
    socket.on("error", () => undefined);
    const timer = setInterval(() => socket.write("x"), 1_000);
    await new Promise((resolve) => socket.once("close", resolve));
    clearInterval(timer);
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"request_timeout"/s);
    expect(await tus.offset(at)).toBeGreaterThan(10);
  });
});

describe("uploads and kill -9", () => {
  let data: string;
  let program: Program;
  const tus = new TusClient(() => program.api);

  beforeEach(async () => {
    data = await createDataFolder();
    program = await startProgram(data, { ACCESSION_UPLOADS: join(data, "uploads") });
  });
  afterEach(async () => {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  });

  test("what the service said to have is there after a restart, and the rest is sent", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "killed.bin", randomBytes(3_000_000));
    const whole = await tus.file(files, "whole.bin", randomBytes(400_000));
    await tus.patch(whole.at, 0, whole.bytes);
    let offset = 0;
    for (const end of [1_200_000]) {
      const body = new ReadableStream({
        start: (stream) => stream.enqueue(bytes.subarray(offset, end)),
      });
      const sending = tus.patch(at, offset, body).catch(() => undefined);
      await expect.poll(() => tus.offset(at)).toBe(end);
      await program.end("SIGKILL");
      await sending;
      program = await startProgram(data, { ACCESSION_UPLOADS: join(data, "uploads") });
      offset = await tus.offset(at);
      expect(offset).toBe(end);
    }
    expect(await tus.patch(at, offset, bytes.subarray(offset))).toMatchObject({ status: 204, offset: bytes.length });
    const { json: upload } = await program.api.get(`/uploads/${id}`);
    expect(upload).toMatchObject({ fileCount: 2, incompleteFiles: 0, receivedBytes: 3_400_000 });
    const { json } = await tus.submit(id);
    const { dataset } = await program.api.until(json.id, ["completed"]);
    const found = await findPackage(join(data, "archive"), dataset?.id ?? "");
    expect(found.files.get("data/killed.bin")?.sha512).toBe(sha512(bytes));
    expect(found.files.get("data/whole.bin")?.sha512).toBe(sha512(whole.bytes));
  });

  test("at any moment of receiving and recording, nothing that was acknowledged is lost", {
    tags: "extended",
  }, async () => {
    const { id, files } = await tus.upload();
    const total = 1_500_000;
    const { at, bytes } = await tus.file(files, "any.bin", randomBytes(total));
    let offset = 0;
    for (let kills = 0; kills < 4 && offset < total; kills++) {
      const sizes = Array.from({ length: 40 }, () => randomInt(1, 100_000));
      let acknowledged = offset;
      const sending = (async () => {
        for (const size of sizes) {
          const to = Math.min(total, acknowledged + size);
          const answer = await tus.patch(at, acknowledged, bytes.subarray(acknowledged, to));
          if (answer.status === 204) acknowledged = answer.offset;
          if (acknowledged === total) return;
        }
      })().catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, randomInt(5, 1_500)));
      await program.end("SIGKILL");
      await sending;
      program = await startProgram(data, { ACCESSION_UPLOADS: join(data, "uploads") });
      offset = await tus.offset(at);
      expect(offset).toBeGreaterThanOrEqual(acknowledged);
      // Between receiving and comparing, the last byte does not count. It is sent again.
      if (offset === total - 1) offset = (await tus.patch(at, offset, bytes.subarray(offset))).offset;
    }
    if (offset < total) await tus.patch(at, offset, bytes.subarray(offset));
    const { json } = await tus.submit(id);
    const { dataset } = await program.api.until(json.id, ["completed"]);
    const found = await findPackage(join(data, "archive"), dataset?.id ?? "");
    expect(found.files.get("data/any.bin")?.sha512).toBe(sha512(bytes));
  });
});
