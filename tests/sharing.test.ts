import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "./support/s3/server.ts";
import { startTestService, type TestService } from "./support/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "a-secret-that-nobody-sees" };
/** Pages of so many objects make chunks of as many. */
const PER_CHUNK = 10;
let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  s3.quirks.pageLimit = PER_CHUNK;
  service = await startTestService();
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

function bucketOf(name: string, chunks: number): Record<string, unknown> {
  s3.createBucket(name);
  for (let i = 0; i < chunks * PER_CHUNK; i++) s3.put(name, `o/${String(i).padStart(5, "0")}`, `object ${i}`);
  return { endpoint: s3.endpoint, bucket: name, ...keys };
}

test("a small submission at a slow server does not wait for the large one before it", async () => {
  s3.addFault({ match: { operation: "get" }, fault: { delay: 400 } });
  const large = await service.api.submit(bucketOf("large", 100));
  await service.api.until(large.id, ["transferring"]);
  const small = await service.api.submit(bucketOf("small", 2));
  await service.api.until(small.id, ["completed"]);
  const then = await service.api.submission(large.id);
  expect(then.status).toBe("transferring");
  expect(then.progress.objectsStored).toBeLessThan(500);
  s3.clearFaults();
  await service.api.until(large.id, ["completed"]);
});

test("what waited with more open chunks than have jobs goes on to its end", async () => {
  const access = bucketOf("refusing", 40);
  const { id } = await service.api.submit(access);
  // Only now: the check reads an object too.
  s3.addFault({ match: { bucket: "refusing", operation: "get" }, fault: { status: 403, code: "AccessDenied" } });
  const waiting = await service.api.until(id, ["waiting"]);
  expect(waiting.progress.objectsFailed).toBeGreaterThan(100);
  s3.clearFaults();
  const began = Date.now();
  expect((await service.api.post(`/submission/${id}/credentials`, { s3Access: keys })).status).toBe(202);
  await service.api.until(id, ["completed"]);
  // The reconciler queues the first open chunks, and each that is finished the next: nothing waits for a later round.
  expect(Date.now() - began).toBeLessThan(15_000);
});
