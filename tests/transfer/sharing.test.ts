/** @module-tag extended */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata, type Submission } from "../support/api/api.ts";
import { bearer, TOKENS, Tokens } from "../support/api/callers.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
/** Number of objects in a page of the listing. A chunk has those of one or two pages. */
const PER_PAGE = 10;
let buckets = 0;
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.quirks.pageLimit = PER_PAGE;
  service = await startTestService();
});
afterEach(() => s3.clearFaults());
afterAll(async () => {
  await service.stop();
  await s3.close();
});

function bucketOf(label: string, pages: number): { endpoint: string; bucket: string } {
  // A number, because a test that is run again must not find the bucket of its first run.
  const name = `${label}-${++buckets}`;
  s3.createBucket(name);
  for (let i = 0; i < pages * PER_PAGE; i++) s3.put(name, `o/${String(i).padStart(5, "0")}`, `object ${i}`);
  return { endpoint: s3.endpoint, bucket: name, ...keys };
}

test("a small submission does not wait for an earlier large one from the same slow server", async () => {
  s3.addFault({ match: { operation: "get" }, fault: { delay: 400 } });
  const large = await service.api.submit(bucketOf("large", 400));
  await service.api.until(large.id, ["transferring"]);
  const small = await service.api.submit(bucketOf("small", 2));
  await service.api.until(small.id, ["completed"]);
  const then = await service.api.submission(large.id);
  expect(then.status).toBe("transferring");
  expect(then.progress.objectsStored).toBeLessThan(2000);
  s3.clearFaults();
  await service.api.until(large.id, ["completed"]);
});

test("an owner with one submission does not wait for twenty earlier submissions of another owner", async () => {
  await using own = await startTestService(TOKENS);
  const tokens = await Tokens.open(own);
  const [many, one] = [await tokens.create("many", "submitter"), await tokens.create("one", "submitter")];
  const access = bucketOf("shares", 6);
  const submit = async (who: { token: string }): Promise<Submission> => {
    const body = { metadata: goodMetadata, s3Access: access };
    return (await own.api.post("/submission/upload/s3upload", body, bearer(who.token))).json;
  };
  s3.addFault({ match: { operation: "get", bucket: access.bucket }, fault: { delay: 200 } });
  for (let i = 0; i < 20; i++) await submit(many);
  const listOf = async (who: { token: string }): Promise<Submission[]> =>
    (await own.api.get("/submission?limit=100", bearer(who.token))).json;
  const statusesOf = async (who: { token: string }) => (await listOf(who)).map(({ status }) => status);
  const storedOf = async (who: { token: string }) =>
    (await listOf(who)).reduce((sum, { progress }) => sum + (progress.objectsStored ?? 0), 0);
  const { id } = await submit(one);
  const before = await storedOf(many);
  await expect.poll(() => statusesOf(one)).toEqual(["completed"]);
  // Equal shares: while 60 objects of one owner were stored, about as many of the other owner’s 1,200 were.
  expect((await storedOf(many)) - before).toBeLessThan(240);
  expect(await statusesOf(many)).toContain("transferring");
  s3.clearFaults();
  await expect.poll(() => statusesOf(many)).toEqual(Array(20).fill("completed"));
  expect((await own.api.get(`/submission/${id}`, bearer(many.token))).status).toBe(404);
});

// Measures elapsed time.
test("a resumed submission with more open chunks than jobs completes", { tags: "extended" }, async () => {
  const access = bucketOf("refusing", 40);
  const { id } = await service.api.submit(access);
  // Added only now, because the check also reads an object.
  s3.addFault({ match: { bucket: access.bucket, operation: "get" }, fault: { status: 403, code: "AccessDenied" } });
  const waiting = await service.api.until(id, ["waiting"]);
  expect(waiting.progress.objectsFailed).toBeGreaterThan(100);
  s3.clearFaults();
  const began = Date.now();
  expect((await service.api.post(`/submission/${id}/credentials`, { s3Access: keys })).status).toBe(202);
  await service.api.until(id, ["completed"]);
  // The reconciler queues the first open chunks, and each finished chunk queues the next one, without a later reconciliation.
  expect(Date.now() - began).toBeLessThan(15_000);
});
