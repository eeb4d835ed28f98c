import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sha512, TusClient } from "../support/api/tus-client.ts";
import { canMount, unmount } from "../support/program/mounts.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const MIB = 1024 * 1024;
const root = "mounting requires root and Linux";

describe.skipIf(!canMount)(`a small disk for uploads (if skipped: ${root})`, () => {
  let disk: string;
  let service: TestService;
  const tus = new TusClient(() => service.api);

  beforeEach(async () => {
    disk = await mkdtemp(join(tmpdir(), "accession-disk-"));
    await promisify(execFile)("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", disk]);
    service = await startTestService({ ACCESSION_UPLOADS: join(disk, "uploads"), ACCESSION_DISK_RESERVE: "1MiB" });
  });
  afterEach(async () => {
    await service.stop();
    await unmount(disk);
    await rm(disk, { recursive: true });
  });

  test("a file can be resumed when the disk has space for the rest only", async () => {
    const { files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "a", randomBytes(10 * MIB));
    await tus.patch(at, 0, bytes.subarray(0, 9 * MIB));
    const again = await tus.createWith(files, bytes.length, { path: "a", sha512: sha512(bytes) }, bytes);
    expect(again).toMatchObject({ status: 201, offset: 9 * MIB });
    expect(await tus.patch(at, 9 * MIB, bytes.subarray(9 * MIB))).toMatchObject({ status: 204, offset: bytes.length });
    expect(await tus.create(files, "b", 10 * MIB)).toMatchObject({ status: 507, code: "no_space" });
  });

  test("when the disk is full in the middle of a file, its bytes stay, and the rest is sent later", async () => {
    const { id, files } = await tus.upload();
    const { at, bytes } = await tus.file(files, "a", randomBytes(10 * MIB));
    const sent = Promise.withResolvers<ReadableStreamDefaultController>();
    const body = new ReadableStream({
      start: (stream) => {
        stream.enqueue(bytes.subarray(0, 2 * MIB));
        sent.resolve(stream);
      },
    });
    const sending = tus.patch(at, 0, body);
    const stream = await sent.promise;
    await expect.poll(() => tus.offset(at)).toBe(2 * MIB);
    // Another program takes the space that was free when the request began.
    const { bavail, bsize } = await statfs(disk);
    const ballast = join(disk, "ballast");
    await writeFile(ballast, Buffer.alloc(bavail * bsize - MIB));
    stream.enqueue(bytes.subarray(2 * MIB));
    stream.close();
    expect(await sending).toMatchObject({ status: 507, code: "no_space" });
    const offset = await tus.offset(at);
    expect(offset).toBeGreaterThanOrEqual(2 * MIB);
    expect(offset).toBeLessThanOrEqual(3 * MIB);
    await rm(ballast);
    expect(await tus.patch(at, offset, bytes.subarray(offset))).toMatchObject({ status: 204, offset: bytes.length });
    expect(await readdir(join(disk, "uploads", id))).toHaveLength(1);
    const { json } = await tus.submit(id);
    await service.api.until(json.id, ["completed"]);
    expect((await service.api.files(json.id))[0]).toMatchObject({ sha512: sha512(bytes), verifiedWith: "sha512" });
  });
});
