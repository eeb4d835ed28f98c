/** @module-tag extended */

import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sdkClient } from "../../packages/s3-test-server/tests/sdk-client.ts";
import { checkRoot } from "../../src/archive/validation/check-root.ts";
import { goodMetadata, type Submission } from "../support/api/api.ts";
import { archiveContract, contractBucket, openInBucket } from "../support/archive/archive-contract.ts";
import { findPackage, sha512 } from "../support/archive/package.ts";
import { archiveBucket, archiveSettings } from "../support/archive/s3-archive.ts";
import { startCeph } from "../support/data-source/ceph.ts";
import { oddKeys } from "../support/data-source/odd-keys.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";
import { lacks, skipNote } from "../support/tools.ts";

const MIB = 1024 * 1024;
const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot || lacks("Ceph"))(`with Ceph’s radosgw, as root ${skipNote("Ceph")}`, () => {
  let ceph: Awaited<ReturnType<typeof startCeph>>;
  let client: S3Client;
  let service: TestService;
  let access: Record<string, string>;
  const refused: string[] = [];

  beforeAll(async () => {
    ceph = await startCeph();
    // This server is older than the SDK's checksums in trailers.
    client = sdkClient(ceph, { account: ceph, requestChecksumCalculation: "WHEN_REQUIRED" });
    service = await startTestService();
    access = { endpoint: ceph.endpoint, bucket: "everything", accessKey: ceph.accessKey, secretKey: ceph.secretKey };
    await client.send(new CreateBucketCommand({ Bucket: "everything" }));
    await fill();
  }, 400_000);
  afterAll(async () => {
    await service?.stop();
    client?.destroy();
    await ceph?.stop();
  });

  async function put(Key: string, Body: string): Promise<void> {
    await client.send(new PutObjectCommand({ Bucket: "everything", Key, Body: Buffer.from(Body) }));
  }

  async function fill(): Promise<void> {
    const ordinary = Array.from({ length: 2_000 }, (_, i) => `plots/${i % 20}/measurement-${i}.csv`);
    const all = [...ordinary, ...Array.from({ length: 10 }, (_, i) => `empty/${i}`)];
    const queue = all.values();
    const work = async () => {
      for (const key of queue) await put(key, key.startsWith("empty/") ? "" : `content of ${key}\n`.repeat(20));
    };
    await Promise.all(Array.from({ length: 16 }, work));
    for (const key of oddKeys) {
      // Objects that this server refuses cannot be in its buckets.
      await put(key, `odd ${key}`).catch(() => refused.push(key));
    }
    await putMultipart("large/run.bin", 100 * MIB, 8 * MIB);
  }

  async function putMultipart(Key: string, bytes: number, partBytes: number): Promise<void> {
    const at = { Bucket: "everything", Key };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
    const Parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let from = 0; from < bytes; from += partBytes) {
      const PartNumber = Parts.length + 1;
      const Body = randomBytes(Math.min(partBytes, bytes - from));
      const { ETag } = await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body }));
      Parts.push({ PartNumber, ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
  }

  describe("a bucket of more than 2,000 objects", () => {
    let submission: Submission;

    beforeAll(async () => {
      const { id } = await service.api.submit(access);
      submission = await service.api.until(id, ["completed"], 120_000);
    });

    test("contains the keys and bytes that the AWS SDK finds in the bucket", async () => {
      const { files, manifest } = await findPackage(service.archive, submission.dataset?.id ?? "");
      const paths = new Map(manifest.map((line) => [line.key as string, line.path as string]));
      const listed: string[] = [];
      for (let ContinuationToken: string | undefined; ; ) {
        const page: ListObjectsV2CommandOutput = await client.send(
          new ListObjectsV2Command({ Bucket: "everything", EncodingType: "url", ContinuationToken }),
        );
        for (const { Key } of page.Contents ?? []) listed.push(decodeURIComponent((Key ?? "").replaceAll("+", " ")));
        if (!page.IsTruncated) break;
        ContinuationToken = page.NextContinuationToken;
      }
      expect(listed.length).toBeGreaterThanOrEqual(2_000);
      expect([...paths.keys()].sort()).toEqual(listed.sort());
      const queue = listed.values();
      const compare = async () => {
        for (const Key of queue) {
          const { Body } = await client.send(new GetObjectCommand({ Bucket: "everything", Key }));
          const expected = await sha512((await Body?.transformToByteArray()) ?? new Uint8Array());
          const file = files.get(paths.get(Key) ?? "");
          expect(file?.sha512, Key).toBe(expected);
          expect(await sha512(file?.file ?? ""), Key).toBe(expected);
        }
      };
      await Promise.all(Array.from({ length: 8 }, compare));
    });

    test("contains every odd key except the few that the server refuses", () => {
      expect(refused.length).toBeLessThanOrEqual(2);
    });

    test("is verified by MD5 or better, the multipart object by its parts", async () => {
      const files = await service.api.files(submission.id);
      const byLength = files.filter(({ verifiedBy }) => verifiedBy === "length");
      expect(byLength).toEqual([]);
      expect(files.find(({ key }) => key === "large/run.bin")).toMatchObject({
        verifiedBy: "md5-parts",
        bytes: 100 * MIB,
      });
      expect((await service.api.receipt(submission.id)).sourceMayBeDeleted).toBe("yes");
    });

    test("passes the OCFL check", async () => {
      expect((await checkRoot(join(service.archive, "ocfl"))).findings).toEqual([]);
    });
  });

  test("an object that is overwritten while the submission runs is reported, and never stored as a mixture", async () => {
    await client.send(new CreateBucketCommand({ Bucket: "overwritten" }));
    const at = (i: number) => ({ Bucket: "overwritten", Key: `o/${String(i).padStart(4, "0")}` });
    for (let i = 0; i < 400; i++)
      await client.send(new PutObjectCommand({ ...at(i), Body: `first ${i} `.repeat(100) }));
    const { id } = await service.api.submit({ ...access, bucket: "overwritten" });
    await client.send(new PutObjectCommand({ ...at(399), Body: "second" }));
    const end = await service.api.until(id, ["completed", "waiting"]);
    const key = at(399).Key;
    const file = (await service.api.files(id)).find((one) => one.key === key);
    if (end.status === "waiting") expect(file?.error?.code).toBe("object_changed");
    else {
      expect([6, 1000]).toContain(file?.bytes);
      if (file?.bytes !== 6) expect(end.drift).toContainEqual({ key, change: "changed" });
    }
  });

  test("three objects that a policy denies: the others are stored, and the submission completes when the three are excluded", async () => {
    const Bucket = "denied";
    const keys = Array.from({ length: 60 }, (_, i) => `o/${i}`);
    const denied = ["o/7", "o/30", "o/59"];
    await client.send(new CreateBucketCommand({ Bucket }));
    for (const Key of keys)
      await client.send(new PutObjectCommand({ Bucket, Key, Body: Buffer.from(`object ${Key}`) }));
    const rule = (Effect: string, Action: string, names: string[]) => ({
      Effect,
      Principal: { AWS: ["arn:aws:iam:::user/stranger"] },
      Action: [Action],
      Resource: names.map((name) => `arn:aws:s3:::${Bucket}${name}`),
    });
    const Statement = [
      rule("Allow", "s3:ListBucket", [""]),
      rule("Allow", "s3:GetObject", ["/*"]),
      rule(
        "Deny",
        "s3:GetObject",
        denied.map((key) => `/${key}`),
      ),
    ];
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
    await client.send(new PutBucketPolicyCommand({ Bucket, Policy }));

    const { id } = await service.api.submit({ endpoint: ceph.endpoint, bucket: Bucket, ...ceph.stranger });
    const waiting = await service.api.until(id, ["waiting"]);
    expect(waiting.waiting?.code).toBe("objects_unreadable");
    expect(waiting.progress).toMatchObject({ objectsStored: 57, objectsFailed: 3 });
    const failed = await service.api.files(id, "&state=failed");
    expect(failed.map(({ key, error }) => [key, error?.code]).sort()).toEqual(
      denied.map((key) => [key, "object_denied"]).sort(),
    );
    await service.api.post(`/submission/${id}/exclude`, { keys: denied, reason: "denied by the owner’s policy" });
    await service.api.until(id, ["completed"]);
    expect((await service.api.receipt(id)).exclusions.map(({ key }) => key).sort()).toEqual([...denied].sort());
  });

  test("an object that is deleted and one that is added while the submission runs are reported as drift or error", async () => {
    const Bucket = "drifting";
    await client.send(new CreateBucketCommand({ Bucket }));
    for (let i = 0; i < 30; i++)
      await client.send(new PutObjectCommand({ Bucket, Key: `o/${i}`, Body: Buffer.from(`${i}`) }));
    const { id } = await service.api.submit({ ...access, bucket: Bucket });
    await client.send(new DeleteObjectCommand({ Bucket, Key: "o/9" }));
    await client.send(new PutObjectCommand({ Bucket, Key: "o/new", Body: Buffer.from("new") }));
    const end = await service.api.until(id, ["completed", "waiting"]);
    const gone = (await service.api.files(id)).find(({ key }) => key === "o/9");
    if (gone?.state === "stored") expect(end.drift).toContainEqual({ key: "o/9", change: "vanished" });
    else if (gone !== undefined) expect(gone.error?.code).toBe("object_gone");
  });

  describe("the connection test distinguishes", () => {
    const other = createServer((_, response) => response.end("<html></html>"));
    beforeAll(async () => {
      other.listen(0, "127.0.0.1");
      await once(other, "listening");
    });
    afterAll(() => other.close());

    const causes: [string, () => Record<string, string>, RegExp][] = [
      ["a wrong access key", () => ({ accessKey: "AKNOBODY" }), /does not know this access key/],
      ["a wrong secret", () => ({ secretKey: "wrong" }), /secret key does not belong/],
      ["a missing bucket", () => ({ bucket: "nowhere" }), /“nowhere” does not exist on this server/],
      ["a user without rights", () => ceph.stranger, /do not permit listing the bucket/],
      ["a closed port", () => ({ endpoint: "http://127.0.0.1:1" }), /the connection was refused/],
      [
        "an address that does not resolve",
        () => ({ endpoint: "http://nowhere.invalid" }),
        /does not exist or has no address/,
      ],
      [
        "a server without the S3 API",
        () => ({ endpoint: `http://127.0.0.1:${(other.address() as AddressInfo).port}` }),
        /is not an S3 server/,
      ],
    ];
    test.each(causes)("%s", async (_, change, sentence) => {
      const body = { ...access, ...change() };
      const { status, text } = await service.api.post("/submission/upload/s3check", body);
      expect(status).toBe(400);
      expect(text).toMatch(/^Connection unsuccessful: /);
      expect(text).toMatch(sentence);
      const refusedUpload = await service.api.post("/submission/upload/s3upload", {
        metadata: goodMetadata,
        s3Access: body,
      });
      expect([refusedUpload.status, refusedUpload.json.code]).toEqual([422, "source_check_failed"]);
    });
  });

  test("the server is source and archive at the same time, and a copy of that archive is valid", async () => {
    await client.send(new CreateBucketCommand({ Bucket: archiveBucket }));
    const settings = archiveSettings(ceph.endpoint, ceph);
    await using own = await startTestService(settings);
    const selection = { include: ["plots/1/**", "large/**", "empty/*"] };
    const { id } = await own.api.submit(access, { selection });
    const { progress } = await own.api.until(id, ["completed"]);
    const folder = join(own.data, "copy");
    const copied = await runCommand(["archive", "copy", settings.ACCESSION_ARCHIVE ?? "", folder], own.data, {
      env: settings,
    });
    expect(copied.code, copied.stderr).toBe(0);
    const { objects, findings } = await checkRoot(join(folder, "ocfl"));
    expect([objects, findings]).toEqual([1, []]);
    expect(progress.objectsStored).toBe(111);
  });

  describe("the server works as an archive store", () => {
    archiveContract(async () => {
      await client.send(new CreateBucketCommand({ Bucket: contractBucket }));
      return openInBucket({ ...ceph, close: async () => undefined });
    });
  });
});
