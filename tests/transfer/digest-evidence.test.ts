import { createHash } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
const objects: Record<string, string> = { "a.csv": "a", "b.csv": "bb" };
let s3: S3Server;
let service: TestService;
let number = 0;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService();
});
afterEach(() => {
  delete s3.quirks.pageLimit;
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

const hex = (algorithm: string, text: string) => createHash(algorithm).update(text).digest("hex");
const sums = (of: Record<string, string>) =>
  Object.entries(of)
    .map(([path, body]) => `${hex("sha256", body)}  ${path}\n`)
    .join("");

function bucketOf(more: Record<string, string> = {}, options: { etag?: string } = {}) {
  const bucket = `evidence-${number++}`;
  s3.createBucket(bucket);
  for (const [key, body] of Object.entries({ ...objects, ...more })) s3.put(bucket, key, body, options);
  return { endpoint: s3.endpoint, bucket, ...keys };
}

const readsOf = (bucket: string, key: string) =>
  s3.history.filter((one) => one.bucket === bucket && one.operation === "get" && one.key === key).length;
const verifiedOf = async (id: string) =>
  Object.fromEntries((await service.api.files(id)).map(({ key, verifiedBy }) => [key, verifiedBy]));
async function archive(access: object, more: object) {
  const { id } = await service.api.submit(access, more);
  return service.api.until(id, ["completed", "waiting"]);
}

describe("what an earlier list stated does not count", () => {
  test.each([
    ["the ETag is evidence", undefined, "md5", 0],
    ["the object is read again, because its source states no digest", "opaque", "length", 1],
  ])("for a next version without lists: %s", async (_, etag, verifiedBy, reads) => {
    const access = bucketOf({}, etag === undefined ? {} : { etag: `"${etag}"` });
    const first = await archive(access, { digests: [{ text: sums(objects) }] });
    expect(await verifiedOf(first.id)).toEqual({ "a.csv": "submitter", "b.csv": "submitter" });
    s3.put(access.bucket, "c.csv", "c");
    const before = readsOf(access.bucket, "b.csv");
    const next = await archive(access, { dataset: { id: first.dataset?.id } });
    expect(await verifiedOf(next.id)).toMatchObject({ "a.csv": verifiedBy, "b.csv": verifiedBy });
    expect(readsOf(access.bucket, "b.csv")).toBe(before + reads);
    expect(next.statement).not.toContain("submitter");
  });

  test("after a retry with a list that names less", async () => {
    const access = bucketOf({ SHA256SUMS: sums({ "a.csv": "a", "b.csv": "another" }) });
    const waiting = await archive(access, { digests: [{ key: "SHA256SUMS" }] });
    expect(waiting.waiting?.code).toBe("objects_unreadable");
    s3.put(access.bucket, "SHA256SUMS", sums({ "b.csv": "bb" }));
    await service.api.post(`/submission/${waiting.id}/retry`, {});
    const { id } = await service.api.until(waiting.id, ["completed"]);
    expect(await verifiedOf(id)).toMatchObject({ "a.csv": "md5", "b.csv": "submitter" });
    const { digests } = (await service.api.get(`/submission/${id}`)).json;
    expect(digests.comparison.additional).toMatchObject({ total: 1, keys: ["a.csv"] });
  });
});

test("a list that is replaced while the bucket is listed is not archived in the place of the one that was compared", async () => {
  s3.quirks.pageLimit = 1;
  const others = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`plot-${n}`, `${n}`]));
  const access = bucketOf({ ...others, "z-SHA256SUMS": sums(objects) });
  s3.addFault({
    match: { operation: "list", bucket: access.bucket },
    fault: {
      run: () => {
        if (readsOf(access.bucket, "z-SHA256SUMS") > 0) s3.put(access.bucket, "z-SHA256SUMS", sums({ "a.csv": "a" }));
      },
    },
  });
  const { id, waiting } = await archive(access, { digests: [{ key: "z-SHA256SUMS" }] });
  expect(waiting).toMatchObject({ code: "digest_list_invalid", message: expect.stringContaining("was replaced") });
  await service.api.post(`/submission/${id}/retry`, {});
  await service.api.until(id, ["completed"]);
});

test("an ETag that differs does not cause a second read of a file that has the submitter’s digest", async () => {
  const access = bucketOf({}, { etag: `"${"0".repeat(32)}"` });
  const { id } = await archive(access, { digests: [{ text: sums(objects) }] });
  expect(await verifiedOf(id)).toEqual({ "a.csv": "submitter", "b.csv": "submitter" });
  // The check reads the first object.
  expect(readsOf(access.bucket, "b.csv")).toBe(1);
});
