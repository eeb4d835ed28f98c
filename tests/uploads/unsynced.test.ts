import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";
import { failCalls } from "../support/program/strace.ts";
import { lacks, skipNote } from "../support/tools.ts";

describe.skipIf(lacks("strace"))(`a disk that cannot store bytes durably ${skipNote("strace")}`, () => {
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

  test("bytes do not count before they are durable, and are sent again", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "a", randomBytes(300_000));
    await tus.patch(at, 0, bytes.subarray(0, 100_000));
    const area = join(data, "uploads", id);
    const [segment = ""] = await readdir(area);
    const fault = { calls: ["fsync", "fdatasync"], error: "EIO", when: "1+", path: join(area, segment) };
    const trace = await failCalls(program.process.pid ?? 0, fault);
    expect(await tus.patch(at, 100_000, bytes.subarray(100_000, 200_000))).toMatchObject({
      status: 503,
      code: "archive_unwritable",
    });
    expect(trace.count()).toBeGreaterThan(0);
    await trace.detach();
    expect(await tus.offset(at)).toBe(100_000);
    // To another stored file: the system may have dropped bytes of the first one.
    expect(await tus.patch(at, 100_000, bytes.subarray(100_000))).toMatchObject({ status: 204, offset: 300_000 });
    expect(await readdir(area)).toHaveLength(2);
    const { json } = await tus.submit(id);
    await program.api.until(json.id, ["completed"]);
    expect((await program.api.files(json.id))[0]).toMatchObject({ sha512: sha512(bytes), verifiedWith: "sha512" });
  });
});
