/** @module-tag extended */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { recordOf } from "../../src/archive/receipts/signing.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import {
  archiveBucket,
  archiveKeys,
  archivePaths,
  archivePrefix,
  archiveSettings,
} from "../support/archive/s3-archive.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const NO_TOKEN = "none";
let s3: S3Server;
let archive: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  archive = await startS3Server();
  archive.addAccount(archiveKeys);
  archive.createBucket(archiveBucket);
  service = await startTestService({ ...archiveSettings(archive.endpoint), ACCESSION_PUBLICATION: "direct" });
});
afterAll(async () => {
  await service.stop();
  await archive.close();
  await s3.close();
});

const recordPaths = () => archivePaths(archive).filter((path) => path.includes("/logs/publication/"));
const text = (path: string) => archive.body(archiveBucket, `${archivePrefix}/${path}`).toString();

test("an archive in an object store keeps publication records in a chain, and a database is rebuilt from them", async () => {
  const { dataset } = await archiveAs(service, s3, undefined);
  const one = new PublicationClient(service, dataset);
  await one.done(NO_TOKEN, "request", {
    agreement: true,
    access: "embargoed",
    embargoDate: "2099-01-01",
    reason: "Article",
  });
  await one.until(NO_TOKEN, "published");
  expect(recordPaths()).toHaveLength(1);
  // The first attempt to store the second record fails, and is repeated.
  archive.addFault({
    match: { operation: "put", key: /logs.publication/, times: 1 },
    fault: { status: 503, code: "SlowDown" },
  });
  await one.done(NO_TOKEN, "change-access", { access: "open", reason: "The article appeared" });
  await vi.waitUntil(() => recordPaths().length === 2);
  const [first = "", second = ""] = recordPaths().map(text);
  expect(recordOf(first)).toMatchObject({ number: 1, access: "embargoed", embargoDate: "2099-01-01" });
  expect(recordOf(second)).toMatchObject({
    number: 2,
    access: "open",
    previous: createHash("sha512").update(first).digest("hex"),
  });

  await service.restart(async () => {
    await service.recreateDatabase();
    const { code, stderr } = await runCommand(["rebuild"], service.data, {
      env: { ...service.settings, ...archiveSettings(archive.endpoint) },
    });
    expect([code, stderr]).toEqual([0, ""]);
  });
  expect((await one.get()).json).toMatchObject({
    state: "published",
    access: "open",
    identifier: `urn:uuid:${dataset}`,
  });
  expect(recordPaths()).toHaveLength(2);
});
