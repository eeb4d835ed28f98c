import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { Receipt } from "../../src/archive/receipts/receipt.ts";
import { loadSigningKey } from "../../src/archive/receipts/signing.ts";
import { filesIn, forgeReceipt } from "../support/archive/forgery.ts";
import { findPackage } from "../support/archive/package.ts";
import { archiveBucket, archiveKeys, archiveSettings } from "../support/archive/s3-archive.ts";
import { canMount, unmount } from "../support/program/mounts.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.addAccount(archiveKeys);
});
afterAll(() => s3.close());

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest("hex");
const objects = { "run/a.csv": "a", "run/b.csv": "bb" };
/** A list as GNU coreutils write it. */
const sums = Object.entries(objects)
  .map(([path, body]) => `${hex("sha256", body)}  ${path}\n`)
  .join("");

let number = 0;
function bucketOf(all: Record<string, string>) {
  const bucket = `lists-${number++}`;
  s3.createBucket(bucket);
  for (const [key, body] of Object.entries(all)) s3.put(bucket, key, body);
  return { endpoint: s3.endpoint, bucket, ...keys };
}

/** Starts a service whose disk has less free space than is kept free. */
const startFull = (settings = {}) => startTestService({ ACCESSION_DISK_RESERVE: "900TiB", ...settings });

test("lists are not read without disk space for them, and a preview says so", async () => {
  await using service = await startFull();
  const access = bucketOf({ ...objects, "sums/all": sums });
  const digests = [{ key: "sums/all", base: "/" }];
  const { json } = await service.api.post("/submission/upload/s3preview", { ...access, digests });
  expect(json.digests.lists).toMatchObject([{ name: "sums/all", problem: { code: "no_space" } }]);
  const { id } = await service.api.submit(access, { digests });
  const { waiting } = await service.api.until(id, ["waiting"]);
  expect(waiting).toMatchObject({ code: "no_space", fault: "operator" });
  const isRead = ({ bucket, key }: { bucket?: string | undefined; key?: string | undefined }) =>
    bucket === access.bucket && key === "sums/all";
  expect(s3.history.filter(isRead)).toEqual([]);
  await service.restart(undefined, { ACCESSION_DISK_RESERVE: "1MiB" });
  await service.api.post(`/submission/${id}/retry`, {});
  const { digests: compared } = await service.api.until(id, ["completed"]);
  expect(compared).toMatchObject({ lists: [{ name: "sums/all", entries: 2 }], comparison: { files: 2 } });
});

test("the reserve that is configured for the archive's disk is not that of the data folder's disk", async () => {
  s3.createBucket(archiveBucket);
  const service = await startFull(archiveSettings(s3.endpoint));
  service.isDamaged = true;
  try {
    const { id } = await service.api.submit(bucketOf({ ...objects, SHA256SUMS: sums }), {
      digests: [{ key: "SHA256SUMS" }],
    });
    expect(await service.api.until(id, ["completed"])).toMatchObject({ digests: { comparison: { files: 2 } } });
  } finally {
    await service.stop();
  }
});

test.skipIf(!canMount)(
  "a disk that becomes full while a list is read is a lack of space, too (mounting requires root)",
  async () => {
    await using service = await startTestService();
    const scratch = join(service.data, "scratch");
    await mkdir(scratch, { recursive: true });
    await promisify(execFile)("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", scratch]);
    try {
      const long = sums + "# A comment\n".repeat(20_000);
      const access = bucketOf({ ...objects, SHA256SUMS: long });
      const { id } = await service.api.submit(access, { digests: [{ key: "SHA256SUMS" }] });
      const { waiting } = await service.api.until(id, ["waiting"]);
      expect(waiting).toMatchObject({ code: "no_space", message: "The disk of the data folder is full" });
      expect((await service.api.post(`/submission/${id}/cancel`)).status).toBe(202);
    } finally {
      await unmount(scratch);
    }
  },
);

/** Moves the data folder of a stopped service to a small disk. */
async function moveToDisk(data: string, size: string): Promise<void> {
  const copy = `${data}-copy`;
  await cp(data, copy, { recursive: true });
  await promisify(execFile)("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", data]);
  await cp(copy, data, { recursive: true });
  await rm(copy, { recursive: true });
}

/** Lets the service check at once whether the cause still exists for which a submission waits. Resolves when it has. */
async function probe(service: TestService, id: string, meanwhile?: () => Promise<void>): Promise<void> {
  await service.restart(async () => {
    await meanwhile?.();
    const database = await service.database();
    await database.queries.updateTable("submission").set({ probe_at: new Date() }).where("id", "=", id).execute();
    await database.close();
  });
  await service.settled();
}

test.skipIf(!canMount)(
  "a submission that waits for space in the data folder resumes when there is space, and not before (mounting requires root)",
  async () => {
    const bucket = `archive-${number++}`;
    s3.createBucket(bucket);
    const settings = { ...archiveSettings(s3.endpoint), ACCESSION_ARCHIVE: `s3://${bucket}` };
    const service = await startTestService(settings);
    service.isDamaged = true;
    const ballast = join(service.data, "ballast");
    await service.restart(() => moveToDisk(service.data, "512m"));
    try {
      // Less than 5 % of the disk remain.
      const { bavail, bsize } = await statfs(service.data);
      const spared = 24 * 2 ** 20;
      await promisify(execFile)("fallocate", ["-l", String(bavail * bsize - spared), ballast]);
      const access = bucketOf({ ...objects, SHA256SUMS: sums });
      const { id } = await service.api.submit(access, { digests: [{ key: "SHA256SUMS" }] });
      const { waiting } = await service.api.until(id, ["waiting"]);
      expect(waiting).toMatchObject({ code: "no_space", fault: "operator" });
      expect(waiting?.message).toBe(
        "The temporary copy of “SHA256SUMS” needs 152 B; the disk of the data folder has 0 B of free space for it. The service keeps another 25.6 MiB free",
      );
      const others = [bucketOf(objects), bucketOf({ ...objects, sums })];
      for (const one of others) {
        await service.api.until((await service.api.submit(one)).id, ["completed"]);
      }
      const reads = () => s3.history.filter((request) => request.bucket === access.bucket).length;
      const before = reads();
      await probe(service, id);
      expect(await service.api.submission(id)).toMatchObject({ status: "waiting" });
      expect(reads()).toBe(before);
      const types = async () => (await service.api.events(id)).map(({ type }) => type);
      expect((await types()).filter((type) => type === "resumed" || type === "waiting")).toEqual(["waiting"]);
      await probe(service, id, () => rm(ballast));
      // After a restart, the check can begin later than this.
      await vi.waitUntil(async () => (await service.api.submission(id)).status !== "waiting");
      expect(await service.api.until(id, ["completed"])).toMatchObject({ digests: { comparison: { files: 2 } } });
      expect(await types()).toContain("resumed");
    } finally {
      await unmount(service.data);
      await service.stop();
    }
  },
);

/** What the database states of the lists of a submission, without what is only known while it is processed. */
async function storedLists(service: TestService, id: string): Promise<unknown> {
  const database = await service.database();
  const query = database.queries.selectFrom("submission").select("digests").where("id", "=", id);
  const { digests } = await query.executeTakeFirstOrThrow();
  await database.close();
  return digests?.lists.map(({ etag: _, ...list }) => list);
}

test("the receipt states the SHA-512 of every list, also of one that is not archived, and so does a rebuilt database", async () => {
  await using service = await startTestService();
  const access = bucketOf({ ...objects, "sums/outside": sums, "run/excluded": sums, "run/archived": sums });
  const lists = ["sums/outside", "run/excluded", "run/archived"].map((key) => ({ key, base: "/" }));
  const selection = { prefix: "run/", exclude: ["run/excluded"] };
  const { id } = await service.api.submit(access, { digests: [...lists, { text: sums, base: "/" }], selection });
  const { dataset } = await service.api.until(id, ["completed"]);
  const sha512 = hex("sha512", sums);
  const ofSource = lists.map(({ key }) => ({ name: key, origin: "source", entries: 2, sha512 }));
  const ofRequest = { name: "", origin: "request", entries: 2 };
  const stated = { lists: [{ ...ofRequest, path: "logs/v1/digests-4.txt", sha512 }, ...ofSource] };
  expect((await service.api.receipt(id)).digestLists).toMatchObject(stated);
  expect((await service.api.files(id)).find(({ key }) => key === "run/archived")?.sha512).toBe(sha512);
  const rebuilt = async () => {
    await service.recreateDatabase();
    const { code, stderr } = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect(code, stderr).toBe(0);
    return storedLists(service, id);
  };
  await service.restart(async () => {
    expect(await storedLists(service, id)).toEqual([ofRequest, ...ofSource]);
    expect(await rebuilt()).toEqual([ofRequest, ...ofSource]);
    // As an earlier version has written it.
    const { folder } = await findPackage(service.archive, dataset?.id ?? "");
    const withoutDigests = ({ digestLists }: Receipt) => {
      for (const list of digestLists?.lists ?? []) if (list.origin !== "request") delete list.sha512;
    };
    const key = await loadSigningKey(join(service.data, "signing.key"));
    await forgeReceipt(filesIn(folder), "v1", withoutDigests, key);
    expect(await rebuilt()).toEqual([ofRequest, ...ofSource.map(({ sha512: _, ...list }) => list)]);
  });
  expect((await service.api.receipt(id)).digestLists).toMatchObject({
    lists: [ofRequest, { origin: "source" }, {}, {}],
  });
});
