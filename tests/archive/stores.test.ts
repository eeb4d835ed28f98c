import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { FolderStore } from "../../src/archive/folder/store.ts";
import { FolderReader } from "../../src/archive/reader.ts";
import { S3Links } from "../../src/archive/s3/links.ts";
import { archiveContract, contractBucket, openInBucket } from "../support/archive/archive-contract.ts";
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
