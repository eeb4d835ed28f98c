import { rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import type { PublicationClient } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let service: TestService;
let one: PublicationClient;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
  one = await publishAs(service, s3, { files: { "README.md": "# Roots", "a.csv": "a,b\n1,2\n" } });
  await rename(join(service.data, "archive"), join(service.data, "away"));
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

test.each([
  ["/linkset", "application/linkset+json"],
  ["/linkset", "application/linkset"],
  ["/files", "application/json"],
  ["/files", "text/csv"],
  ["/files?limit=1", "text/csv"],
  ["/files/data/a.csv", "*/*"],
  ["/files/data/", "*/*"],
  ["/files/metadata/datacite.json", "*/*"],
  ["/export/ro-crate", "*/*"],
  ["/export/bagit", "*/*"],
])("an archive that cannot be read is a problem, and no response that breaks off: %s as %s", async (path, accept) => {
  const answer = await fetch(`${service.url}/dataset/${one.dataset}${path}`, { headers: { accept } });
  const text = await answer.text();
  expect([answer.status, answer.headers.get("content-type")], text).toEqual([
    expect.toSatisfy((status) => status === 500 || status === 503),
    "application/problem+json; charset=utf-8",
  ]);
  expect(["archive_unreadable", "content_damaged"]).toContain(JSON.parse(text).code);
});

test("metadata formats do not need the archive", async () => {
  for (const format of ["datacite-json", "dcat", "croissant", "schema-org", "bibtex"]) {
    const answer = await fetch(`${service.url}/dataset/${one.dataset}/export/${format}`);
    expect([format, answer.status, (await answer.text()).length > 100]).toEqual([format, 200, true]);
  }
});
