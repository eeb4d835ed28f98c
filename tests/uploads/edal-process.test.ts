import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { EdalClient, edalMetadata } from "../support/api/edal-client.ts";
import { beginFile, some, statuses } from "../support/api/edal-files.ts";
import { sha512 } from "../support/api/tus-client.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { failCalls } from "../support/program/strace.ts";
import { lacks, skipNote } from "../support/tools.ts";

describe("files of the local mode and the process that receives them", () => {
  let data: string;
  let program: Program;
  const client = new EdalClient(() => program.api);
  const start = (settings: Record<string, string> = {}) =>
    startProgram(data, { ACCESSION_UPLOADS: join(data, "uploads"), ...settings });

  beforeEach(async () => {
    data = await createDataFolder();
    program = await start();
  });
  afterEach(async () => {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  });

  test("kill -9 loses nothing that was acknowledged, and the rest is sent again", async () => {
    const files = Array.from({ length: 200 }, (_, n) => ({ webkitRelativePath: `c/${n}`, bytes: randomBytes(3_000) }));
    let acknowledged = 0;
    const sending = files.map(async (file) => {
      const { status } = await client.send(client.form(file, edalMetadata));
      if (status === 200) acknowledged += 1;
    });
    const sent = Promise.allSettled(sending);
    await vi.waitUntil(() => acknowledged > 20);
    await program.end("SIGKILL");
    await sent;
    program = await start();
    const [upload] = (await program.api.get("/uploads")).json;
    expect(upload.fileCount).toBeGreaterThanOrEqual(acknowledged);
    expect(statuses(await client.sendAll(files))).toEqual(new Set([200]));
    // Those that the process was receiving are reported once.
    let published = await client.publish(edalMetadata.title);
    for (; published.status === 409; published = await client.publish(edalMetadata.title)) {
      expect(published.json.code).toMatch(/^upload_(arriving|incomplete)$/);
    }
    const { json } = published;
    await program.api.until(json.id, ["completed"]);
    const archived = new Map((await program.api.files(json.id)).map(({ key, sha512: digest }) => [key, digest]));
    expect(archived).toEqual(new Map(files.map(({ bytes }, n) => [`${n}`, sha512(bytes)])));
  });

  test("kill -9 in the middle of a file prevents the submission, which names it", async () => {
    const [file = expect.fail()] = some(2).slice(1);
    expect((await client.send(client.form(file, edalMetadata))).status).toBe(200);
    const { answering } = await beginFile({ url: program.url, api: program.api, data }, "torn.csv");
    await program.end("SIGKILL");
    await expect(answering).rejects.toThrow();
    program = await start();
    let refused = await client.publish(edalMetadata.title);
    // Until it is certain that no process receives the file.
    while (refused.json.code === "upload_arriving") refused = await client.publish(edalMetadata.title);
    expect([refused.json.code, refused.json.detail]).toEqual([
      "upload_incomplete",
      expect.stringContaining("1 file did not arrive completely: “torn.csv” (interrupted)"),
    ]);
    const { status, json } = await client.publish(edalMetadata.title);
    expect(status).toBe(202);
    await program.api.until(json.id, ["completed"]);
  });

  test("files that wait when the process stops prevent the submission", async () => {
    const at = { url: program.url, api: program.api, data };
    const slow = await Promise.all(Array.from({ length: 16 }, (_, n) => beginFile(at, `slow-${n}`)));
    // One is refused when all others wait.
    const refused = Promise.withResolvers<unknown>();
    const sending = Array.from({ length: 65 }, async (_, n) => {
      const file = { webkitRelativePath: `c/${n}`, bytes: Buffer.from(`${n}`) };
      const { status } = await client.send(client.form(file, edalMetadata));
      refused.resolve(status);
    });
    const ended = Promise.allSettled([...sending, ...slow.map(({ answering }) => answering)]);
    expect(await refused.promise).toBe(429);
    await program.end("SIGTERM");
    await ended;
    program = await start();
    expect((await client.publish(edalMetadata.title)).json.detail).toContain("81 files did not arrive completely");
  });

  test("a full disk refuses files, which prevents the submission", async () => {
    const [file = expect.fail()] = some(2).slice(1);
    expect((await client.send(client.form(file, edalMetadata))).status).toBe(200);
    await program.end("SIGTERM");
    program = await start({ ACCESSION_DISK_RESERVE: "900TiB" });
    const other = { ...file, webkitRelativePath: "chosen/other.csv" };
    const refused = await client.send(client.form(other, edalMetadata));
    expect([refused.status, refused.json.code]).toEqual([507, "no_space"]);
    expect((await client.publish(edalMetadata.title)).json.code).toBe("upload_incomplete");
    expect((await client.send(client.form(other, edalMetadata))).json.code).toBe("no_space");
    await program.end("SIGTERM");
    program = await start();
    expect((await client.publish(edalMetadata.title)).json.code).toBe("upload_incomplete");
    expect(statuses(await client.sendAll([file, other]))).toEqual(new Set([200]));
    const { json } = await client.publish(edalMetadata.title);
    await program.api.until(json.id, ["completed"]);
    expect(await program.api.files(json.id)).toHaveLength(2);
  });

  test.skipIf(lacks("strace"))(`files that cannot be stored durably are refused ${skipNote("strace")}`, async () => {
    const [first = expect.fail(), second = expect.fail()] = some(3).slice(1);
    const { json } = await client.send(client.form(first, edalMetadata));
    const area = join(data, "uploads", json.upload);
    const fault = { calls: ["fsync", "fdatasync"], error: "EIO", when: "1+", path: area };
    const trace = await failCalls(program.process.pid ?? 0, fault);
    const refused = await client.send(client.form(second, edalMetadata));
    expect(trace.count()).toBeGreaterThan(0);
    await trace.detach();
    expect(refused.json.code).toBe("archive_unwritable");
    expect(await readdir(area)).toHaveLength(1);
    expect((await client.publish(edalMetadata.title)).json.code).toBe("upload_incomplete");
  });
});
