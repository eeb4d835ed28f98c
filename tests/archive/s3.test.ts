import { copyFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { inspect } from "node:util";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { openDatabase } from "../../src/db/database.ts";
import { type Outcome, rebuildDatabase } from "../../src/main/database-commands.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import type { Submission } from "../support/api/api.ts";
import { forgeContent } from "../support/archive/forgery.ts";
import { findPackage, sha512 } from "../support/archive/package.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archiveSettings,
  downloadVisible,
  visibleDatasets,
} from "../support/archive/s3-archive.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const MIB = 1024 * 1024;
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let source: S3Server;
let archive: S3Server;
let service: TestService;

beforeAll(async () => {
  source = await startS3Server({ digestLimit: 200 * MIB });
  source.addAccount(keys);
  archive = await startS3Server();
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
  service = await startTestService(archiveSettings(archive.endpoint));
});
afterAll(async () => {
  await service?.stop();
  await source.close();
  await archive.close();
});

const access = (bucket: string) => ({ endpoint: source.endpoint, bucket, ...keys });

/** The contents of the process's scratch folder. The audit may use it at the same time. */
async function scratch(): Promise<string[]> {
  const [own = "", ...others] = await readdir(join(service.data, "scratch"));
  return [...others, ...(await readdir(join(service.data, "scratch", own)))];
}

async function completed(bucket: string): Promise<Submission> {
  const { id } = await service.api.submit(access(bucket));
  return service.api.until(id, ["completed"], 90_000);
}

/** Expects that all visible datasets are valid, and that this dataset contains the bucket byte for byte. */
async function expectWhole(bucket: string, datasetId: string): Promise<void> {
  await using downloaded = await downloadVisible(archive);
  expect((await checkRoot(join(downloaded.folder, "ocfl"))).findings).toEqual([]);
  const { files, manifest } = await findPackage(downloaded.folder, datasetId);
  const paths = new Map(manifest.map((line) => [line.key as string, line.path as string]));
  expect([...paths.keys()].sort()).toEqual([...source.keys(bucket)].sort());
  for (const key of source.keys(bucket)) {
    const file = files.get(paths.get(key) ?? "");
    const expected = await sha512(source.body(bucket, key));
    expect(file?.sha512, key).toBe(expected);
    expect(await sha512(file?.file ?? ""), key).toBe(expected);
  }
}

describe("a bucket with odd keys, small objects and large ones", () => {
  let submission: Submission;

  beforeAll(async () => {
    source.createBucket("mixed");
    for (const key of oddKeys) source.put("mixed", key, `odd ${key}`);
    for (let i = 0; i < 300; i++) source.put("mixed", `plots/${i % 7}/measurement-${i}.csv`, `measurement ${i}\n`);
    for (const [name, size] of [
      ["middle", 3 * MIB],
      ["parts", 70 * MIB + 123],
      ["exact", 32 * MIB],
    ] as const)
      source.put("mixed", `large/${name}.bin`, { seed: name, size });
    submission = await completed("mixed");
  });

  test("is stored in the same layout as in a folder, and is valid in the object store", async () => {
    await expectWhole("mixed", submission.dataset?.id ?? "");
  });

  test("the archive proves that it is the one that was opened once per batch of objects, not for each", () => {
    const proofs = archive.history.filter(({ operation, key }) => operation === "get" && key.endsWith("archive.json"));
    expect(proofs.length).toBeGreaterThan(5);
    expect(proofs.length).toBeLessThan(source.keys("mixed").length / 4);
  });

  test("leaves no temporary objects", async () => {
    expect(archivePaths(archive, "staging/")).toEqual([]);
    expect(archive.uploads(archiveBucket)).toEqual([]);
    await expect.poll(scratch).toEqual([]);
  });

  test("is verified in the object store by the command line", { tags: "extended" }, async () => {
    const { code, lines } = await runCommand(["verify"], service.data, { env: archiveSettings(archive.endpoint) });
    expect([code, lines]).toMatchObject([0, [{ ok: true, objects: 1, receipts: "signer established" }]]);
  });

  test("is verified like any other", async () => {
    const files = await service.api.files(submission.id);
    expect(files.find(({ key }) => key === "large/parts.bin")).toMatchObject({ verifiedBy: "md5" });
    expect((await service.api.receipt(submission.id)).sourceMayBeDeleted).toBe("yes");
  });

  test("the database can be rebuilt from it", async () => {
    const data = await createDataFolder();
    for (const name of ["secret.key", "signing.key"]) await copyFile(join(service.data, name), join(data, name));
    const outcomes: Outcome[] = [];
    const listener = { outcome: (one: Outcome) => void outcomes.push(one), looking: () => {}, writing: () => {} };
    const config = readConfig({ ACCESSION_DATA: data, ...archiveSettings(archive.endpoint) });
    await rebuildDatabase(config, listener, new AbortController().signal);
    expect(outcomes).toEqual([expect.objectContaining({ outcome: "taken_in", dataset: submission.dataset?.id })]);
    await rm(data, { recursive: true, force: true });
  });

  test("the public keys are in the archive", async () => {
    await using downloaded = await downloadVisible(archive);
    const jwks = JSON.parse(await readFile(join(downloaded.folder, "jwks.json"), "utf8"));
    expect(jwks).toEqual((await service.api.get("/.well-known/jwks.json")).json);
    expect(visibleDatasets(archivePaths(archive))).toHaveLength(1);
  });
});

/** Objects in the archive that belong to unpublished submissions: all except the files of the storage root. */
const unpublished = () =>
  archivePaths(archive).filter((path) => {
    const object = /^ocfl\/(?:[^/]+\/){3}[0-9a-f]{128}/.exec(path)?.[0];
    if (object === undefined) return path.startsWith("staging/");
    return !visibleDatasets(archivePaths(archive, object)).includes(object);
  });

test("A, then B, then A again: every attempt stores the content of its own listing", { tags: "extended" }, async () => {
  source.createBucket("back-and-forth");
  source.put("back-and-forth", "k", "content A");
  source.put("back-and-forth", "same", "the same");
  source.put("back-and-forth", "bad", "bad");
  const deny = source.addFault({
    match: { bucket: "back-and-forth", operation: "get", key: "bad" },
    fault: { status: 403, code: "AccessDenied" },
  });
  const { id } = await service.api.submit(access("back-and-forth"));
  await service.api.until(id, ["waiting"]);
  source.put("back-and-forth", "k", "content B, longer");
  await service.api.post(`/submission/${id}/retry`);
  await service.api.until(id, ["waiting"]);
  source.put("back-and-forth", "k", "content A");
  deny();
  await service.api.post(`/submission/${id}/retry`);
  const { attempt, dataset } = await service.api.until(id, ["completed"]);
  expect(attempt).toBe(3);
  await expectWhole("back-and-forth", dataset?.id ?? "");
  expect(unpublished()).toEqual([]);
});

test("a large object that was changed by the server is read again, as a new upload", {
  tags: "extended",
}, async () => {
  source.createBucket("spoilt");
  source.put("spoilt", "large", { seed: "spoilt", size: 40 * MIB });
  source.addFault({
    match: { bucket: "spoilt", operation: "get", key: "large", nth: 3 },
    fault: { flipByte: 1_000 },
  });
  source.addFault({
    match: { bucket: "spoilt", operation: "get", key: "large", nth: 5 },
    fault: { cutAfter: 100_000 },
  });
  const { dataset } = await completed("spoilt");
  await expectWhole("spoilt", dataset?.id ?? "");
  expect(archive.uploads(archiveBucket)).toEqual([]);
});

test("a server without ranges sends a large object faster than the archive accepts it", {
  tags: "extended",
}, async () => {
  source.createBucket("whole");
  source.put("whole", "large", { seed: "whole", size: 100 * MIB });
  const isWhole = source.addFault({
    match: { bucket: "whole", operation: "get", key: "large" },
    fault: {
      rewrite: (reply) => {
        if (reply.status !== 206) return;
        const { body } = reply.body as { body: { size: number } };
        reply.status = 200;
        delete reply.headers["content-range"];
        reply.headers["content-length"] = String(body.size);
        reply.body = { body, start: 0, end: body.size } as typeof reply.body;
      },
    },
  });
  const slow = archive.addFault({ match: { operation: "uploadPart" }, fault: { delay: 300 } });
  const { dataset } = await completed("whole");
  isWhole();
  slow();
  await expectWhole("whole", dataset?.id ?? "");
  await expect.poll(scratch).toEqual([]);
});

test("a transfer continues for longer than the duration of an unconfirmed lease", { tags: "extended" }, async () => {
  source.createBucket("patiently");
  source.put("patiently", "late", "late");
  source.put("patiently", "later", { seed: "later", size: 40 * MIB });
  source.addFault({ match: { bucket: "patiently", operation: "get", times: 2 }, fault: { delay: 8_000 } });
  const { dataset } = await completed("patiently");
  await expectWhole("patiently", dataset?.id ?? "");
});

test("a cancelled submission leaves no objects", { tags: "extended" }, async () => {
  source.createBucket("cancelled");
  for (let i = 0; i < 50; i++) source.put("cancelled", `o/${i}`, `object ${i}`);
  source.put("cancelled", "p/large", { seed: "cancelled", size: 60 * MIB });
  const release = source.addFault({
    match: { bucket: "cancelled", operation: "get", key: "p/large", nth: 6, times: 100 },
    fault: { stall: "forever" },
  });
  const { id } = await service.api.submit(access("cancelled"));
  await expect.poll(() => archive.uploads(archiveBucket).length).toBe(1);
  await expect.poll(() => unpublished().length).toBeGreaterThan(50);
  expect((await service.api.post(`/submission/${id}/cancel`)).status).toBe(202);
  release();
  // The marker stays for a minute, so that late objects are found.
  const marker = `staging/${id}/attempt.json`;
  await expect.poll(unpublished).toEqual([marker]);
  expect(archive.uploads(archiveBucket)).toEqual([]);
  const key = `lab/2026/${marker}`;
  const noted = JSON.parse(archive.body(archiveBucket, key).toString());
  await service.restart(async () => {
    // The removal may have been interrupted by the end of the service. Its job would then be repeated after its lease
    // has expired.
    const database = await service.database();
    await sql`delete from pgboss.job where name = 'discard'`.execute(database.queries);
    await database.close();
    archive.put(archiveBucket, key, JSON.stringify({ ...noted, discarded: noted.discarded - 61_000 }));
  });
  await expect.poll(unpublished).toEqual([]);
});

test("an archive with slow removals delays no request, and the next start completes them", {
  tags: "extended",
}, async () => {
  for (const name of ["removed", "meanwhile"]) {
    source.createBucket(name);
    for (let i = 0; i < 20; i++) source.put(name, `o/${i}`, `object ${i}`);
  }
  source.put("removed", "bad", "bad");
  source.addFault({ match: { bucket: "removed", operation: "get", key: "bad" }, fault: { status: 403 } });
  const { id } = await service.api.submit(access("removed"));
  await service.api.until(id, ["waiting"]);
  const content = unpublished().filter((path) => path.startsWith("ocfl/"));
  expect(content).toHaveLength(20);
  const below = content[0]?.replace(/\/v1\/.*$/, "") ?? "";
  let begun = false;
  archive.addFault({
    match: { operation: "deleteMany", times: 1 },
    fault: {
      run: () => {
        begun = true;
      },
      stall: "forever",
    },
  });
  const from = Date.now();
  expect((await service.api.post(`/submission/${id}/cancel`)).status).toBe(202);
  expect(Date.now() - from).toBeLessThan(5_000);
  await expect.poll(() => begun).toBe(true);
  await completed("meanwhile");
  expect(archivePaths(archive, below)).toHaveLength(20);
  await service.restart();
  await expect.poll(() => archivePaths(archive, below)).toEqual([]);
});

test("a withdrawn dataset leaves its tombstone and its receipt", { tags: "extended" }, async () => {
  source.createBucket("withdrawn");
  for (let i = 0; i < 30; i++) source.put("withdrawn", `o/${i}`, `object ${i}`);
  const { id, dataset } = await completed("withdrawn");
  const receipt = (await service.api.get(`/submission/${id}/receipt`)).text;
  await service.api.post(`/dataset/${dataset?.id}/withdraw`, { reason: "consent" });
  await vi.waitUntil(async () => (await service.api.get(`/dataset/${dataset?.id}`)).json.tombstone?.removedAt != null, {
    interval: 100,
  });
  const below = `withdrawn/${dataset?.id}`;
  expect(archivePaths(archive, below)).toEqual([`${below}/logs/v1/receipt.jws`, `${below}/tombstone.json`]);
  expect(archive.body(archiveBucket, `lab/2026/${below}/logs/v1/receipt.jws`).toString()).toBe(receipt);
  const { staged, ...rest } = Object.groupBy(unpublished(), (path) =>
    path.startsWith("staging/") ? "staged" : "left",
  );
  // Objects of a cancelled submission of an earlier test may still be in the process of removal.
  expect([rest, (staged ?? []).filter((path) => path.includes(id))]).toEqual([{}, []]);
  await using downloaded = await downloadVisible(archive);
  expect((await checkRoot(join(downloaded.folder, "ocfl"))).findings).toEqual([]);
});

describe("an archive that fails", () => {
  beforeAll(() => {
    source.createBucket("patient");
    for (let i = 0; i < 200; i++) source.put("patient", `o/${i}`, `object ${i}`);
  });

  test("with a temporary 503 is retried", { tags: "extended" }, async () => {
    const calm = archive.addFault({
      match: { operation: "put", key: /v1\/content\/data/, times: 60 },
      fault: { status: 503, code: "SlowDown" },
    });
    const { dataset } = await completed("patient").finally(calm);
    await expectWhole("patient", dataset?.id ?? "");
  });

  test("with 403 suspends the submission, which resumes automatically after the cause is fixed", {
    tags: "extended",
  }, async () => {
    const deny = archive.addFault({ match: { operation: "put" }, fault: { status: 403, code: "AccessDenied" } });
    const { id } = await service.api.submit(access("patient"));
    const { waiting } = await service.api.until(id, ["waiting"]);
    expect(waiting).toMatchObject({ code: "archive_unwritable", fault: "operator" });
    expect(waiting?.message).toMatch(/“the-archive” denies access \(403 AccessDenied\)/);
    // The next check is a minute away. It is brought forward twice, once while access is still denied.
    const lookNow = async () => {
      await service.restart(async () => {
        deny();
        const database = await openDatabase({ folder: join(service.data, "database") });
        await database.queries.updateTable("submission").set({ probe_at: new Date() }).where("id", "=", id).execute();
        await database.close();
      });
    };
    await lookNow();
    const now = () => service.api.submission(id);
    await expect.poll(async () => (await now()).status).toBe("completed");
    const { dataset } = await now();
    await expectWhole("patient", dataset?.id ?? "");
  });
});

describe("the audit", () => {
  let audited: TestService;
  const often = { ACCESSION_AUDIT_INTERVAL: "1 second", ACCESSION_AUDIT_SHARE: "100%" };
  const auditOf = async (dataset: string) => (await audited.api.get(`/dataset/${dataset}`)).json.audit;
  const waiting = { interval: 100 };

  beforeAll(async () => {
    source.createBucket("looked-at");
    for (let i = 0; i < 20; i++) source.put("looked-at", `run-${i}.csv`, `run ${i}\n`.repeat(500));
    // One archive belongs to one database.
    const own = { ACCESSION_ARCHIVE: `s3://${archiveBucket}/audited` };
    audited = await startTestService({ ...archiveSettings(archive.endpoint), ...own, ...often });
  });
  afterAll(() => audited?.stop());

  async function archived(): Promise<{ dataset: string; object: string }> {
    const { id } = await audited.api.submit(access("looked-at"));
    const dataset = (await audited.api.until(id, ["completed"])).dataset?.id ?? "";
    return { dataset, object: `audited/ocfl/${objectFolder(`urn:uuid:${dataset}`)}` };
  }

  test("re-reads every byte; an archive that does not answer is not reported as damage", {
    tags: "extended",
  }, async () => {
    const { dataset } = await archived();
    const calm = archive.addFault({ match: { operation: "get" }, fault: { status: 500, code: "InternalError" } });
    await sleep(3_000);
    calm();
    await expect.poll(() => auditOf(dataset), waiting).not.toBeNull();
    expect(await auditOf(dataset)).toMatchObject({ ok: true, files: 25, findings: [] });
  });

  const damages: [string, string, (key: string) => void][] = [
    ["E092", "v1/content/data/run-7.csv", (key) => void archive.put(archiveBucket, key, "run 8\n".repeat(500))],
    ["E092", "v1/content/data/run-8.csv", (key) => void archive.remove(archiveBucket, key)],
    ["E023", "v1/content/data/extra", (key) => void archive.put(archiveBucket, key, "")],
    ["E001", "stray/file", (key) => void archive.put(archiveBucket, key, "")],
    ["EL01", "logs/v1/receipt.jws", (key) => void archive.put(archiveBucket, key, "another")],
    ["E058", "inventory.json.sha512", (key) => void archive.remove(archiveBucket, key)],
  ];

  test("finds content that was replaced together with inventory and sidecar through the receipt", {
    tags: "extended",
  }, async () => {
    const { dataset, object } = await archived();
    const files = {
      read: async (path: string) => archive.body(archiveBucket, `${object}/${path}`),
      write: async (path: string, content: string | Buffer) =>
        void archive.put(archiveBucket, `${object}/${path}`, content),
    };
    await forgeContent(files, "v1/content/data/run-7.csv", ["v1"]);
    // An audit that is running during the change may find a part of it. The next one finds only the receipt's digest.
    await expect
      .poll(async () => (await auditOf(dataset))?.findings, waiting)
      .toEqual([expect.objectContaining({ code: "EL06", path: "v1/inventory.json" })]);
    const env = { ...archiveSettings(archive.endpoint), ACCESSION_ARCHIVE: `s3://${archiveBucket}/audited` };
    const { code, lines } = await runCommand(["verify"], audited.data, { env });
    const inRoot = object.slice("audited/ocfl/".length);
    expect([code, lines]).toMatchObject([
      1,
      expect.arrayContaining([expect.objectContaining({ code: "EL06", path: `${inRoot}/v1/inventory.json` })]),
    ]);
    const { versions, receiptsVerified, ...sum } = lines.at(-1);
    expect(sum).toMatchObject({ ok: false, receipts: "signer not established" });
    expect(versions - receiptsVerified).toBe(1);
    await audited.api.post(`/dataset/${dataset}/withdraw`, { reason: "forged" });
  });

  test("reports changed, missing and unexpected files with the same codes as in a folder", {
    tags: "extended",
  }, async () => {
    for (const [code, path, damage] of damages) {
      const { dataset, object } = await archived();
      damage(`${object}/${path}`);
      await expect.poll(async () => (await auditOf(dataset))?.ok, waiting).toBe(false);
      const found = (await auditOf(dataset)).findings as { code: string; path: string }[];
      expect(
        found.map((one) => one.code),
        path,
      ).toContain(code);
      expect(found.length, path).toBe(1);
      await audited.api.post(`/dataset/${dataset}/withdraw`, { reason: "damaged" });
    }
  });
});

test.each([
  [
    "an empty database with an archive that another database has filled",
    {},
    /The database is empty, but the archive s3:\/\/the-archive\/lab\/2026 holds datasets.*accession rebuild/,
  ],
  [
    "a bucket that does not exist",
    { ACCESSION_ARCHIVE: "s3://nowhere" },
    /“nowhere” does not exist on http.*Create it/,
  ],
  [
    "a wrong secret",
    { ACCESSION_ARCHIVE_S3_SECRET_KEY: "wrong" },
    /does not accept the archive’s keys \(403 SignatureDoesNotMatch\)/,
  ],
  ["an unknown key", { ACCESSION_ARCHIVE_S3_ACCESS_KEY: "AKNOBODY" }, /does not accept the archive’s keys/],
  [
    "a server that is not available",
    { ACCESSION_ARCHIVE_S3_ENDPOINT: "http://127.0.0.1:1" },
    /cannot be reached \(ECONNREFUSED\)/,
  ],
])("the start is refused with an explanation for %s", { tags: "extended" }, async (_, settings, sentence) => {
  const error = await startTestService({ ...archiveSettings(archive.endpoint), ...settings }).then(
    (started) => started.stop(),
    (reason: Error) => reason,
  );
  expect(String(error)).toMatch(sentence);
  expect(inspect(error, { depth: 9 })).not.toContain(archiveKeys.secretKey);
});
