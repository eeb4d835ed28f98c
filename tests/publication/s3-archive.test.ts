/** @module-tag extended */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { recordOf } from "../../src/archive/receipts/signing.ts";
import { goodMetadata } from "../support/api/api.ts";
import { openDatacite } from "../support/api/datacite-account.ts";
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

/** The root inventory of an OCFL object, which makes its newest version visible. */
const ROOT_INVENTORY = /\/[0-9a-f]{128}\/inventory\.json$/;

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

test("a revision of the service that is being made visible refuses no withdrawal and no change, because nobody knows of it", async () => {
  const datacite = await openDatacite();
  const own = await startTestService({
    ...archiveSettings(archive.endpoint),
    ...{ ACCESSION_ARCHIVE: `s3://${archiveBucket}/other`, ACCESSION_PUBLICATION: "direct" },
    ...datacite.settings(),
  });
  try {
    const changes = [
      [202, (path: string) => own.api.post(`${path}/withdraw`, { reason: "A name" })],
      [
        200,
        async (path: string) => {
          const body = JSON.stringify({ metadata: { ...goodMetadata, title: "Changed" } });
          const headers = { "content-type": "application/json", "if-match": "*" };
          return own.api.send(`${path}/metadata`, { method: "PUT", body, headers });
        },
      ],
    ] as const;
    for (const [expected, change] of changes) {
      const { dataset } = await archiveAs(own, s3, undefined);
      const held = archive.hold({ operation: "copy", key: ROOT_INVENTORY });
      await new PublicationClient(own, dataset).done(NO_TOKEN, "request", { agreement: true, access: "open" });
      await held.reached;
      const answer = change(`/dataset/${dataset}`);
      // Time for a refusal. If the request comes later than this, it meets no revision.
      await Promise.race([answer, sleep(500)]);
      held.release();
      const { status, text: body } = await answer;
      expect(status, body).toBe(expected);
      await own.settled();
    }
  } finally {
    await own.stop();
    await datacite.close();
  }
});

test("a change that is replaced while its documents are written leaves nothing in the staging area", async () => {
  const { dataset } = await archiveAs(service, s3, undefined);
  const change = async (title: string) => {
    const body = JSON.stringify({ metadata: { ...goodMetadata, title } });
    const headers = { "content-type": "application/json", "if-match": "*" };
    return (await service.api.send(`/dataset/${dataset}/metadata`, { method: "PUT", body, headers })).status;
  };
  const held = archive.hold({ operation: "put", key: /\/staging\/.*datacite/, nth: 1, times: 1 });
  const first = change("First");
  await held.reached;
  const second = change("Second");
  expect(await first).toBe(409);
  // The markers are removed a minute later, because a worker that was not informed could still be writing.
  const staged = () => archivePaths(archive, "staging/").filter((path) => !path.endsWith("/attempt.json"));
  await vi.waitUntil(() => staged().length === 0);
  held.release();
  expect([200, 202]).toContain(await second);
  await service.settled();
  expect((await service.api.get(`/dataset/${dataset}`)).json.title).toBe("Second");
  expect(staged()).toEqual([]);
});
