import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type Operation, type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { Bucket } from "../../src/archive/s3/bucket.ts";
import { publishSealed } from "../../src/archive/s3/publish.ts";
import { goodMetadata } from "../support/api/api.ts";
import {
  contentDigests,
  expectContents,
  expectValid,
  fullyReadKeys,
  submitAndArchive,
  submitNextVersion,
} from "../support/archive/archived-versions.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archivePrefix,
  archiveSettings,
  downloadVisible,
  visibleDatasets,
} from "../support/archive/s3-archive.ts";
import { createDataFolder } from "../support/database/embedded-template.ts";
import { type Program, startProgram } from "../support/program/program.ts";

const MIB = 1024 * 1024;
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const KILLS = Number(process.env.KILLS ?? 5);
const writes: Operation[] = ["put", "copy", "delete", "deleteMany", "createUpload", "uploadPart", "completeUpload"];
const waiting = { interval: 40 };
let source: S3Server;
let archive: S3Server;
let data: string;
let program: Program;

beforeAll(async () => {
  source = await startS3Server();
  source.addAccount(keys);
  archive = await startS3Server();
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
  data = await createDataFolder();
  program = await startProgram(data, archiveSettings(archive.endpoint));
});
afterAll(async () => {
  await program?.end("SIGKILL");
  await rm(data, { recursive: true, force: true });
  await source.close();
  await archive.close();
});

const access = (bucket: string) => ({ endpoint: source.endpoint, bucket, ...keys });

function fill(bucket: string, objects: number): void {
  source.createBucket(bucket);
  for (let n = 0; n < objects; n++) source.put(bucket, `plots/${n}.csv`, `measurement ${n}\n`);
  source.put(bucket, "plots//odd", "odd");
}

/** Expects that all visible objects are valid, and that the version has these contents. */
async function expectSeen(dataset: string, version: number, contents: ReadonlyMap<string, string>): Promise<void> {
  await using seen = await downloadVisible(archive);
  await expectValid(seen.folder);
  await expectContents(seen.folder, dataset, version, contents);
}

test("a change of metadata adds only its own objects to the dataset, and nothing remains in the staging area", {
  tags: "extended",
}, async () => {
  fill("revised", 20);
  const { dataset } = await submitAndArchive(program.api, access("revised"));
  const before = await contentDigests(source, "revised");
  archive.clearHistory();
  const { status, json } = await program.api.send(`/dataset/${dataset.id}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, title: "Revised" } }),
    headers: { "content-type": "application/json", "if-match": '"1.1"' },
  });
  expect([status, json.revision, json.metadata.title]).toEqual([200, 2, "Revised"]);
  const copied = archive.history.filter(({ operation, key }) => operation === "copy" && key.includes("/v2/content/"));
  expect(copied.map(({ key }) => key.replace(/.*\/v2\/content\//, "")).toSorted()).toEqual([
    "metadata/datacite.json",
    "metadata/datacite.xml",
    "metadata/submission.json",
    "ro-crate-metadata.json",
  ]);
  await vi.waitUntil(() => archivePaths(archive).every((path) => !path.startsWith("staging/")), waiting);
  await expectSeen(dataset.id, 1, before);
});

test("a second version reads only new objects, and writes to the dataset only when it is published", {
  tags: "extended",
}, async () => {
  fill("field", 200);
  const { dataset } = await submitAndArchive(program.api, access("field"));
  const before = await contentDigests(source, "field");
  source.put("field", "plots/7.csv", "measured again");
  source.put("field", "large.bin", { seed: "large", size: 20 * MIB });
  source.remove("field", "plots/8.csv");
  source.clearHistory();
  archive.clearHistory();
  const { id } = await submitNextVersion(program.api, access("field"), dataset);
  expect([...new Set(fullyReadKeys(source))]).toEqual(expect.arrayContaining(["plots/7.csv"]));
  const read = source.history.filter(({ operation }) => operation === "get").map(({ key }) => key);
  // The check reads the first bytes of the first object.
  expect([...new Set(read)].toSorted()).toEqual(["large.bin", "plots/7.csv"]);
  const written = archive.history.filter(({ operation }) => writes.includes(operation));
  const copies = written.findIndex(({ operation, key }) => operation === "copy" && key.includes("/ocfl/"));
  expect(written.slice(0, copies).filter(({ key }) => key.includes("/ocfl/"))).toEqual([]);
  expect(written.filter(({ key }) => key.includes("/ocfl/")).at(-1)?.key).toMatch(/[0-9a-f]{128}\/inventory\.json$/);
  expect((await program.api.receipt(id)).changes).toMatchObject({
    added: { keys: ["large.bin"] },
    changed: { keys: ["plots/7.csv"] },
    removed: { keys: ["plots/8.csv"] },
    kept: { total: 199, notRead: 199 },
  });
  await expectSeen(dataset.id, 1, before);
  await expectSeen(dataset.id, 2, await contentDigests(source, "field"));
  await expect.poll(() => archivePaths(archive, "staging/"), waiting).toEqual([]);
});

test("a worker that was suspended while it published a version writes nothing after a later one is published", {
  tags: "extended",
}, async () => {
  fill("frozen", 5);
  const { dataset } = await submitAndArchive(program.api, access("frozen"));
  source.put("frozen", "plots/1.csv", "second");
  const { id } = await submitNextVersion(program.api, access("frozen"), dataset);
  source.put("frozen", "plots/1.csv", "third");
  await submitNextVersion(program.api, access("frozen"), dataset);
  const place = { bucket: archiveBucket, prefix: archivePrefix, endpoint: archive.endpoint, region: "us-east-1" };
  const bucket = await Bucket.open({ ...place, credentials: archiveKeys }, 2);
  archive.clearHistory();
  const late = { submission: id, dataset: dataset.id, version: 2, fence: 1, receipt: "" };
  await expect(publishSealed(bucket, late)).rejects.toThrow("The sealed package has no");
  bucket.close();
  expect(archive.history.filter(({ operation }) => writes.includes(operation))).toEqual([]);
  await expectSeen(dataset.id, 3, await contentDigests(source, "frozen"));
});

test("a cancelled version leaves nothing in the dataset", { tags: "extended" }, async () => {
  fill("cancelled", 20);
  const { dataset } = await submitAndArchive(program.api, access("cancelled"));
  const before = await contentDigests(source, "cancelled");
  const paths = archivePaths(archive, "ocfl/");
  source.put("cancelled", "z.csv", "never read");
  source.put("cancelled", "plots/1.csv", "read and dropped");
  const held = source.hold({ key: "z.csv", operation: "get" });
  const { id } = await program.api.submit(access("cancelled"), { dataset: { id: dataset.id } });
  await expect.poll(() => archivePaths(archive, `staging/${id}/content/`), waiting).not.toEqual([]);
  await program.api.post(`/submission/${id}/cancel`);
  held.release();
  await expect.poll(() => archivePaths(archive, `staging/${id}/content/`), waiting).toEqual([]);
  expect(archivePaths(archive, "ocfl/")).toEqual(paths);
  await expectSeen(dataset.id, 1, before);
});

/** Counts write requests to the archive. The program is killed at the request with the number `last`. */
function countWrites(last = Number.POSITIVE_INFINITY): { count: () => number; end: () => void } {
  let count = 0;
  const run = () => {
    if (++count === last) program.process.kill("SIGKILL");
  };
  const ends = writes.map((operation) => archive.addFault({ match: { operation }, fault: { run } }));
  return { count: () => count, end: () => ends.forEach((end) => void end()) };
}

test("kill -9 at successive writes: either the version or the previous one is visible, and it finally completes", {
  tags: "extended",
}, async () => {
  fill("crash", 10);
  const { dataset } = await submitAndArchive(program.api, access("crash"));
  let version = 1;
  const change = () => {
    source.put("crash", "plots/1.csv", `measured for version ${version + 1}`);
    source.put("crash", `plots/new-${version}.csv`, "new");
  };
  change();
  const dry = countWrites();
  await submitNextVersion(program.api, access("crash"), dataset);
  version++;
  await expect
    .poll(() => archivePaths(archive, "staging/").filter((path) => path.includes(dataset.id)), waiting)
    .toEqual([]);
  const total = dry.count();
  dry.end();
  let kills = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    // Denser towards the end, where the version is published and staged files are removed.
    const moment = Math.max(1, Math.round(total * (1 - (1 - kill / KILLS) ** 2)));
    const before = await contentDigests(source, "crash");
    change();
    const counted = countWrites(moment);
    const { id } = await program.api.submit(access("crash"), { dataset: { id: dataset.id } });
    const isOver = async () =>
      program.process.signalCode !== null ||
      (await program.api.submission(id).catch(() => ({ status: "gone" }))).status === "completed";
    await vi.waitUntil(isOver, waiting);
    counted.end();
    if (program.process.signalCode === "SIGKILL") {
      kills++;
      await expectOneOf(dataset.id, version, before, await contentDigests(source, "crash"));
      program = await startProgram(data, archiveSettings(archive.endpoint));
    }
    expect((await program.api.until(id, ["completed"])).dataset?.version).toBe(++version);
    await expectSeen(dataset.id, version, await contentDigests(source, "crash"));
    expect(archive.uploads(archiveBucket), String(moment)).toEqual([]);
  }
  expect(kills).toBeGreaterThanOrEqual(KILLS - 2);
});

/** Expects that the root inventory is that of a version, and that all files that it names exist. */
async function expectOneOf(
  dataset: string,
  version: number,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<void> {
  expect(visibleDatasets(archivePaths(archive)).length).toBeGreaterThan(0);
  await using seen = await downloadVisible(archive);
  const shown = await expectContents(seen.folder, dataset, version, before).then(
    () => version,
    () => version + 1,
  );
  if (shown > version) await expectContents(seen.folder, dataset, shown, after);
}
