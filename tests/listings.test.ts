import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { checkRoot } from "../src/archive/ocfl/check-root.ts";
import { findPackage } from "./support/package.ts";
import { type S3Server, startS3Server } from "./support/s3/server.ts";
import { startTestService, type TestService } from "./support/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "a-secret-that-nobody-sees" };
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService();
});
afterEach(() => {
  s3.clearFaults();
  s3.quirks.backwards = false;
  delete s3.quirks.pageLimit;
  delete s3.quirks.repeatedRows;
});
afterAll(async () => {
  const { findings } = await checkRoot(join(service.archive, "ocfl"));
  await service.stop();
  await s3.close();
  expect(findings).toEqual([]);
});

function bucketOf(name: string, objects: Record<string, string>): Record<string, unknown> {
  s3.createBucket(name);
  for (const [key, body] of Object.entries(objects)) s3.put(name, key, body);
  return { endpoint: s3.endpoint, bucket: name, ...keys };
}

const numbered = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`o/${String(i).padStart(4, "0")}`, `object ${i}`]));
const beside = { a: "1", "a!": "2", "a/b": "3", "a/b/c": "4", "a/b0": "5", b: "6", "b/": "7", "b//c": "8" };

for (const backwards of [false, true]) {
  const how = backwards ? "out of order" : "in order";

  test(`folders of other keys are told from them by a listing that is ${how}, whatever page they are on`, async () => {
    s3.quirks.pageLimit = 3;
    s3.quirks.backwards = backwards;
    const bucket = backwards ? "folders-backwards" : "folders";
    const { id } = await service.api.submit(bucketOf(bucket, beside));
    const { dataset } = await service.api.until(id, ["completed"]);
    const paths = Object.fromEntries((await service.api.files(id)).map(({ key, path }) => [key, path]));
    expect(paths).toEqual({
      a: "data/%keys/a%",
      "a!": "data/a!",
      "a/b": "data/%keys/a/b%",
      "a/b/c": "data/a/b/c",
      "a/b0": "data/a/b0",
      b: "data/%keys/b%",
      "b/": "data/%keys/b/%",
      "b//c": "data/%keys/b/%2F/c%",
    });
    const { files } = await findPackage(service.archive, dataset?.id ?? "");
    for (const path of Object.values(paths)) expect([...files.keys()]).toContain(path);
  });

  test(`what changed is found by a second listing that is ${how}`, async () => {
    s3.quirks.pageLimit = 20;
    s3.quirks.backwards = backwards;
    const bucket = backwards ? "drifting-backwards" : "drifting";
    let isRead = false;
    const access = bucketOf(bucket, numbered(100));
    s3.addFault({
      match: { bucket, operation: "list" },
      fault: {
        run: async () => {
          const submission = id === "" ? undefined : await service.api.submission(id);
          if (isRead || submission?.status !== "verifying") return;
          isRead = true;
          s3.put(bucket, "o/0002", "changed");
          s3.remove(bucket, "o/0004");
          s3.remove(bucket, "o/0099");
          s3.put(bucket, "p", "appeared");
        },
      },
    });
    let id = "";
    ({ id } = await service.api.submit(access));
    const completed = await service.api.until(id, ["completed"]);
    expect(completed.drift.sort((a, b) => (a.key < b.key ? -1 : 1))).toEqual([
      { key: "o/0002", change: "changed" },
      { key: "o/0004", change: "vanished" },
      { key: "o/0099", change: "vanished" },
      { key: "p", change: "appeared" },
    ]);
  });
}

test("a retry keeps what is unchanged, also where the server lists in no order", async () => {
  s3.quirks.pageLimit = 10;
  s3.quirks.backwards = true;
  const access = bucketOf("retried-backwards", numbered(40));
  const match = { bucket: "retried-backwards", operation: "get", key: "o/0030" } as const;
  s3.addFault({ match, fault: { status: 403, code: "AccessDenied" } });
  const { id } = await service.api.submit(access);
  await service.api.until(id, ["waiting"]);
  s3.clearFaults();
  s3.clearHistory();
  await service.api.post(`/submission/${id}/retry`);
  await service.api.until(id, ["completed"]);
  const read = s3.history.filter(({ operation }) => operation === "get").map(({ key }) => key);
  expect(read).toEqual(["o/0030"]);
});

test("a page may end with a key that holds NUL", async () => {
  s3.quirks.pageLimit = 2;
  const { id } = await service.api.submit(bucketOf("nul", { a: "1", "b\0": "2", "c\0c": "3" }));
  await service.api.until(id, ["completed"]);
  expect((await service.api.files(id)).map(({ key }) => key)).toEqual(["a", "b\0", "c\0c"]);
});

for (const backwards of [false, true]) {
  const how = backwards ? "out of order" : "in order";

  test(`a listing ${how} that repeats rows of the page before is taken once, as it was previewed`, async () => {
    Object.assign(s3.quirks, { pageLimit: 10, backwards, repeatedRows: 3 });
    const access = bucketOf(backwards ? "repeated-backwards" : "repeated", numbered(45));
    const preview = await service.api.post("/submission/upload/s3preview", access);
    expect(preview.json).toMatchObject({ complete: true, objects: 45 });
    const { id } = await service.api.submit(access);
    const { progress, drift } = await service.api.until(id, ["completed"]);
    expect([progress.objectsListed, progress.objectsStored, drift]).toEqual([45, 45, []]);
    expect((await service.api.files(id)).length).toBe(45);
  });
}

test("a listing that repeats a key with another size is refused, in the preview and in the submission", async () => {
  Object.assign(s3.quirks, { pageLimit: 10, repeatedRows: 1 });
  const access = bucketOf("contradicting", numbered(25));
  const match = { bucket: "contradicting", operation: "list" } as const;
  s3.addFault({
    match,
    fault: {
      rewrite: (reply) => {
        const xml = String(reply.body);
        if (!xml.includes("<ContinuationToken>")) return;
        reply.body = Buffer.from(xml.replace(/<Size>\d+</, "<Size>1<"));
        reply.headers["content-length"] = String(reply.body.length);
      },
    },
  });
  const refused = await service.api.post("/submission/upload/s3preview", access);
  expect(refused.json).toMatchObject({ code: "listing_invalid" });
  const { id } = await service.api.submit(access);
  const { failure } = await service.api.until(id, ["failed"]);
  expect(failure?.code).toBe("listing_invalid");
});

test("a page that brings nothing new is a loop, whatever its token", async () => {
  s3.quirks.pageLimit = 10;
  const access = bucketOf("nothing-new", numbered(25));
  let row = "";
  let pages = 0;
  s3.addFault({
    match: { bucket: "nothing-new", operation: "list" },
    fault: {
      rewrite: (reply) => {
        row ||= /<Contents>.*?<\/Contents>/.exec(String(reply.body))?.[0] ?? "";
        // The check and the first two pages are as they should be.
        if (++pages <= 3) return;
        const next = `<IsTruncated>true</IsTruncated><NextContinuationToken>${pages}</NextContinuationToken>`;
        reply.status = 200;
        reply.body = Buffer.from(`<ListBucketResult>${next}<KeyCount>1</KeyCount>${row}</ListBucketResult>`);
        reply.headers["content-length"] = String(reply.body.length);
      },
    },
  });
  const { id } = await service.api.submit(access);
  const { failure } = await service.api.until(id, ["failed"]);
  expect([failure?.code, pages < 10]).toEqual(["listing_loop", true]);
});
