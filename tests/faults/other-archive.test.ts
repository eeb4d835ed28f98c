import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { goodMetadata, type Submission } from "../support/api/api.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archiveSettings,
  downloadVisible,
} from "../support/archive/s3-archive.ts";
import { validateArchive } from "../support/archive/validate-archive.ts";
import { startTcpProxy, type TcpProxy } from "../support/network/tcp-proxy.ts";
import { bindMount, canMount, unmount } from "../support/program/mounts.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const OBJECTS = 12;
/** A waiting submission is probed a minute after it stopped. */
const PROBED_AFTER_MS = 120_000;
/** Moments after the start of the work at which the archive is replaced, in milliseconds. */
const MOMENTS = Array.from({ length: 12 }, (_, index) => index * 45);

let source: S3Server;

beforeAll(async () => {
  source = await startS3Server();
  source.addAccount(keys);
  source.createBucket("plots");
  for (let i = 0; i < OBJECTS; i++) source.put("plots", `plot-${i}.csv`, `measurement ${i}\n`);
});
afterAll(() => source.close());
afterEach(() => {
  vi.useRealTimers();
});

/** A service whose archive can be replaced by an empty one while it runs. */
interface Replaceable extends AsyncDisposable {
  service: TestService;
  replace(): Promise<void>;
  /** @returns the names of files that the service has written to the empty one meanwhile */
  restore(): Promise<string[]>;
  /** Number of objects of the bucket in the newest version of a dataset, and that version's OCFL number. */
  archived(dataset: string): Promise<{ objects: number; head: string }>;
}

/** An empty folder takes the place of the archive, like the bare mount point of its file system. */
async function inFolder(): Promise<Replaceable> {
  const service = await startTestService();
  const aside = `${service.archive}.aside`;
  let at = service.archive;
  return {
    service,
    async replace() {
      await rename(service.archive, aside);
      at = aside;
      await mkdir(service.archive);
    },
    async restore() {
      const written = await readdir(service.archive, { recursive: true });
      await rm(service.archive, { recursive: true });
      await rename(aside, service.archive);
      at = service.archive;
      return written;
    },
    archived: (dataset) => contentOf(at, dataset),
    [Symbol.asyncDispose]: () => service.stop(),
  };
}

/** The archive is mounted. It is detached and mounted again while the service runs. */
async function inMount(): Promise<Replaceable> {
  const folder = await mkdtemp(join(tmpdir(), "accession-mounted-"));
  const [disk, point] = [join(folder, "disk"), join(folder, "point")];
  await mkdir(disk);
  await mkdir(point);
  await bindMount(disk, point);
  const service = await startTestService({ ACCESSION_ARCHIVE: point });
  return {
    service,
    replace: () => unmount(point),
    async restore() {
      const written = await readdir(point, { recursive: true });
      await bindMount(disk, point);
      return written;
    },
    archived: (dataset) => contentOf(disk, dataset),
    async [Symbol.asyncDispose]() {
      await service.stop();
      await unmount(point);
      expect(await validateArchive(disk)).toEqual([]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Lets the archive's endpoint lead to another server, with an empty bucket of the same name. */
async function inBucket(): Promise<Replaceable> {
  const open = async () => {
    const server = await startS3Server();
    server.addAccount(archiveKeys);
    server.createBucket(archiveBucket);
    return server;
  };
  const first = await open();
  let other: S3Server | undefined;
  let proxy: TcpProxy = await startTcpProxy(first.port, () => undefined);
  const { port } = proxy;
  const leadTo = async (server: S3Server) => {
    await proxy.close();
    proxy = await startTcpProxy(server.port, () => undefined, port);
  };
  const service = await startTestService(archiveSettings(`http://127.0.0.1:${port}`));
  return {
    service,
    async replace() {
      other = await open();
      await leadTo(other);
    },
    async restore() {
      if (other === undefined) throw new Error("The bucket was not replaced");
      const written = archivePaths(other);
      await leadTo(first);
      await other.close();
      return written;
    },
    async archived(dataset) {
      await using copy = await downloadVisible(first);
      return await contentOf(copy.folder, dataset);
    },
    async [Symbol.asyncDispose]() {
      await service.stop();
      await proxy.close();
      await first.close();
    },
  };
}

async function contentOf(archive: string, dataset: string): Promise<{ objects: number; head: string }> {
  const file = join(archive, "ocfl", objectFolder(`urn:uuid:${dataset}`), "inventory.json");
  const { head, versions } = JSON.parse(await readFile(file, "utf8"));
  const paths = Object.values<string[]>(versions[head].state).flat();
  return { objects: paths.filter((path) => path.startsWith("data/")).length, head };
}

async function submit({ api }: TestService, more: object = {}): Promise<string> {
  return (await api.submit({ endpoint: source.endpoint, bucket: "plots", ...keys }, more)).id;
}

/** Lets the service look again now for what it waits for, until a state is reached. */
async function until<State>(read: () => Promise<State>, wanted: State): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + PROBED_AFTER_MS });
  await expect.poll(read).toEqual(wanted);
  vi.useRealTimers();
}

const outcomeOf = ({ status, failure }: Submission) => failure?.message ?? status;

/** The submission after it has stopped, which is only for the operator, or is completed. */
async function stopped({ api }: TestService, id: string): Promise<Submission> {
  const submission = await api.until(id, ["waiting", "completed"]);
  if (submission.status === "waiting") {
    expect(submission.waiting).toMatchObject({ code: "archive_unwritable", fault: "operator" });
    expect(submission.sourceMayBeDeleted).toBeNull();
  }
  return submission;
}

test("an archive that is unmounted: the submission waits for the operator, nothing is written below the mount point, and it completes later", async () => {
  await using archive = await inFolder();
  const { service } = archive;
  const { api } = service;
  // The others are stored before the archive is replaced.
  const held = source.hold({ operation: "get", key: /plot-(?:[6-9]|1\d)/ });
  const id = await submit(service);
  await expect.poll(async () => (await api.submission(id)).progress.objectsStored).toBeGreaterThan(0);
  await archive.replace();
  held.release();
  const { waiting } = await stopped(service, id);
  expect(waiting?.message).toContain("is mounted");
  await expect.poll(async () => (await api.get("/health/ready")).status).toBe(503);
  expect((await api.get("/metrics")).text).toMatch(/^accession_archive_up 0$/m);
  expect(await archive.restore()).toEqual([]);
  await until(async () => (await api.submission(id)).status, "completed");
  expect(await archive.archived((await api.submission(id)).dataset?.id ?? "")).toEqual({
    objects: OBJECTS,
    head: "v1",
  });
  await expect.poll(async () => (await api.get("/health/ready")).status).toBe(200);
  expect((await api.get("/metrics")).text).toMatch(/^accession_archive_up 1$/m);
});

describe.each([
  canMount ? (["a folder that is unmounted", inMount] as const) : (["a folder that is moved aside", inFolder] as const),
  ["a bucket that is replaced", inBucket],
] as const)("an archive in %s at any moment", { tags: "extended" }, (_, open) => {
  test("of a submission: what is completed is in the archive", async () => {
    await using archive = await open();
    const { service } = archive;
    for (const moment of MOMENTS) {
      const id = await submit(service);
      await sleep(moment);
      await archive.replace();
      const { status, dataset } = await stopped(service, id);
      if (status === "completed") {
        expect(await archive.archived(dataset?.id ?? ""), `${moment}`).toEqual({ objects: OBJECTS, head: "v1" });
      }
      await archive.restore();
      await until(async () => outcomeOf(await service.api.submission(id)), "completed");
      const completed = await service.api.submission(id);
      expect(await archive.archived(completed.dataset?.id ?? "")).toEqual({ objects: OBJECTS, head: "v1" });
    }
  });

  test("of a new version, of a metadata revision and of a withdrawal: what is done is in the archive", async () => {
    await using archive = await open();
    const { service } = archive;
    const { api } = service;
    for (const moment of MOMENTS) {
      const first = await api.until(await submit(service), ["completed"]);
      const dataset = first.dataset?.id ?? "";
      const id = await submit(service, { dataset: { id: dataset }, metadata: { ...goodMetadata, title: "Again" } });
      await sleep(moment);
      await archive.replace();
      await stopped(service, id);
      await archive.restore();
      await until(async () => outcomeOf(await api.submission(id)), "completed");
      expect(await archive.archived(dataset)).toEqual({ objects: OBJECTS, head: "v2" });

      const sent = await api.send(`/dataset/${dataset}/metadata`, {
        method: "PUT",
        body: JSON.stringify({ metadata: { ...goodMetadata, title: "Revised" } }),
        headers: { "content-type": "application/json", "if-match": '"2.1"' },
      });
      expect(sent.status, sent.text).toBe(200);
      await sleep(moment);
      await archive.replace();
      await sleep(moment);
      await archive.restore();
      await until(async () => (await archive.archived(dataset)).head, "v3");

      expect((await api.post(`/dataset/${dataset}/withdraw`, { reason: "A mistake" })).status).toBe(202);
      await sleep(moment / 4);
      await archive.replace();
      await sleep(moment);
      await archive.restore();
      await until(async () => (await api.get(`/dataset/${dataset}`)).json.tombstone?.removedAt != null, true);
      await expect(archive.archived(dataset)).rejects.toThrow("ENOENT");
    }
  });
});
