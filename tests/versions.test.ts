import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { checkRoot } from "../src/archive/ocfl/check-root.ts";
import type { Api, Submission } from "./support/api.ts";
import { goodMetadata } from "./support/api.ts";
import { checkInvariants } from "./support/invariants.ts";
import { findPackage, sha512 } from "./support/package.ts";
import { type S3Server, startS3Server } from "./support/s3/server.ts";
import { startTestService, type TestService } from "./support/service.ts";
import { asking, SourceTruth } from "./support/truth.ts";

const keys = { accessKey: "AKREADER", secretKey: "a-secret-that-nobody-sees" };
vi.setConfig({ testTimeout: 120_000 });
let s3: S3Server;
let service: TestService;
let api: Api;

beforeAll(async () => {
  s3 = await startS3Server();
  s3.addAccount(keys);
  service = await startTestService();
  api = service.api;
}, 60_000);
afterAll(async () => {
  await service.stop();
  await s3.close();
});
beforeEach(() => s3.clearHistory());

const access = (bucket: string) => ({ endpoint: s3.endpoint, bucket, ...keys });

/** A bucket with these contents. */
function fill(bucket: string, contents: Record<string, string>): void {
  s3.createBucket(bucket);
  for (const [key, content] of Object.entries(contents)) s3.put(bucket, key, content);
}

/** Takes a bucket in and waits until it is archived. */
async function archived(
  bucket: string,
  more: object = {},
): Promise<Submission & { dataset: { id: string; version: number } }> {
  const { id } = await api.submit(access(bucket), more);
  const { dataset, ...rest } = await api.until(id, ["completed"]);
  if (dataset === null) throw new Error("A completed submission has no dataset");
  return { ...rest, dataset };
}

const nextOf = (bucket: string, dataset: string, more: object = {}) =>
  archived(bucket, { dataset: { id: dataset }, ...more });

/** Keys that were read as a whole, but for those with which the check tries whether anything can be. */
const read = () =>
  s3.history
    .filter(({ operation, headers }) => operation === "get" && headers.range === undefined)
    .map(({ key }) => key);

/** What the version holds is what the bucket holds, and the archive is valid. */
async function expectWhole(bucket: string, dataset: string): Promise<void> {
  const { files } = await findPackage(service.archive, dataset);
  for (const key of s3.keys(bucket)) {
    const file = files.get(`data/${key}`);
    expect(file?.sha512, key).toBe(await sha512(s3.body(bucket, key)));
  }
  expect([...files.keys()].filter((path) => path.startsWith("data/"))).toHaveLength(s3.keys(bucket).length);
  expect((await checkRoot(join(service.archive, "ocfl"))).findings).toEqual([]);
}

test("of 10,000 objects 10 changed, 5 removed and 5 new: 15 are read", async () => {
  const names = Array.from({ length: 10_000 }, (_, n) => `plots/${n % 10}/measurement-${n}.csv`);
  fill("large", Object.fromEntries(names.map((name, n) => [name, `measurement ${n}`])));
  const { dataset } = await archived("large");
  const changed = names.slice(100, 110);
  for (const name of changed) s3.put("large", name, `measured again: ${name}`);
  const removed = names.slice(500, 505);
  for (const name of removed) s3.remove("large", name);
  const added = Array.from({ length: 5 }, (_, n) => `plots/new/${n}.csv`);
  for (const name of added) s3.put("large", name, `new ${name}`);
  s3.clearHistory();
  const second = await nextOf("large", dataset.id);
  expect(second.dataset).toEqual({ id: dataset.id, version: 2 });
  expect(read().toSorted()).toEqual([...changed, ...added].toSorted());
  await expectWhole("large", dataset.id);
  const receipt = await api.receipt(second.id);
  expect(receipt.changes).toEqual({
    since: 1,
    added: { total: 5, keys: added },
    changed: { total: 10, keys: expect.arrayContaining(changed) },
    removed: { total: 5, keys: expect.arrayContaining(removed) },
    kept: { total: 9_985, notRead: 9_985 },
  });
  expect(receipt.counts).toEqual({ listed: 10_000, stored: 10_000, excluded: 0 });
  expect(receipt.sourceMayBeDeleted).toBe("yes");
});
