import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { type BatchFile, batchForm, linesOf, postBatch, sendBatch } from "../support/api/upload-batch.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { canMount, unmount } from "../support/program/mounts.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { startTestService } from "../support/program/service.ts";
import { failCalls } from "../support/program/strace.ts";
import { lacks, skipNote } from "../support/tools.ts";

const MIB = 1024 * 1024;
const some = (count: number, bytes: number): BatchFile[] =>
  Array.from({ length: count }, (_, n) => ({ path: `plots/${n}.csv`, bytes: randomBytes(bytes) }));

describe("batches and the process that receives them", () => {
  let data: string;
  let program: Program;
  const tus = new TusClient(() => program.api);
  const start = () => startProgram(data, { ACCESSION_UPLOADS: join(data, "uploads") });

  beforeEach(async () => {
    data = await createDataFolder();
    program = await start();
  });
  afterEach(async () => {
    await program.end("SIGKILL");
    await rm(data, { recursive: true, force: true });
  });

  /** Begins a batch that never ends. @returns the paths that are acknowledged so far */
  async function beginBatch(id: string, files: readonly BatchFile[]): Promise<string[]> {
    const { type, pieces } = batchForm(files);
    const body = new ReadableStream({ start: (stream) => stream.enqueue(Buffer.concat(pieces.slice(0, -1))) });
    const answer = await postBatch(program.api, id, { body, type });
    const paths: string[] = [];
    const read = async () => {
      const decoder = new TextDecoder();
      let text = "";
      for await (const chunk of answer.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        paths.splice(0, paths.length, ...linesOf(text).map(({ path }) => path ?? "problem"));
      }
    };
    void read().catch(() => undefined);
    return paths;
  }

  test("kill -9 loses nothing that was acknowledged, and the rest is sent again", async () => {
    const { id, files } = await tus.upload();
    const sent = some(200, 3_000);
    const acknowledged = await beginBatch(id, sent);
    await vi.waitUntil(() => acknowledged.length > 20);
    await program.end("SIGKILL");
    program = await start();
    const stored = (await program.api.get(`${files}?limit=1000`)).json.files.map(({ path }: { path: string }) => path);
    expect(stored).toEqual(expect.arrayContaining(acknowledged));
    expect((await sendBatch(program.api, id, sent)).filter(({ problem }) => problem !== undefined)).toEqual([]);
    const { json } = await tus.submit(id);
    const done = await program.api.until(json.id, ["completed"]);
    const archived = new Map((await program.api.files(done.id)).map(({ key, sha512: digest }) => [key, digest]));
    expect(archived).toEqual(new Map(sent.map(({ path, bytes }) => [path, sha512(bytes)])));
  });

  test("a process that stops keeps what has arrived", async () => {
    const { id, files } = await tus.upload();
    const acknowledged = await beginBatch(id, some(50, 1_000));
    await vi.waitUntil(() => acknowledged.length === 49);
    await program.end("SIGTERM");
    program = await start();
    expect((await program.api.get(files)).json.files).toHaveLength(49);
  });

  test.skipIf(lacks("strace"))(
    `files that cannot be stored durably are not acknowledged ${skipNote("strace")}`,
    async () => {
      const { id, files } = await tus.upload();
      const sent = some(5, 1_000);
      const area = join(data, "uploads", id);
      const fault = { calls: ["fsync", "fdatasync"], error: "EIO", when: "1+", path: area };
      const trace = await failCalls(program.process.pid ?? 0, fault);
      const lines = await sendBatch(program.api, id, sent);
      expect(trace.count()).toBeGreaterThan(0);
      await trace.detach();
      expect(lines.map(({ problem }) => problem?.code)).toEqual(sent.map(() => "archive_unwritable"));
      expect((await program.api.get(files)).json.files).toEqual([]);
      expect(await readdir(area)).toEqual([]);
      const again = await sendBatch(program.api, id, sent);
      expect(again.map(({ problem }) => problem?.code)).toEqual(sent.map(() => undefined));
    },
  );
});

describe.skipIf(!canMount)("a batch on a small disk (if skipped: mounting requires root and Linux)", () => {
  test("stores what fits, and the rest when there is space again", async () => {
    const disk = await mkdtemp(join(tmpdir(), "accession-disk-"));
    await promisify(execFile)("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", disk]);
    const service = await startTestService({
      ACCESSION_UPLOADS: join(disk, "uploads"),
      ACCESSION_DISK_RESERVE: "1MiB",
    });
    try {
      const tus = new TusClient(() => service.api);
      const { id } = await tus.upload();
      const { bavail, bsize } = await statfs(disk);
      const ballast = join(disk, "ballast");
      await writeFile(ballast, Buffer.alloc(bavail * bsize - 8 * MIB));
      const sent = some(12, MIB);
      const lines = await sendBatch(service.api, id, sent);
      const codes = new Set(lines.map(({ problem }) => problem?.code));
      expect(codes).toEqual(new Set([undefined, "no_space"]));
      const stored = lines.filter(({ problem }) => problem === undefined).length;
      expect(await readdir(join(disk, "uploads", id))).toHaveLength(stored);
      await rm(ballast);
      const again = await sendBatch(service.api, id, sent);
      expect(again.filter(({ problem }) => problem !== undefined)).toEqual([]);
      expect(await readdir(join(disk, "uploads", id))).toHaveLength(12);
      const { json } = await tus.submit(id);
      await service.api.until(json.id, ["completed"]);
    } finally {
      await service.stop();
      await unmount(disk);
      await rm(disk, { recursive: true });
    }
  });
});
