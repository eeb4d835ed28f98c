import { randomUUID } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { copyArchive } from "../../src/archive/copying/copy.ts";
import { type CopyTarget, FolderTarget } from "../../src/archive/copying/copy-target.ts";
import { FolderReader } from "../../src/archive/reader.ts";
import { S3Target } from "../../src/archive/s3/copy-target.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { findPackage } from "../support/archive/package.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archivePrefix,
  archiveSettings,
} from "../support/archive/s3-archive.ts";
import { jsonLines, runCommand, runProgram } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const BUCKETS = ["one", "two", "three"];
let server: S3Server;
let service: TestService;
let back: string;
const datasets: string[] = [];

beforeAll(async () => {
  server = await startS3Server();
  server.addAccount(keys);
  server.addAccount(archiveKeys);
  server.createBucket(archiveBucket);
  service = await startTestService();
  back = await mkdtemp(join(tmpdir(), "accession-back-"));
  for (const bucket of BUCKETS) {
    server.createBucket(bucket);
    for (const key of ["a.csv", "b/ä c+%.csv", "b//odd", "k".repeat(300)])
      server.put(bucket, key, `${bucket} ${key}\n`);
    server.put(bucket, "empty", "");
    server.put(bucket, "large.bin", { seed: bucket, size: 20 * 2 ** 20 });
    const { id } = await service.api.submit({ endpoint: server.endpoint, bucket, ...keys });
    datasets.push((await service.api.until(id, ["completed"])).dataset?.id ?? "");
  }
  await service.api.post(`/dataset/${datasets[2]}/withdraw`, { reason: "consent" });
  const removed = async () => (await service.api.get(`/dataset/${datasets[2]}`)).json.tombstone?.removedAt != null;
  await vi.waitUntil(removed, { interval: 50 });
});
afterAll(async () => {
  await service?.stop();
  await server?.close();
  await rm(back, { recursive: true, force: true });
});

const inBucket = `s3://${archiveBucket}/${archivePrefix}`;

async function copy(
  from: string,
  to: string,
): Promise<{ code: number; lines: Record<string, unknown>[]; text: string }> {
  const { ACCESSION_ARCHIVE: _, ...s3 } = archiveSettings(server.endpoint);
  const inS3 = [from, to].some((place) => place.startsWith("s3:"));
  const { code, stdout, stderr } = await runProgram(["archive", "copy", from, to], inS3 ? { env: s3 } : {});
  return { code, lines: jsonLines(stdout), text: stdout + stderr };
}

/** Paths of all files except staged ones. */
async function treeOf(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)));
  // A copy has only the number of the last change.
  const [lastChange] = files
    .filter((path) => path.startsWith("changes/"))
    .sort()
    .reverse();
  const copied = files.filter((path) => !path.startsWith("changes/") || path === lastChange);
  return copied.filter((path) => !path.startsWith("staging/")).sort();
}

const states = (lines: Record<string, unknown>[]) => lines.flatMap(({ state }) => (state === undefined ? [] : [state]));

test("an archive is copied into a bucket and back byte for byte, with withdrawn datasets and keys", async () => {
  const there = await copy(service.archive, inBucket);
  expect([there.code, states(there.lines)], there.text).toEqual([0, ["copied", "copied"]]);
  expect(there.lines.at(-1)).toMatchObject({ ok: true, copied: 2, skipped: 0, damaged: 0 });
  expect(archivePaths(server).sort()).toEqual(await treeOf(service.archive));
  expect(server.uploads(archiveBucket)).toEqual([]);

  const again = await copy(inBucket, back);
  expect([again.code, states(again.lines)], again.text).toEqual([0, ["copied", "copied"]]);
  const files = await treeOf(service.archive);
  expect(await treeOf(back)).toEqual(files);
  for (const path of files) {
    expect((await readFile(join(back, path))).equals(await readFile(join(service.archive, path))), path).toBe(true);
  }
  expect(await checkRoot(join(back, "ocfl"))).toMatchObject({ findings: [], objects: 2 });
  expect(await readdir(join(back, "staging"))).toEqual([]);
  expect(there.text + again.text).not.toContain(archiveKeys.secretKey);
});

test("existing datasets are skipped, and an interrupted dataset is copied again", async () => {
  const [object = ""] = archivePaths(server, "ocfl/").filter((path) => /[0-9a-f]{128}\/inventory\.json$/.test(path));
  server.remove(archiveBucket, `${archivePrefix}/${object}`);
  server.put(archiveBucket, `${archivePrefix}/${object.replace("inventory.json", "v1/content/data/left-over")}`, "x");
  const { code, lines } = await copy(service.archive, inBucket);
  expect([code, states(lines).sort()]).toEqual([0, ["copied", "skipped"]]);
  expect(archivePaths(server).sort()).toEqual(await treeOf(service.archive));
});

test("a damaged dataset is reported and not copied; the others are copied", async () => {
  const { folder } = await findPackage(back, datasets[0] ?? "");
  await appendFile(join(folder, "v1/content/data/a.csv"), "spoilt");
  const target = await mkdtemp(join(tmpdir(), "accession-damaged-"));
  try {
    const { code, lines } = await copy(back, target);
    expect([code, states(lines).sort()]).toEqual([1, ["copied", "damaged"]]);
    expect(lines.find(({ state }) => state === "damaged")?.detail).toBe(
      "v1/content/data/a.csv does not have the SHA-512 that its manifest states",
    );
    expect(await checkRoot(join(target, "ocfl"))).toMatchObject({ findings: [], objects: 1 });
    const other = await copy(back, inBucket);
    expect([other.code, states(other.lines).sort()]).toEqual([1, ["damaged", "skipped"]]);
  } finally {
    await rm(target, { recursive: true, force: true });
  }
});

test("a source that is not an archive is an error", async () => {
  const empty = await mkdtemp(join(tmpdir(), "accession-empty-"));
  const { code, text } = await copy(empty, join(back, "elsewhere"));
  expect(code).toBe(1);
  expect(text).toContain("The source is not an archive");
  await rm(empty, { recursive: true });
});

describe("a target that overlaps with its source", () => {
  const within = (...parts: string[]) => join(service.archive, ...parts);
  let links: string;
  beforeAll(async () => {
    links = await mkdtemp(join(tmpdir(), "accession-links-"));
    await symlink(service.archive, join(links, "whole"));
    await symlink(within("ocfl"), join(links, "root"));
    // An archive whose storage root is on another disk.
    await mkdir(join(links, "linked"));
    await symlink(within("ocfl"), join(links, "linked", "ocfl"));
  });
  afterAll(() => rm(links, { recursive: true }));

  test.each<[string, () => [from: string, to: string], RegExp]>([
    ["the source itself", () => [within(), within()], /is the source itself/],
    ["the source with another spelling", () => [within(), `${within("ocfl")}/..//.`], /is the source itself/],
    ["a folder in its storage root", () => [within(), within("ocfl", "sub")], /is inside the source/],
    ["a folder that is missing, deep in it", () => [within(), within("a", "b", "c")], /is inside the source/],
    ["a folder in staging", () => [within(), within("staging", "copy")], /is inside the source/],
    ["a folder that contains the source", () => [within(), service.data], /contains the source/],
    ["the source through a link", () => [within(), join(links, "whole")], /is the source itself/],
    ["a folder in the source through a link", () => [within(), join(links, "root", "sub")], /is inside the source/],
    ["the source, given as a link", () => [join(links, "whole"), within("sub")], /is inside the source/],
    ["an archive with the same storage root", () => [join(links, "linked"), within()], /shares a folder/],
    ["the source in a bucket", () => [inBucket, `${inBucket}/`], /is the source itself/],
    ["a prefix in the source", () => [inBucket, `${inBucket}/ocfl/sub`], /is inside the source/],
    ["a prefix that contains the source", () => [inBucket, `s3://${archiveBucket}/lab`], /contains the source/],
    ["the whole bucket", () => [inBucket, `s3://${archiveBucket}`], /contains the source/],
  ])("is refused, and nothing is written: %s", async (_, places, sentence) => {
    const names = async () =>
      [...(await readdir(service.data)), ...(await readdir(within(), { recursive: true }))].sort();
    const before = await names();
    const writes = () => server.history.filter(({ operation }) => !/^(get|head|list)/.test(operation)).length;
    const written = writes();
    const { code, text } = await copy(...places());
    expect([code, text]).toEqual([2, expect.stringMatching(sentence)]);
    expect(writes()).toBe(written);
    expect(await names()).toEqual(before);
  });

  test("is not a prefix with the same beginning", () => expectCopied(inBucket, `${inBucket}7`));
  test("is not a folder with the same beginning", { tags: "extended" }, () =>
    expectCopied(within(), `${service.archive}7`),
  );

  async function expectCopied(from: string, to: string): Promise<void> {
    expect((await copy(from, to)).code).toBe(0);
    await rm(to, { recursive: true, force: true });
    for (const key of server.keys(archiveBucket)) if (key.startsWith("lab/20267")) server.remove(archiveBucket, key);
  }
});

test.each([
  ["a file", "export", ["--format", "ris", "--output"]],
  ["a folder", "export", ["--format", "bagit", "--output"]],
  ["a ZIP", "export", ["--format", "bagit", "--output"], ".zip"],
])("the command does not write %s into an archive", { tags: "extended" }, async (_, verb, options, suffix = "") => {
  for (const at of [["ocfl", "sub"], ["staging", "x"], ["x"]]) {
    const target = join(service.archive, ...at) + suffix;
    const env = { ACCESSION_URL: service.url };
    const { code, stderr } = await runCommand([verb, datasets[0] ?? "", ...options, target], service.data, { env });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/is inside the archive .*--output/)]);
  }
  expect(await checkRoot(join(service.archive, "ocfl"))).toMatchObject({ findings: [] });
});

describe.each<
  [string, () => Promise<{ open: (renewMs?: number) => Promise<CopyTarget>; lock: (text: string) => Promise<unknown> }>]
>([
  [
    "a folder",
    async () => {
      const root = await mkdtemp(join(tmpdir(), "accession-target-"));
      return {
        open: async (renewMs = 200) => new FolderTarget(root, renewMs),
        async lock(text) {
          await mkdir(join(root, "staging"), { recursive: true });
          await writeFile(join(root, "staging/copy.lock"), text);
        },
      };
    },
  ],
  [
    "a bucket",
    async () => {
      const prefix = randomUUID();
      const { endpoint } = server;
      const place = { bucket: archiveBucket, prefix, endpoint, region: "us-east-1", credentials: archiveKeys };
      return {
        open: (renewMs = 200) => S3Target.open(place, renewMs),
        lock: async (text) => void server.put(archiveBucket, `${prefix}/staging/copy.lock`, text),
      };
    },
  ],
])("into %s", { tags: "extended" }, (_, make) => {
  let target: Awaited<ReturnType<typeof make>>;
  let from: FolderReader;
  const run = async (to: CopyTarget) => (await Array.fromAsync(copyArchive(from, to))).map(({ state }) => state);
  const filesIn = async (to: CopyTarget, below: string) =>
    (await Array.fromAsync(to.list(below))).map(({ path }) => path).sort();

  beforeEach(async () => {
    target = await make();
    from = new FolderReader(service.archive);
  });

  test("two concurrent runs: one copies, the other is refused and changes nothing", async () => {
    // On a loaded machine a lock that is renewed every 200 ms can expire.
    const [one, other] = [await target.open(1_000), await target.open(1_000)];
    const ends = await Promise.allSettled([run(one), run(other)]);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    const reasons = ends.flatMap((end) => (end.status === "rejected" ? [String(end.reason)] : []));
    expect(reasons.join()).toContain("Another run is copying into the same archive");
    await one.close();
    await other.close();
    const again = await target.open();
    expect(await run(again)).toEqual(["skipped", "skipped"]);
    await again.close();
    expect(await filesIn(again, "staging").catch(() => [])).toEqual([]);
  });

  test("a run that begins long after another one is refused", async () => {
    const one = await target.open();
    await one.prepare();
    const other = await target.open();
    await expect(other.prepare()).rejects.toThrow("Another run is copying into the same archive");
    await other.close();
    expect(await run(one).catch((error: Error) => error.message)).toContain("Another run is copying");
    await one.close();
  });

  test("the lock of a run that has stopped is taken over", async () => {
    await target.lock("of a stopped run 7\n");
    const to = await target.open();
    expect(await run(to)).toEqual(["copied", "copied"]);
    await to.close();
    expect(await run(await target.open())).toEqual(["skipped", "skipped"]);
  });

  test("a run whose lock was taken over writes and removes nothing afterwards", async () => {
    const to = await target.open();
    await to.prepare();
    await target.lock("of another run 1\n");
    const object = `ocfl/abc/abc/abc/${"abc".repeat(42)}ab`;
    await sleep(800);
    await expect(to.begin(object)).rejects.toThrow("Another run is copying");
    await expect(to.put(`${object}/x`, 1, bytesOf("x"))).rejects.toThrow("Another run is copying");
    // In a folder, a run drops only its own temporary files.
    if (to instanceof S3Target) await expect(to.drop(object)).rejects.toThrow("Another run is copying");
    await to.close();
  });

  test("a visible dataset is neither begun again nor dropped", async () => {
    const to = await target.open(1_000);
    expect(await run(to)).toEqual(["copied", "copied"]);
    await to.close();
    const late = await target.open(1_000);
    await late.prepare();
    const before = await filesIn(late, "ocfl");
    const object = dirname(before.find((path) => /\w{128}\/inventory\.json$/.test(path)) ?? "");
    await expect(late.begin(object)).rejects.toThrow("by another process");
    // In a folder it would be written to a temporary path that no other run uses.
    const inventory = `${object}/inventory.json`;
    if (late instanceof S3Target) await expect(late.put(inventory, 1, bytesOf("x"))).rejects.toThrow("another process");
    else await expect(late.publish(object)).rejects.toThrow();
    await late.drop(object);
    expect(await filesIn(late, "ocfl")).toEqual(before);
    await late.close();
  });
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
