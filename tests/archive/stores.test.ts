import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { FolderStore } from "../../src/archive/folder/store.ts";
import { objectFolder } from "../../src/archive/layout.ts";
import { FolderReader } from "../../src/archive/reader.ts";
import { S3Links } from "../../src/archive/s3/links.ts";
import { archiveContract, contractBucket, openInBucket, tombstoneOf } from "../support/archive/archive-contract.ts";
import { archiveKeys } from "../support/archive/s3-archive.ts";

describe("in a folder", () => {
  archiveContract(async () => {
    const root = await mkdtemp(join(tmpdir(), "accession-store-"));
    const store = await FolderStore.open(root, { share: 0, bytes: 0 });
    return {
      store,
      links: new S3Links(undefined),
      reader: new FolderReader(root),
      close: () => rm(root, { recursive: true, force: true }),
    };
  });
});

test("a dataset in a bucket is not removed before its tombstone is there", async () => {
  const server = await startS3Server();
  server.addAccount(archiveKeys);
  server.createBucket(contractBucket);
  const { store, close } = await openInBucket({
    endpoint: server.endpoint,
    ...archiveKeys,
    close: () => server.close(),
  });
  const id = "6fd0cf0d-9a0c-4a3c-8f1e-9f6f4b3f7f10";
  const inventory = `a/b/ocfl/${objectFolder(`urn:uuid:${id}`)}/inventory.json`;
  server.put(contractBucket, inventory, "{}");
  // As if another bucket had been in its place for this request.
  server.addFault({ match: { key: /tombstone\.json$/, times: 1, operation: "put" }, fault: { status: 200, body: "" } });
  const tombstone = tombstoneOf({ submission: id, dataset: id });
  await expect(store.withdraw(tombstone)).rejects.toMatchObject({ code: "archive_unwritable" });
  expect(server.keys(contractBucket)).toContain(inventory);
  await store.withdraw(tombstone);
  expect(server.keys(contractBucket)).not.toContain(inventory);
  await close();
});

describe("on the S3 test server", () => {
  archiveContract(async () => {
    const server = await startS3Server();
    server.addAccount(archiveKeys);
    server.createBucket(contractBucket);
    // Pages of three objects test whether listings are continued.
    server.quirks.pageLimit = 3;
    return openInBucket({ endpoint: server.endpoint, ...archiveKeys, close: () => server.close() });
  });
});
