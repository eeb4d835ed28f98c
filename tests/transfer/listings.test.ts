import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { checkBucket, type components, createClient } from "../../packages/client/src/index.ts";
import { type Reply, type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { goodMetadata } from "../support/api/api.ts";
import { findPackage } from "../support/archive/package.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
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

/** Longer than the service waits for any other response. */
const SLOW_MS = 32_000;

test("a bucket whose listing begins after half a minute is checked, previewed and archived", {
  tags: "extended",
  timeout: 300_000,
}, async () => {
  const access = bucketOf("slow", numbered(3));
  s3.addFault({ match: { operation: "list", bucket: "slow" }, fault: { delay: SLOW_MS } });
  const client = createClient({ baseUrl: service.url });
  const told: string[] = [];
  const onStep = ({ detail }: { detail: string }) => void told.push(detail);
  const submit = () =>
    service.api.post(
      "/submission/upload/s3upload",
      { metadata: goodMetadata, s3Access: access },
      { "idempotency-key": "slow" },
    );
  const [report, preview, { json: accepted }, { json: again }] = await Promise.all([
    checkBucket(client, access as components["schemas"]["CheckRequest"], { onStep }),
    service.api.post("/submission/upload/s3preview", access),
    submit(),
    submit(),
  ]);
  const { id } = accepted;
  // A request that repeats another one waits for it, however long that takes.
  expect(again.id).toBe(id);
  expect(report.message).toBe("Connection successful");
  expect(told.filter((detail) => detail.endsWith("The check waits up to 2 minutes")).length).toBeGreaterThanOrEqual(2);
  expect(preview.json).toMatchObject({ complete: true, objects: 3 });
  await service.api.until(id, ["completed"]);
  expect(await service.api.files(id)).toHaveLength(3);
});

for (const backwards of [false, true]) {
  const how = backwards ? "out of order" : "in order";

  test(`a listing that is ${how} distinguishes keys from folders of other keys, also on different pages`, async () => {
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

  test(`a second listing that is ${how} finds changes`, { tags: "extended" }, async () => {
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

test("a retry keeps unchanged objects, also with an unordered listing", async () => {
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

test("a page may end with a key that contains NUL", async () => {
  s3.quirks.pageLimit = 2;
  const { id } = await service.api.submit(bucketOf("nul", { a: "1", "b\0": "2", "c\0c": "3" }));
  await service.api.until(id, ["completed"]);
  expect((await service.api.files(id)).map(({ key }) => key)).toEqual(["a", "b\0", "c\0c"]);
});

for (const backwards of [false, true]) {
  const how = backwards ? "out of order" : "in order";

  test(`a listing ${how} that repeats rows of the previous page counts each object once, as in the preview`, async () => {
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

test("a page without new keys is a loop, regardless of its token", async () => {
  s3.quirks.pageLimit = 10;
  const access = bucketOf("nothing-new", numbered(25));
  let row = "";
  let pages = 0;
  s3.addFault({
    match: { bucket: "nothing-new", operation: "list" },
    fault: {
      rewrite: (reply) => {
        row ||= /<Contents>.*?<\/Contents>/.exec(String(reply.body))?.[0] ?? "";
        // The check and the first two pages are correct.
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

describe("a listing that may hide objects is refused", () => {
  const bodies: Record<string, (xml: string) => string> = {
    "more pages, without a continuation token": (xml) => xml.replace(">false<", ">true<"),
    "a page that is the last one and not the last one": (xml) =>
      xml.replace("<IsTruncated>", "<IsTruncated>true</IsTruncated><IsTruncated>"),
    "no instead of false": (xml) => xml.replace(">false<", ">no<"),
    "fewer rows than stated": (xml) => xml.replace(/<Contents>.*?<\/Contents>/, ""),
  };
  const spoils: [string, (reply: Reply) => void][] = [
    ...Object.entries(bodies).map(([name, change]): [string, (reply: Reply) => void] => [
      name,
      (reply) => {
        reply.body = Buffer.from(change(String(reply.body)));
        reply.headers["content-length"] = String(reply.body.length);
      },
    ]),
    ["status 206", (reply) => Object.assign(reply, { status: 206 })],
  ];
  const list = (bucket: string, nth: number) => ({ bucket, operation: "list", nth, times: 100 }) as const;

  test.each(spoils)("%s: by the check, the preview and the request", async (name, rewrite) => {
    const bucket = `hiding-${spoils.findIndex(([one]) => one === name)}`;
    const access = bucketOf(bucket, numbered(3));
    s3.addFault({ match: list(bucket, 1), fault: { rewrite } });
    const report = await service.api.post("/submission/upload/s3check/report", access);
    const steps = (report.json as { steps: { name: string; code: string | null }[] }).steps;
    expect(steps.find(({ code }) => code !== null)).toMatchObject({ name: "list", code: "listing_invalid" });
    expect((await service.api.post("/submission/upload/s3preview", access)).json).toMatchObject({
      code: "listing_invalid",
    });
    const body = { metadata: goodMetadata, s3Access: access };
    const refused = await service.api.post("/submission/upload/s3upload", body);
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("listing_invalid")]);
  });

  // The first listing belongs to the check, the second to the submission, the third to the comparison.
  test.each([2, 3])("by the submission, if it is listing number %i", async (nth) => {
    for (const [name, rewrite] of spoils) {
      const bucket = `hiding-${nth}-${spoils.findIndex(([one]) => one === name)}`;
      const access = bucketOf(bucket, numbered(3));
      s3.addFault({ match: list(bucket, nth), fault: { rewrite } });
      const { id } = await service.api.submit(access);
      const { failure } = await service.api.until(id, ["failed", "completed"]);
      expect([name, failure?.code]).toEqual([name, "listing_invalid"]);
    }
  });
});

describe("a key", () => {
  /** Returns incompressible bytes of this length. */
  const random = (bytes: number) => {
    // A fraction of the characters is removed, and three bytes become four characters.
    return randomBytes(bytes).toString("base64url").replaceAll("-", "").slice(0, bytes);
  };

  test("of 1,024 incompressible bytes is stored", () => testLongest(true));
  test("of 1,024 incompressible bytes is stored from a listing in order", { tags: "extended" }, () =>
    testLongest(false),
  );

  async function testLongest(backwards: boolean): Promise<void> {
    Object.assign(s3.quirks, { pageLimit: 3, backwards });
    const keys = [
      random(1_024),
      `${random(1_000)}//${random(22)}`,
      `${random(1_023)}/`,
      ...Array.from({ length: 6 }, () => random(1_024)),
    ];
    const access = bucketOf(`longest-${backwards}`, Object.fromEntries(keys.map((key) => [key, key])));
    const { id } = await service.api.submit(access);
    await service.api.until(id, ["completed"]);
    expect((await service.api.files(id)).map(({ key }) => key).sort()).toEqual(keys.toSorted());
  }

  test.each([1_025, 3_000, 1_000_000])(
    "of %i bytes is reported by the connection test, and causes no internal error",
    async (bytes) => {
      const bucket = `too-long-${bytes}`;
      const key = random(bytes);
      const access = bucketOf(bucket, numbered(3));
      const rewrite = (reply: Reply) => {
        reply.body = Buffer.from(String(reply.body).replace(/<Key>.*?<\/Key>/, `<Key>${key}</Key>`));
        reply.headers["content-length"] = String(reply.body.length);
      };
      const remove = s3.addFault({ match: { bucket, operation: "list" }, fault: { rewrite } });
      const check = await service.api.post("/submission/upload/s3check/report", access);
      expect(check.text).toContain("key_too_long");
      expect(check.text).toContain(key.slice(0, 40));
      expect(check.text.length).toBeLessThan(10_000);
      const preview = await service.api.post("/submission/upload/s3preview", access);
      expect(preview.json).toMatchObject({ code: "key_too_long", fault: "submitter" });
      remove();
      s3.addFault({ match: { bucket, operation: "list", nth: 2, times: 100 }, fault: { rewrite } });
      const { id } = await service.api.submit(access);
      const { failure } = await service.api.until(id, ["failed"], 10_000);
      expect(failure).toMatchObject({ code: "key_too_long", fault: "submitter" });
    },
  );
});
