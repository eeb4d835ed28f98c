import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { FolderStore } from "../../src/archive/folder/store.ts";
import { type Api, goodMetadata } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import {
  type Archived,
  contentDigests,
  expectContents,
  expectDownloads,
  expectValid,
  fullyReadKeys,
  submitAndArchive,
  submitNextVersion,
} from "../support/archive/archived-versions.ts";
import { findPackage } from "../support/archive/package.ts";
import { readZip } from "../support/archive/package-formats.ts";
import { apiReader, SourceTracker } from "../support/data-source/source-tracker.ts";
import { checkInvariants } from "../support/invariants/invariants.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let service: TestService;
let api: Api;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.createBucket("spare");
  for (const [key, content] of Object.entries(small)) s3.put("spare", key, content);
  service = await startTestService({ ACCESSION_QUOTA_BYTES: "2000000" });
  api = service.api;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

afterEach(() => s3.clearFaults());

const access = (bucket: string, endpoint = s3.endpoint) => ({ endpoint, bucket, ...keys });

/** Fills a bucket, archives it, and clears the history of requests. */
async function first(bucket: string, contents: Record<string, string>): Promise<Archived> {
  s3.createBucket(bucket);
  for (const [key, content] of Object.entries(contents)) s3.put(bucket, key, content);
  const taken = await submitAndArchive(api, access(bucket));
  s3.clearHistory();
  return taken;
}

const small = { "a.csv": "one", "b/c.csv": "two", "b//odd": "three" };
const refused = async (bucket: string, id: string) => {
  const body = { metadata: goodMetadata, s3Access: access(bucket), dataset: { id } };
  const { status, json } = await api.post("/submission/upload/s3upload", body);
  return [status, json.code];
};

test("an object that is overwritten with one of the same size is read again, even if all ETags of the bucket are empty", async () => {
  s3.createBucket("untagged");
  // Times have whole seconds.
  const before = { etag: "", lastModified: new Date("2026-05-01") };
  for (const key of ["a.csv", "b.csv"]) s3.put("untagged", key, "one", before);
  const taken = await submitAndArchive(api, access("untagged"));
  s3.put("untagged", "a.csv", "two", { etag: "" });
  const next = await submitNextVersion(api, access("untagged"), taken.dataset);
  const { files } = await findPackage(service.archive, next.dataset.id);
  expect(await readFile(files.get("data/a.csv")?.file ?? "", "utf8")).toBe("two");
  expect(await readFile(files.get("data/b.csv")?.file ?? "", "utf8")).toBe("one");
});

test("every version is downloaded unchanged, whichever version contains the bytes", async () => {
  const { dataset } = await first("downloaded", { ...small, "gone.csv": "gone" });
  s3.put("downloaded", "a.csv", "another");
  s3.put("downloaded", "copy.csv", "two");
  s3.remove("downloaded", "gone.csv");
  await submitNextVersion(api, access("downloaded"), dataset);
  const versions = [
    { ...small, "gone.csv": "gone" },
    { ...small, "a.csv": "another", "copy.csv": "two" },
  ];
  for (const [index, contents] of versions.entries()) {
    const at = `${service.url}/dataset/${dataset.id}`;
    const version = `version=${index + 1}`;
    const files = (await (await fetch(`${at}/files?prefix=data/&${version}`)).json()) as {
      path: string;
      key?: string;
    }[];
    const bodies = await Promise.all(
      files.map(async ({ path }) =>
        (await fetch(`${at}/files/${path.split("/").map(encodeURIComponent).join("/")}?${version}`)).text(),
      ),
    );
    expect(bodies.toSorted()).toEqual(Object.values(contents).toSorted());
    const zip = await readZip(Buffer.from(await (await fetch(`${at}/export/bagit?${version}`)).arrayBuffer()));
    const payload = [...zip]
      .filter(([name]) => /^[^/]+\/data\/.*[^/]$/.test(name))
      .map(([, content]) => content.toString());
    expect(payload.toSorted()).toEqual(Object.values(contents).toSorted());
    const range = await fetch(`${at}/files/data/b/c.csv?${version}`, { headers: { range: "bytes=1-" } });
    expect([range.status, await range.text()]).toEqual([206, "wo"]);
  }
});

describe("the preview of a new version", () => {
  const preview = async (bucket: string, id: string, more: object = {}) => {
    const { status, json } = await api.post("/submission/upload/s3preview", {
      ...access(bucket),
      dataset: { id },
      ...more,
    });
    return { status, json };
  };

  test("counts new, changed, unchanged and removed objects, and estimates only the bytes to read", async () => {
    const { dataset } = await first("previewed", { ...small, "gone.csv": "gone", "same size.csv": "abc" });
    s3.put("previewed", "a.csv", "another");
    s3.put("previewed", "same size.csv", "xyz");
    s3.put("previewed", "new.csv", "12345678");
    s3.remove("previewed", "gone.csv");
    const { status, json } = await preview("previewed", dataset.id);
    expect([status, json.objects, json.bytes]).toEqual([200, 5, 26]);
    expect(json.changes).toEqual({
      since: 1,
      sameSource: true,
      added: { objects: 1, bytes: 8 },
      changed: { objects: 2, bytes: 10 },
      unchanged: { objects: 2, bytes: 8 },
      removed: { objects: 1, bytes: 4 },
      toRead: { objects: 3, bytes: 18 },
    });
    const command = ["preview", s3.endpoint, "previewed", "--dataset", dataset.id];
    const secrets = { ACCESSION_ACCESS_KEY: keys.accessKey, ACCESSION_SECRET_KEY: keys.secretKey };
    const run = await runCommand(command, service.data, { env: { ACCESSION_URL: service.url, ...secrets } });
    expect(run.lines).toMatchObject([{ changes: json.changes }]);
    const { json: none } = await preview("previewed", dataset.id, { selection: { include: ["b/**"] } });
    expect(none.changes).toMatchObject({
      toRead: { objects: 0, bytes: 0 },
      removed: { objects: 3, bytes: 10 },
    });
    expect(none.estimatedSeconds).toBe(1);
    // The resulting version matches the preview.
    await submitNextVersion(api, access("previewed"), dataset);
    expect(fullyReadKeys(s3)).toEqual(["a.csv", "new.csv", "same size.csv"]);
    const after = await preview("previewed", dataset.id);
    expect(after.json.changes).toMatchObject({
      since: 2,
      unchanged: { objects: 5, bytes: 26 },
      toRead: { objects: 0 },
    });
  });

  test("of another bucket, or with `refetch`, counts all objects as objects to read", async () => {
    const { dataset } = await first("previewed-before", small);
    for (const { json } of [
      await preview("spare", dataset.id),
      await preview("previewed-before", dataset.id, { selection: { refetch: true } }),
    ]) {
      expect(json.changes).toMatchObject({
        sameSource: false,
        added: { objects: 0 },
        changed: { objects: 3, bytes: 11 },
        unchanged: { objects: 0, bytes: 0 },
        removed: { objects: 0, bytes: 0 },
        toRead: { objects: 3, bytes: 11 },
      });
    }
  });

  test("is available only for an existing dataset of the caller", async () => {
    const { dataset } = await first("previewed-own", small);
    const missing = await preview("spare", "00000000-0000-4000-8000-000000000000");
    expect([missing.status, missing.json.code]).toEqual([404, "not_found"]);
    for (const wrong of [{ dataset: { id: 7 } }, { dataset: "x" }, { dataset: { id: dataset.id, x: 1 } }]) {
      const { status, json } = await preview("spare", "", wrong);
      expect([status, json.code]).toEqual([422, "invalid_request"]);
      expect(json.errors[0].pointer).toMatch(/^\/dataset/);
    }
    await api.post(`/dataset/${dataset.id}/withdraw`, { reason: "a test" });
    expect((await preview("spare", dataset.id)).json.code).toBe("dataset_withdrawn");
  });
});

describe("the content that a version reuses from the previous one", () => {
  test("is listed in its manifest with the version in which it was verified, also in a third version", {
    tags: "extended",
  }, async () => {
    const { dataset } = await first("thrice", small);
    s3.put("thrice", "a.csv", "another");
    await submitNextVersion(api, access("thrice"), dataset);
    await submitNextVersion(api, access("thrice"), dataset);
    const { manifest } = await findPackage(service.archive, dataset.id);
    const verified = manifest.map(({ key, verifiedIn, contentPath }) => [key, verifiedIn, contentPath]);
    expect(verified).toEqual([
      ["a.csv", 2, "v2/content/data/a.csv"],
      ["b//odd", 1, "v1/content/data/%keys/b/%2F/odd%"],
      ["b/c.csv", 1, "v1/content/data/b/c.csv"],
    ]);
    expect(fullyReadKeys(s3)).toEqual(["a.csv"]);
    await expectValid(service.archive);
  });

  test("is complete if nothing changed: a version with different metadata", { tags: "extended" }, async () => {
    const { dataset } = await first("same", small);
    const metadata = { ...goodMetadata, title: "Barley roots, with their right title" };
    const { id } = await submitNextVersion(api, access("same"), dataset, { metadata });
    expect(fullyReadKeys(s3)).toEqual([]);
    const { changes, sourceMayBeDeleted } = await api.receipt(id);
    expect(changes).toMatchObject({ added: { total: 0 }, removed: { total: 0 }, kept: { total: 3, notRead: 3 } });
    expect(sourceMayBeDeleted).toBe("yes");
    const { json } = await api.get(`/dataset/${dataset.id}`);
    expect(json).toMatchObject({ title: metadata.title, version: 2, versions: [{ version: 2 }, { version: 1 }] });
    await expectValid(service.archive);
  });

  test("is empty with refetch, and no content is stored twice", async () => {
    const { dataset } = await first("again", small);
    const { id } = await submitNextVersion(api, access("again"), dataset, { selection: { refetch: true } });
    expect(fullyReadKeys(s3)).toEqual(Object.keys(small).toSorted());
    expect((await api.receipt(id)).changes?.kept).toEqual({ total: 3, notRead: 0 });
    const { folder, manifest } = await findPackage(service.archive, dataset.id);
    expect(await readdir(join(folder, "v2/content"))).not.toContain("data");
    expect(manifest.every(({ verifiedIn }) => verifiedIn === undefined)).toBe(true);
    await expectDownloads(api, dataset.id, 2, await contentDigests(s3, "again"));
    await expectValid(service.archive);
  });

  test("is empty for another bucket with the same name and ETags", { tags: "extended" }, async () => {
    const { dataset } = await first("moved", small);
    await using other = await startS3Server();
    other.addAccount(keys);
    other.createBucket("moved");
    for (const [key, content] of Object.entries(small)) other.put("moved", key, content);
    await submitNextVersion(api, access("moved", other.endpoint), dataset);
    expect(fullyReadKeys(other)).toEqual(Object.keys(small).toSorted());
  });

  test("excludes objects that were written again and whose ETag is not a digest", { tags: "extended" }, async () => {
    s3.createBucket("opaque");
    for (const key of ["x", "y"]) s3.put("opaque", key, "first", { etag: "the-same-for-all" });
    const { dataset } = await submitAndArchive(api, access("opaque"));
    s3.put("opaque", "x", "other", { etag: "the-same-for-all", lastModified: new Date("2027-01-01T00:00:00Z") });
    s3.clearHistory();
    const { id } = await submitNextVersion(api, access("opaque"), dataset);
    expect(fullyReadKeys(s3)).toEqual(["x"]);
    expect((await api.receipt(id)).sourceMayBeDeleted).toBe("no");
    await expectContents(service.archive, dataset.id, 2, await contentDigests(s3, "opaque"));
  });

  test("includes all objects that were written again and whose ETag is a digest, also if a checksum verified them", async () => {
    s3.createBucket("synced");
    const put = (lastModified: Date) => {
      s3.put("synced", "crc64nvme", "by crc64nvme", { checksum: "crc64nvme", lastModified });
      s3.put("synced", "md5", "by MD5", { lastModified });
      s3.put("synced", "opaque", "by sha256", { checksum: "sha256", etag: "of-the-server", lastModified });
      s3.put("synced", "sha256", "by sha256", { checksum: "sha256", lastModified });
    };
    put(new Date("2026-01-01T00:00:00Z"));
    const { dataset } = await submitAndArchive(api, access("synced"));
    put(new Date("2027-01-01T00:00:00Z"));
    s3.clearHistory();
    const { id } = await submitNextVersion(api, access("synced"), dataset);
    expect(fullyReadKeys(s3)).toEqual(["opaque"]);
    expect((await api.receipt(id)).changes?.kept).toEqual({ total: 4, notRead: 3 });
    const { manifest } = await findPackage(service.archive, dataset.id);
    const proven = manifest.map(({ key, verifiedBy, etagIsDigest }) => [key, verifiedBy, etagIsDigest]);
    expect(proven).toEqual([
      ["crc64nvme", "checksum", true],
      ["md5", "md5", undefined],
      ["opaque", "checksum", undefined],
      ["sha256", "checksum", true],
    ]);
  });

  test("includes content under another key; a removed object can be added again", { tags: "extended" }, async () => {
    const { dataset } = await first("renamed", { ...small, "to-be-renamed": "kept once" });
    const contents = [await contentDigests(s3, "renamed")];
    s3.remove("renamed", "to-be-renamed");
    s3.put("renamed", "has-its-new-name", "kept once");
    s3.put("renamed", "b//odd", "odd, and changed");
    contents.push(await contentDigests(s3, "renamed"));
    const { id } = await submitNextVersion(api, access("renamed"), dataset);
    expect((await api.receipt(id)).changes).toMatchObject({
      added: { keys: ["has-its-new-name"] },
      removed: { keys: ["to-be-renamed"] },
    });
    const { manifest } = await findPackage(service.archive, dataset.id);
    expect(manifest.find(({ key }) => key === "has-its-new-name")?.contentPath).toBe("v1/content/data/to-be-renamed");
    s3.put("renamed", "to-be-renamed", "kept once");
    contents.push(await contentDigests(s3, "renamed"));
    const third = await submitNextVersion(api, access("renamed"), dataset);
    expect((await api.receipt(third.id)).changes?.added.keys).toEqual(["to-be-renamed"]);
    await expectContents(service.archive, dataset.id, 3, await contentDigests(s3, "renamed"));
    for (const version of [1, 2, 3])
      await expectDownloads(api, dataset.id, version, contents[version - 1] ?? new Map());
    await expectValid(service.archive);
  });

  test("excludes files that the archive has lost; they are read and stored again", { tags: "extended" }, async () => {
    const { dataset } = await first("lost", small);
    const { folder } = await findPackage(service.archive, dataset.id);
    await rm(join(folder, "v1/content/data/a.csv"));
    const { id } = await api.submit(access("lost"), { dataset: { id: dataset.id } });
    const { failure } = await api.until(id, ["failed"]);
    expect(failure).toMatchObject({ code: "verification_failed", message: expect.stringContaining("a.csv") });
    await submitNextVersion(api, access("lost"), dataset, { selection: { refetch: true } });
    expect(await readFile(join(folder, "v2/content/data/a.csv"), "utf8")).toBe("one");
    await writeFile(join(folder, "v1/content/data/a.csv"), "one");
    await expectValid(service.archive);
  });
});

test("an object that is excluded from a version stays in the previous one", { tags: "extended" }, async () => {
  const { dataset } = await first("cold", small);
  s3.put("cold", "a.csv", "cannot be read");
  const cold = s3.addFault({
    match: { bucket: "cold", key: "a.csv", operation: "get" },
    fault: { status: 403, code: "AccessDenied" },
  });
  const { id } = await api.submit(access("cold"), { dataset: { id: dataset.id } });
  await api.until(id, ["waiting"]);
  expect((await api.post(`/submission/${id}/exclude`, { keys: ["a.csv"], reason: "it is lost" })).status).toBe(202);
  await api.until(id, ["completed"]);
  cold();
  const receipt = await api.receipt(id);
  expect(receipt).toMatchObject({
    counts: { listed: 3, stored: 2, excluded: 1 },
    changes: { removed: { total: 1, keys: ["a.csv"] }, kept: { total: 2, notRead: 2 } },
    sourceMayBeDeleted: "no",
  });
  const third = await submitNextVersion(api, access("cold"), dataset);
  expect((await api.receipt(third.id)).changes?.added.keys).toEqual(["a.csv"]);
  await expectValid(service.archive);
});

describe("a version is refused", () => {
  test("while another one is in progress, and accepted after that is cancelled, which does not change the previous version", async () => {
    const { dataset } = await first("busy", small);
    const before = await contentDigests(s3, "busy");
    s3.put("busy", "z.csv", "never read");
    const held = s3.hold({ bucket: "busy", key: "z.csv", operation: "get" });
    const { id } = await api.submit(access("busy"), { dataset: { id: dataset.id } });
    expect(await refused("busy", dataset.id)).toEqual([409, "dataset_busy"]);
    const withdrawal = await api.post(`/dataset/${dataset.id}/withdraw`, { reason: "r" });
    expect([withdrawal.status, withdrawal.json.code]).toEqual([409, "dataset_busy"]);
    expect((await api.post(`/submission/${id}/cancel`)).status).toBe(202);
    held.release();
    await vi.waitUntil(async () => !(await readdir(join(service.archive, "staging"))).includes(id));
    await expectContents(service.archive, dataset.id, 1, before);
    await expectValid(service.archive);
    expect((await submitNextVersion(api, access("busy"), dataset)).dataset.version).toBe(2);
  });

  test("for all but one of several concurrent requests", async () => {
    const { dataset } = await first("at-once", small);
    const all = await Promise.all(Array.from({ length: 6 }, () => refused("at-once", dataset.id)));
    expect(all.filter(([status]) => status === 202)).toHaveLength(1);
    expect(all.filter(([, code]) => code === "dataset_busy")).toHaveLength(5);
    await vi.waitUntil(async () => (await api.get(`/dataset/${dataset.id}`)).json.version === 2);
  });

  test.each(["../x", "00000000-0000-4000-8000-000000000000", "%00", "urn:uuid:x"])(
    "of a dataset that does not exist: %s",
    async (id) => {
      expect(await refused("spare", id)).toEqual([404, "not_found"]);
    },
  );

  test("of a dataset that was withdrawn, also a retry of one that had failed", async () => {
    const { dataset } = await first("gone", small);
    s3.put("gone", "a.csv", "x");
    const { id } = await failedVersion("gone", dataset.id);
    await api.post(`/dataset/${dataset.id}/withdraw`, { reason: "consent" });
    expect(await refused("gone", dataset.id)).toEqual([410, "dataset_withdrawn"]);
    const { status, json } = await api.post(`/submission/${id}/retry`, { s3Access: access("gone") });
    expect([status, json.code]).toEqual([410, "dataset_withdrawn"]);
  });
});

/** A submission of the next version that failed because it was too large. The bucket is small enough again. */
async function failedVersion(bucket: string, dataset: string): Promise<{ id: string }> {
  s3.put(bucket, "too-much", { seed: "too-much", size: 3_000_000 });
  const { id } = await api.submit(access(bucket), { dataset: { id: dataset } });
  await api.until(id, ["failed"]);
  s3.remove(bucket, "too-much");
  return { id };
}

test("a failed version can be retried, but not after another was published", { tags: "extended" }, async () => {
  const { dataset } = await first("retried", small);
  s3.put("retried", "a.csv", "changed");
  const retried = await failedVersion("retried", dataset.id);
  expect((await api.post(`/submission/${retried.id}/retry`, { s3Access: access("retried") })).status).toBe(202);
  expect((await api.until(retried.id, ["completed"])).dataset?.version).toBe(2);
  const late = await failedVersion("retried", dataset.id);
  await submitNextVersion(api, access("retried"), dataset);
  const { status, json } = await api.post(`/submission/${late.id}/retry`, { s3Access: access("retried") });
  expect([status, json.code]).toEqual([409, "dataset_moved_on"]);
  await expectValid(service.archive);
});

test("a worker that was suspended while it published a version changes nothing after a later one is published", {
  tags: "extended",
}, async () => {
  const { dataset } = await first("frozen", small);
  s3.put("frozen", "a.csv", "second");
  const { id } = await submitNextVersion(api, access("frozen"), dataset);
  s3.put("frozen", "a.csv", "third");
  await submitNextVersion(api, access("frozen"), dataset);
  const store = await FolderStore.open(service.archive, { share: 0, bytes: 0 });
  const receipt = (await api.get(`/submission/${id}/receipt`)).text;
  const late = { submission: id, dataset: dataset.id, version: 2, fence: 1, receipt };
  await store.publish(late);
  await expect(store.publish({ ...late, receipt: "another" })).rejects.toMatchObject({ code: "already_published" });
  await expect(store.publish({ ...late, version: 5 })).rejects.toMatchObject({ code: "already_published" });
  await expect(store.publish({ ...late, version: 4 })).rejects.toThrow("sealed package does not exist");
  await store.close();
  await expectContents(service.archive, dataset.id, 3, await contentDigests(s3, "frozen"));
  await expectValid(service.archive);
});

test("content that a version shares with the previous one is counted once", { tags: "extended" }, async () => {
  const { dataset } = await first("quota", { "large.bin": "x".repeat(1_500_000) });
  const { json } = await api.post("/submission/upload/s3upload", { metadata: goodMetadata, s3Access: access("quota") });
  expect(json.code).toBe("quota_exceeded");
  await submitNextVersion(api, access("quota"), dataset);
  s3.put("quota", "more", "y");
  await submitNextVersion(api, access("quota"), dataset);
});

test("a withdrawal removes all versions; a rebuilt database has all versions and withdrawals", {
  tags: "extended",
}, async () => {
  const { dataset, id: one } = await first("rebuilt", small);
  s3.put("rebuilt", "a.csv", "another");
  s3.put("rebuilt", "copy.csv", "two");
  const { id: two } = await submitNextVersion(api, access("rebuilt"), dataset);
  const { dataset: other } = await first("other", small);
  await submitNextVersion(api, access("other"), other);
  await api.post(`/dataset/${other.id}/withdraw`, { reason: "consent" });
  await vi.waitUntil(async () => (await api.get(`/dataset/${other.id}`)).json.tombstone?.removedAt != null);
  const tombstone = join(service.archive, "withdrawn", other.id);
  expect((await readdir(join(tombstone, "logs"))).toSorted()).toEqual(["v1", "v2"]);
  const answers = () =>
    Promise.all(
      [one, two]
        .flatMap((id) => ["", "/files", "/events", "/receipt"].map((what) => `/submission/${id}${what}`))
        .concat(`/dataset/${dataset.id}`)
        .map(async (path) => (await service.api.get(path)).text),
    );
  const before = await answers();
  await service.restart(async () => {
    await service.recreateDatabase();
    expect((await runCommand(["rebuild"], service.data, { env: service.settings })).code).toBe(0);
  });
  api = service.api;
  expect(await answers()).toEqual(before);
  expect((await api.get(`/dataset/${other.id}`)).json.tombstone.versions).toMatchObject([
    { version: 2 },
    { version: 1 },
  ]);
  s3.clearHistory();
  const third = await submitNextVersion(api, access("rebuilt"), dataset);
  expect(third.dataset.version).toBe(3);
  for (const version of [2, 3]) await expectDownloads(api, dataset.id, version, await contentDigests(s3, "rebuilt"));
  expect(fullyReadKeys(s3)).toEqual([]);
  await expectValid(service.archive);
});

test("the invariants after faults hold for all versions", { tags: "extended" }, async () => {
  await using own = await startTestService();
  s3.createBucket("truth");
  const truth = new SourceTracker(s3, "truth");
  for (const [key, content] of Object.entries(small)) s3.put("truth", key, content);
  s3.clearHistory();
  const one = await submitAndArchive(own.api, access("truth"));
  truth.recordChange("a.csv");
  s3.put("truth", "a.csv", "another");
  const two = await submitNextVersion(own.api, access("truth"), one.dataset);
  const violations = await checkInvariants({
    source: truth.expectedObjects(),
    data: own.data,
    get: apiReader(own.api),
    accepted: [one.id, two.id],
    observed: [],
    history: s3.history,
    secrets: [keys.secretKey],
    logs: [],
  });
  expect(violations).toEqual([]);
});

test("a version of another owner’s dataset is refused like a version of a dataset that does not exist", {
  tags: "extended",
}, async () => {
  await using own = await startTestService(TOKENS);
  const tokens = await Tokens.open(own);
  const [ada, bob] = await Promise.all(["ada", "bob"].map((name) => tokens.create(name, "submitter")));
  const upload = (token: string | undefined, more: object = {}) =>
    own.api.post(
      "/submission/upload/s3upload",
      { metadata: goodMetadata, s3Access: access("spare"), ...more },
      bearer(token ?? ""),
    );
  const { id } = (await upload(ada?.token)).json;
  const dataset = async () => (await own.api.get(`/submission/${id}`, bearer(ada?.token ?? ""))).json.dataset;
  await expect.poll(dataset).not.toBeNull();
  const theirs = { id: (await dataset()).id };
  const nobodys = { id: "00000000-0000-4000-8000-000000000000" };
  const answers = await Promise.all([theirs, nobodys].map((one) => upload(bob?.token, { dataset: one })));
  for (const { status, json } of answers)
    expect({ status, ...json, instance: "" }).toEqual({ ...answers[0]?.json, instance: "" });
  expect(answers[0]?.status).toBe(404);
  expect((await upload(tokens.admin, { dataset: theirs })).status).toBe(404);
  expect((await upload(ada?.token, { dataset: { id: `urn:uuid:${theirs.id}` } })).status).toBe(202);
});

test("the command line creates versions, the audit reads all of them, and a copy of the archive contains all of them", {
  tags: "extended",
}, async () => {
  await using own = await startTestService({ ACCESSION_AUDIT_INTERVAL: "1 second", ACCESSION_AUDIT_SHARE: "100%" });
  const { dataset } = await submitAndArchive(own.api, access("spare"));
  const before = await contentDigests(s3, "spare");
  s3.put("spare", "a.csv", "of the second version");
  const metadata = join(own.data, "metadata.json");
  await writeFile(metadata, JSON.stringify(goodMetadata));
  const env = { ACCESSION_URL: own.url, ACCESSION_ACCESS_KEY: keys.accessKey, ACCESSION_SECRET_KEY: keys.secretKey };
  const words = ["submit", s3.endpoint, "spare", "--metadata", metadata, "--dataset", dataset.id, "--watch"];
  expect((await runCommand(words, own.data, { env })).code).toBe(0);
  await expect
    .poll(async () => (await own.api.get(`/dataset/${dataset.id}`)).json.audit)
    .toMatchObject({ ok: true, files: 3 + 5 + 1 + 5, findings: [] });
  const copy = join(own.data, "copy");
  const copied = await runCommand(["archive", "copy", own.archive, copy], own.data);
  expect([copied.code, copied.stderr]).toEqual([0, expect.anything()]);
  await expectContents(copy, dataset.id, 1, before);
  await expectContents(copy, dataset.id, 2, await contentDigests(s3, "spare"));
  await expectValid(copy);
  const again = await runCommand(
    ["submit", s3.endpoint, "spare", "--metadata", metadata, "--dataset", dataset.id, "--refetch", "--watch"],
    own.data,
    { env },
  );
  expect(again.code).toBe(0);
  const late = await runCommand(["archive", "copy", own.archive, copy], own.data);
  expect(late.code).toBe(1);
  expect(JSON.stringify(late.lines)).toContain("version 2 of this dataset, the source has version 3");
  await expectContents(copy, dataset.id, 2, await contentDigests(s3, "spare"));
});

test("of 10,000 objects 10 changed, 5 removed and 5 new: 15 are read", { tags: "extended" }, async () => {
  const names = Array.from({ length: 10_000 }, (_, n) => `plots/${n % 10}/measurement-${n}.csv`);
  s3.createBucket("large");
  for (const [n, name] of names.entries()) s3.put("large", name, `measurement ${n}`);
  // A separate service, so that no other test processes all of these objects.
  await using own = await startTestService();
  const { dataset } = await submitAndArchive(own.api, access("large"));
  s3.clearHistory();
  const before = await contentDigests(s3, "large");
  const changed = names.slice(100, 110).toSorted();
  const removed = names.slice(500, 505).toSorted();
  const added = Array.from({ length: 5 }, (_, n) => `plots/new/${n}.csv`);
  for (const name of changed) s3.put("large", name, `measured again: ${name}`);
  for (const name of removed) s3.remove("large", name);
  for (const name of added) s3.put("large", name, `new: ${name}`);
  const { id, dataset: second } = await submitNextVersion(own.api, access("large"), dataset);
  expect(second).toEqual({ id: dataset.id, version: 2 });
  expect(fullyReadKeys(s3)).toEqual([...changed, ...added].toSorted());
  await expectContents(own.archive, dataset.id, 1, before);
  await expectContents(own.archive, dataset.id, 2, await contentDigests(s3, "large"));
  await expectValid(own.archive);
  const { folder } = await findPackage(own.archive, dataset.id);
  const stored = await readdir(join(folder, "v2/content/data"), { recursive: true, withFileTypes: true });
  expect(stored.filter((entry) => entry.isFile())).toHaveLength(15);
  const receipt = await own.api.receipt(id);
  expect(receipt.changes).toEqual({
    since: 1,
    added: { total: 5, keys: added },
    changed: { total: 10, keys: changed },
    removed: { total: 5, keys: removed },
    kept: { total: 9_985, notRead: 9_985 },
  });
  expect(receipt.counts).toEqual({ listed: 10_000, stored: 10_000, excluded: 0 });
  expect(receipt.sourceMayBeDeleted).toBe("yes");
  expect(receipt.statement).toContain("9985 files were verified for an earlier version");
});
