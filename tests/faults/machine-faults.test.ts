import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, inject, test } from "vitest";
import { bindMount, canMount, unmount } from "../support/program/mounts.ts";
import { failCalls } from "../support/program/strace.ts";
import { BUCKET, TestSystem, type TestSystemOptions } from "../support/program/test-system.ts";
import { lacks, skipNote } from "../support/tools.ts";

const run = promisify(execFile);
const MIB = 1024 * 1024;
const root = "mounting and resource limits require root and Linux";
const isRoot = canMount && spawnSync("prlimit", ["--version"]).status === 0;
if (process.env.CI === "true" && !isRoot) throw new Error(root);

const ending: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

async function open(settings: Record<string, string> = {}): Promise<TestSystem> {
  const options: TestSystemOptions = { template: inject("template"), settings };
  const system = await TestSystem.open(options);
  ending.push(() => system.close());
  return system;
}

/** Mounts a separate file system in memory, which can be filled, enlarged or made read-only. */
async function tmpfs(megabytes: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "accession-disk-"));
  await run("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", folder]);
  ending.push(async () => {
    await unmount(folder);
    await rm(folder, { recursive: true });
  });
  return folder;
}
const remount = (folder: string, options: string) => run("mount", ["-o", `remount,${options}`, folder]);

function fill(system: TestSystem, objects: number, bytes: number): void {
  for (let i = 0; i < objects; i++) system.s3.put(BUCKET, `k${i}`, { seed: `${i}`, size: bytes });
}

/** Creates a submission. Returns its id and the API of the running program. */
async function submit(system: TestSystem) {
  const id = (await system.submit("once")) ?? "";
  const api = system.program?.api;
  if (api === undefined) throw new Error("The program does not run");
  return { id, api };
}

describe.skipIf(lacks("strace"))(`system calls that fail ${skipNote("strace")}`, () => {
  test("the database cannot be synced: 503 in the meantime, then automatic recovery without data loss", {
    tags: "extended",
  }, async () => {
    const system = await open();
    fill(system, 30, 1_000);
    const program = await system.start();
    const fault = { calls: ["fsync"], error: "EIO", when: "3..3" };
    // The error ends the database thread. The calls of the next thread succeed.
    const trace = await failCalls(program?.process.pid ?? 0, { ...fault, thread: "embedded database" });
    const { id, api } = await submit(system);
    await expect.poll(() => trace.count()).toBeGreaterThan(0);
    const statuses = new Set<number>();
    const ask = async () => {
      const { status } = await api.get(`/submission/${id}`);
      statuses.add(status);
      return status;
    };
    await expect.poll(ask).toBe(200);
    expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([]);
    expect((await system.runToCompletion(id, { retries: 0 }, 120_000))?.status).toBe("completed");
    expect(await system.check()).toEqual([]);
    await trace.detach();
  });

  test.each([
    ["rename", "EIO"],
    ["symlink", "ENOSPC"],
  ])(
    "%s fails with %s: the submission waits for the operator, and resumes afterwards",
    { tags: "extended" },
    async (call, error) => {
      const system = await open();
      fill(system, 30, 1_000);
      const program = await system.start();
      const trace = await failCalls(program?.process.pid ?? 0, { calls: [call], error, when: "1+1" });
      const { id, api } = await submit(system);
      const { waiting } = await api.until(id, ["waiting"]);
      expect(waiting).toMatchObject({
        code: error === "ENOSPC" ? "no_space" : "archive_unwritable",
        fault: "operator",
      });
      await trace.detach();
      expect((await system.runToCompletion(id, { retries: 0 }, 180_000))?.status).toBe("completed");
      expect(await system.check()).toEqual([]);
    },
  );

  test("no space for the inventory: the submission waits, nothing is visible, then it resumes", {
    tags: "extended",
  }, async () => {
    const system = await open();
    fill(system, 30, 1_000);
    system.s3.addFault({ match: { operation: "get" }, fault: { delay: 100 } });
    const program = await system.start();
    const { id, api } = await submit(system);
    const path = join(system.data, "archive/staging", id, "package-1-of-attempt-1/v1/inventory.json");
    const fault = { calls: ["openat"], error: "ENOSPC", when: "1+", path };
    const trace = await failCalls(program?.process.pid ?? 0, fault);
    const { waiting, progress } = await api.until(id, ["waiting"]);
    expect(trace.count()).toBeGreaterThan(0);
    expect(waiting).toMatchObject({ code: "no_space", fault: "operator" });
    expect(progress.objectsStored).toBe(30);
    expect(await readdir(join(system.data, "archive/ocfl"))).not.toContainEqual(expect.stringMatching(/^[0-9a-f]{3}$/));
    await trace.detach();
    expect((await system.runToCompletion(id, { retries: 0 }, 180_000))?.status).toBe("completed");
    expect(await system.check()).toEqual([]);
  });
});

describe.skipIf(!isRoot)(`disks and limits (if skipped: ${root})`, () => {
  test("a full disk: the submission waits for space, and resumes when there is some", {
    tags: "extended",
  }, async () => {
    const disk = await tmpfs(24);
    const system = await open({ ACCESSION_ARCHIVE: join(disk, "archive"), ACCESSION_DISK_RESERVE: "1MiB" });
    fill(system, 16, MIB);
    system.s3.addFault({ match: { operation: "get" }, fault: { delay: 150 } });
    await system.start();
    const { id, api } = await submit(system);
    // Another program fills the disk after the service has checked the free space.
    const { bavail, bsize } = await statfs(disk);
    await writeFile(join(disk, "ballast"), Buffer.alloc(Math.max(0, bavail * bsize - 2 * MIB)));
    const { waiting } = await api.until(id, ["waiting"]);
    expect(waiting).toMatchObject({ code: "no_space", fault: "operator" });
    await remount(disk, "size=64m");
    expect((await system.runToCompletion(id, { retries: 0 }, 180_000))?.status).toBe("completed");
    expect(await system.check(["archive"], join(disk, "archive"))).toEqual([]);
  });

  test("an archive that becomes read-only: the submission waits, and resumes when the archive is writable again", {
    tags: "extended",
  }, async () => {
    const disk = await tmpfs(64);
    const system = await open({ ACCESSION_ARCHIVE: join(disk, "archive"), ACCESSION_DISK_RESERVE: "1MiB" });
    fill(system, 300, 10_000);
    system.s3.addFault({ match: { operation: "get" }, fault: { delay: 20 } });
    await system.start();
    const { id, api } = await submit(system);
    await expect.poll(async () => (await readdir(join(disk, "archive/staging"))).length).toBe(1);
    await expect
      .poll(
        () =>
          remount(disk, "ro").then(
            () => true,
            () => false,
          ),
        { interval: 5 },
      )
      .toBe(true);
    const { waiting } = await api.until(id, ["waiting"]);
    expect(waiting).toMatchObject({ code: "archive_unwritable", fault: "operator" });
    await remount(disk, "rw");
    expect((await system.runToCompletion(id, { retries: 0 }, 180_000))?.status).toBe("completed");
    expect(await system.check([], join(disk, "archive"))).toEqual([]);
  });

  test("an archive that is read-only from the start is refused with a message", { tags: "extended" }, async () => {
    const disk = await tmpfs(8);
    await remount(disk, "ro");
    const system = await open({ ACCESSION_ARCHIVE: join(disk, "archive") });
    await expect(system.start()).rejects.toThrow(/EROFS|read-only/);
  });

  test("an archive whose staging area is a different mount is refused with a message", {
    tags: "extended",
  }, async () => {
    const disk = await tmpfs(8);
    const system = await open();
    const staging = join(system.data, "archive/staging");
    await mkdir(staging, { recursive: true });
    await bindMount(disk, staging);
    ending.push(() => unmount(staging));
    await expect(system.start()).rejects.toThrow(/are on different devices\. Publication renames a folder/);
  });

  test("no free file descriptors: the submission waits or continues, and completes when there are some", {
    tags: "extended",
  }, async () => {
    const system = await open();
    fill(system, 200, 5_000);
    const program = await system.start();
    const pid = String(program?.process.pid);
    const { id } = await submit(system);
    const used = (await readdir(`/proc/${pid}/fd`)).length;
    await run("prlimit", ["--pid", pid, `--nofile=${used + 2}:`]);
    await system.runToCompletion(id, { retries: 0 }, 3_000);
    await run("prlimit", ["--pid", pid, "--nofile=4096:"]);
    expect((await system.runToCompletion(id, { retries: 0 }, 90_000))?.status).toBe("completed");
    expect(await system.check()).toEqual([]);
  });

  test("the disk of the database is full: 503 or waiting in the meantime, then it resumes automatically", {
    tags: "extended",
  }, async () => {
    const disk = await tmpfs(80);
    const folder = join(disk, "system");
    await mkdir(folder);
    const archive = await mkdtemp(join(tmpdir(), "accession-archive-"));
    ending.push(() => rm(archive, { recursive: true, force: true }));
    const settings = { ACCESSION_ARCHIVE: join(archive, "archive") };
    const system = await TestSystem.open({ template: inject("template"), folder, settings });
    ending.push(() => system.close());
    fill(system, 2_000, 10);
    await system.start();
    const { bavail, bsize } = await statfs(disk);
    await writeFile(join(disk, "ballast"), Buffer.alloc(bavail * bsize - 64 * 1024));
    const answer = await system.program?.api.post("/submission/upload/s3upload", { metadata: { title: "x" } });
    expect([422, 503]).toContain(answer?.status);
    const id = await system.submit("once", 10_000);
    if (id !== undefined) await system.runToCompletion(id, { retries: 0 }, 5_000);
    await rm(join(disk, "ballast"));
    const later = await submit(system);
    expect((await system.runToCompletion(later.id, { retries: 0 }, 90_000))?.status).toBe("completed");
    expect(await system.check([], join(archive, "archive"))).toEqual([]);
  });
});
