import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { type Answer, type Api, goodMetadata } from "../support/api/api.ts";
import { submitAndArchive } from "../support/archive/archived-versions.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
});
afterAll(() => s3.close());

async function archived(service: TestService, bucket: string, objects = 2): Promise<string> {
  s3.createBucket(bucket);
  for (let index = 0; index < objects; index++) s3.put(bucket, `${index}.csv`, "x");
  const { dataset } = await submitAndArchive(service.api, { endpoint: s3.endpoint, bucket, ...keys });
  return dataset.id;
}

function change(api: Api, id: string, title: string, ifMatch = "*"): Promise<Answer> {
  return api.send(`/dataset/${id}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
    headers: { "content-type": "application/json", "if-match": ifMatch },
  });
}

test("a dataset has a limited number of metadata revisions", { tags: "extended" }, async () => {
  await using service = await startTestService({ ACCESSION_MOST_REVISIONS: "2" });
  const id = await archived(service, "many-revisions");
  expect((await change(service.api, id, "One")).status).toBe(200);
  expect((await change(service.api, id, "Two")).status).toBe(200);
  const refused = await change(service.api, id, "Three");
  expect([refused.status, refused.json.code]).toEqual([409, "revision_limit"]);
  expect(refused.json.detail).toBe("The dataset has 2 metadata revisions; the service allows 2");
  expect((await change(service.api, id, "Two")).status).toBe(200);
  expect((await service.api.get(`/dataset/${id}/revisions`)).json).toHaveLength(3);
});

test("metadata revisions count against the quota of bytes", { tags: "extended" }, async () => {
  // The first change of 20 files counts 256 × 20 × 2 bytes, the second one 256 × 20 × 3.
  await using service = await startTestService({ ACCESSION_QUOTA_BYTES: "25000" });
  const id = await archived(service, "quota-of-revisions", 20);
  expect((await change(service.api, id, "One")).status).toBe(200);
  const refused = await change(service.api, id, "Two");
  expect([refused.status, refused.json.code]).toEqual([403, "quota_exceeded"]);
  expect(refused.json.quota).toMatchObject({ of: "bytes", wanted: 15_360, allowed: 25_000 });
  expect(refused.json.quota.used).toBeGreaterThan(10_240);
});

test("a change is refused while the archive has no free space", { tags: "extended" }, async () => {
  await using service = await startTestService();
  const id = await archived(service, "full-archive");
  await service.restart(undefined, { ACCESSION_DISK_RESERVE: "900TiB" });
  const refused = await change(service.api, id, "One");
  expect([refused.status, refused.json.code]).toEqual([507, "no_space"]);
  expect(refused.json.detail).toMatch(
    /^The change needs .*; the archive has 0 B of free space for it. ACCESSION_DISK_RESERVE keeps another 900 TiB free$/,
  );
});

test("of several own changes for any state, a replaced one says so", { tags: "extended" }, async () => {
  await using service = await startTestService();
  const id = await archived(service, "own-changes");
  const answers = await Promise.all(Array.from({ length: 6 }, (_, index) => change(service.api, id, `Title ${index}`)));
  const outcomes = answers.map(({ status, json }) => (status === 200 ? "archived" : json.code));
  expect(outcomes).toContain("archived");
  expect(outcomes).toContain("change_replaced");
  expect(outcomes.filter((one) => !["archived", "change_replaced", "dataset_busy"].includes(one))).toEqual([]);
});
