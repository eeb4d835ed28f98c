import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { checkRoot } from "../src/archive/ocfl/check-root.ts";
import type { Submission } from "./support/api.ts";
import { oddKeys } from "./support/odd-keys.ts";
import { findPackage, sha512 } from "./support/package.ts";
import { type S3Server, startS3Server } from "./support/s3/server.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archiveSettings,
  downloadVisible,
  visibleDatasets,
} from "./support/s3-archive.ts";
import { startTestService, type TestService } from "./support/service.ts";

const MIB = 1024 * 1024;
const keys = { accessKey: "AKREADER", secretKey: "a-secret-that-nobody-sees" };
vi.setConfig({ testTimeout: 120_000 });
let source: S3Server;
let archive: S3Server;
let service: TestService;

beforeAll(async () => {
  source = await startS3Server({ digestLimit: 200 * MIB });
  source.addAccount(keys);
  archive = await startS3Server();
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
  service = await startTestService(archiveSettings(archive.endpoint));
}, 60_000);
afterAll(async () => {
  await service?.stop();
  await source.close();
  await archive.close();
});

const access = (bucket: string) => ({ endpoint: source.endpoint, bucket, ...keys });

async function completed(bucket: string): Promise<Submission> {
  const { id } = await service.api.submit(access(bucket));
  return service.api.until(id, ["completed"], 90_000);
}

/** Everything that can be seen is valid, and this dataset holds the bucket, byte for byte. */
async function expectWhole(bucket: string, datasetId: string): Promise<void> {
  await using downloaded = await downloadVisible(archive);
  expect((await checkRoot(join(downloaded.folder, "ocfl"))).findings).toEqual([]);
  const { files, manifest } = await findPackage(downloaded.folder, datasetId);
  const paths = new Map(manifest.map((line) => [line.key as string, line.path as string]));
  expect([...paths.keys()].sort()).toEqual([...source.keys(bucket)].sort());
  for (const key of source.keys(bucket)) {
    const file = files.get(paths.get(key) ?? "");
    const expected = await sha512(source.body(bucket, key));
    expect(file?.sha512, key).toBe(expected);
    expect(await sha512(file?.file ?? ""), key).toBe(expected);
  }
}

describe("a bucket of odd keys, small objects and large ones", () => {
  let submission: Submission;

  beforeAll(async () => {
    source.createBucket("mixed");
    for (const key of oddKeys) source.put("mixed", key, `odd ${key}`);
    for (let i = 0; i < 1_500; i++) source.put("mixed", `plots/${i % 7}/measurement-${i}.csv`, `measurement ${i}\n`);
    for (const [name, size] of [
      ["middle", 3 * MIB],
      ["parts", 70 * MIB + 123],
      ["exact", 32 * MIB],
    ] as const)
      source.put("mixed", `large/${name}.bin`, { seed: name, size });
    submission = await completed("mixed");
  }, 120_000);

  test("lies in the archive as in a folder, and is valid as it lies", async () => {
    await expectWhole("mixed", submission.dataset?.id ?? "");
  });

  test("leaves nothing behind", async () => {
    expect(archivePaths(archive, "staging/")).toEqual([]);
    expect(archive.uploads(archiveBucket)).toEqual([]);
    expect(await readdir(join(service.data, "scratch"))).toEqual([]);
  });

  test("is verified like any other", async () => {
    const files = await service.api.files(submission.id);
    expect(files.find(({ key }) => key === "large/parts.bin")).toMatchObject({ verifiedBy: "md5" });
    expect((await service.api.receipt(submission.id)).sourceMayBeDeleted).toBe("yes");
  });

  test("the public keys lie in the archive", async () => {
    await using downloaded = await downloadVisible(archive);
    const jwks = JSON.parse(await readFile(join(downloaded.folder, "jwks.json"), "utf8"));
    expect(jwks).toEqual((await service.api.get("/.well-known/jwks.json")).json);
    expect(visibleDatasets(archivePaths(archive))).toHaveLength(1);
  });
});
