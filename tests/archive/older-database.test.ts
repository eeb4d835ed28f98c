/** @module-tag extended */
import { copyFile, cp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { openDatabase, type Queries } from "../../src/db/database.ts";
import { type Outcome, rebuildDatabase } from "../../src/main/database-commands.ts";
import { readConfig } from "../../src/platform/config/config.ts";
import { goodMetadata } from "../support/api/api.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archivePrefix,
  archiveSettings,
} from "../support/archive/s3-archive.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** An archive in an object store that is newer than the database, and one with an incomplete publication. */

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let server: S3Server;
let service: TestService;

beforeAll(async () => {
  server = await startS3Server();
  server.addAccount(keys);
  server.addAccount(archiveKeys);
  server.createBucket(archiveBucket);
  server.createBucket("source");
  for (let i = 0; i < 20; i++) server.put("source", `o/${i}`, `object ${i}`);
  service = await startTestService(archiveSettings(server.endpoint));
});
afterAll(async () => {
  await service?.stop();
  await server.close();
});

async function completed(): Promise<{ id: string; dataset: string }> {
  const { id } = await service.api.submit({ endpoint: server.endpoint, bucket: "source", ...keys });
  const { dataset } = await service.api.until(id, ["completed"], 60_000);
  return { id, dataset: dataset?.id ?? "" };
}

/** Changes the database while the service is stopped. */
async function edit(change: (db: Queries) => Promise<unknown>): Promise<void> {
  await service.restart(async () => {
    const database = await openDatabase({ folder: join(service.data, "database") });
    await change(database.queries);
    await database.close();
  });
}

/** Every object of the archive with its ETag, so that writes and removals are visible. */
const contents = () =>
  archivePaths(server, "ocfl/").map((path) => [
    path,
    server.body(archiveBucket, `${archivePrefix}/${path}`).toString("base64"),
  ]);

test.each([
  ["listing", { listing_complete: false }],
  ["packaging", {}],
])(
  "a submission that is published in the archive and %s in the database fails with its code",
  async (status, columns) => {
    const { id, dataset } = await completed();
    const before = contents();
    await edit(async (db) => {
      await db.deleteFrom("dataset_version").where("dataset_id", "=", dataset).execute();
      await db.deleteFrom("dataset").where("id", "=", dataset).execute();
      const unfinished = { published_at: null, receipt: null, finished_at: null, dataset_version: null, staged: true };
      await db
        .updateTable("submission")
        .set({ status, ...unfinished, ...columns })
        .where("id", "=", id)
        .execute();
    });
    const { failure } = await service.api.until(id, ["failed"], 60_000);
    expect(failure).toMatchObject({ code: "already_published", fault: "operator" });
    expect(failure?.message).toContain("The database is older than the archive");
    expect(contents()).toEqual(before);
    await service.api.post(`/submission/${id}/cancel`);
    expect(contents()).toEqual(before);
  },
);

test.each<[string, () => Record<string, string>]>([
  [
    "an object store",
    () => ({ ...archiveSettings(server.endpoint), ACCESSION_ARCHIVE: `s3://${archiveBucket}/of-its-own` }),
  ],
  ["a folder", () => ({})],
])(
  "a database backup from the middle of a transfer overwrites nothing in %s, and a rebuild completes the submission",
  { tags: "extended" },
  async (_, settings) => {
    await using one = await startTestService(settings());
    const database = join(one.data, "database");
    const aside = join(one.data, "backup");
    const release = server.addFault({
      match: { operation: "get", key: "o/7", times: 100 },
      fault: { stall: "forever" },
    });
    const { id } = await one.api.submit({ endpoint: server.endpoint, bucket: "source", ...keys });
    await one.api.until(id, ["transferring"], 30_000);
    await one.restart(async () => {
      await cp(database, aside, { recursive: true });
      release();
    });
    await one.api.until(id, ["completed"], 60_000);
    const root = join(one.archive, "ocfl");
    const inFolder = async () => (await readdir(root, { recursive: true }).catch(() => [])).sort();
    const before = [contents(), await inFolder()];
    // The current content of the source differs from the archived content.
    server.put("source", "o/7", "something else");
    await one.restart(async () => {
      await rm(database, { recursive: true });
      await rename(aside, database);
      const listener = { outcome: () => {}, looking: () => {}, writing: () => {} };
      const config = readConfig({ ACCESSION_DATA: one.data, ...settings() });
      await rebuildDatabase(config, listener, new AbortController().signal);
    });
    await one.api.until(id, ["completed"], 60_000);
    expect((await one.api.get(`/submission/${id}/receipt`)).status).toBe(200);
    expect([contents(), await inFolder()]).toEqual(before);
  },
);

test("an edit of a dataset that is newer in the archive is refused, until a rebuild has taken over its state", {
  tags: "extended",
}, async () => {
  const { dataset } = await completed();
  const path = `/dataset/${dataset}/metadata`;
  const edited = (title: string, state: string) =>
    service.api.send(path, {
      method: "PUT",
      body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
      headers: { "content-type": "application/json", "if-match": state },
    });
  expect((await edited("Second", '"1.1"')).status).toBe(200);
  await edit(async (db) => {
    await db.deleteFrom("metadata_revision").where("dataset_id", "=", dataset).execute();
    const older = { latest_ocfl_version: 1, latest_revision: 1, title: goodMetadata.title };
    await db.updateTable("dataset").set(older).where("id", "=", dataset).execute();
  });
  const refused = await edited("Third", '"1.1"');
  expect([refused.status, refused.json.code, refused.json.fault]).toEqual([409, "archive_newer", "operator"]);
  const s3Access = { endpoint: server.endpoint, bucket: "source", ...keys };
  const version = { metadata: goodMetadata, s3Access, dataset: { id: dataset } };
  const another = await service.api.post("/submission/upload/s3upload", version);
  expect([another.status, another.json.code]).toEqual([409, "archive_newer"]);
  const outcomes: Outcome[] = [];
  await service.restart(async () => {
    const listener = { outcome: (one: Outcome) => void outcomes.push(one), looking: () => {}, writing: () => {} };
    const config = readConfig({ ACCESSION_DATA: service.data, ...archiveSettings(server.endpoint) });
    await rebuildDatabase(config, listener, new AbortController().signal);
  });
  expect(outcomes).toContainEqual(expect.objectContaining({ outcome: "updated", dataset }));
  expect((await service.api.get(path)).headers.get("etag")).toBe('"1.2"');
  expect((await edited("Third", '"1.2"')).status).toBe(200);
});

test("an incompletely published dataset is not restored, and the removal of leftovers does not change it", {
  tags: "extended",
}, async () => {
  const { id, dataset } = await completed();
  const root = archivePaths(server, "ocfl/").filter((path) => /\w{128}\/inventory\.json$/.test(path));
  const logs = await Promise.all(root.map(async (path) => path.replace(/inventory\.json$/, "logs/v1/submission.json")));
  const index = logs.findIndex((path) => server.body(archiveBucket, `${archivePrefix}/${path}`).includes(id));
  const inventory = `${archivePrefix}/${root[index]}`;
  const object = root[index]?.replace("/inventory.json", "") ?? "";
  const text = server.body(archiveBucket, inventory).toString();
  server.remove(archiveBucket, inventory);
  const before = archivePaths(server, object);

  const data = await createDataFolder();
  for (const name of ["secret.key", "signing.key"]) await copyFile(join(service.data, name), join(data, name));
  const outcomes: Outcome[] = [];
  const listener = { outcome: (one: Outcome) => void outcomes.push(one), looking: () => {}, writing: () => {} };
  const config = readConfig({ ACCESSION_DATA: data, ...archiveSettings(server.endpoint) });
  await rebuildDatabase(config, listener, new AbortController().signal);
  expect(outcomes.find(({ path }) => path === object)).toMatchObject({
    outcome: "refused",
    reason: expect.stringContaining("the dataset is not published"),
  });
  await rm(data, { recursive: true, force: true });

  // The state that the first worker left: its marker exists, and the database has the submission as completed.
  const marker = `${archivePrefix}/staging/${id}/attempt.json`;
  server.put(archiveBucket, marker, JSON.stringify({ dataset, attempt: 1 }));
  await service.restart(async () => {});
  await expect.poll(() => archivePaths(server, "staging/")).toEqual([]);
  expect(archivePaths(server, object)).toEqual(before);
  server.put(archiveBucket, inventory, text);
});
