import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { Harvester } from "../support/api/harvester.ts";
import { archiveAs } from "../support/api/publications.ts";
import { publishAs } from "../support/api/published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

/** Its requests are no views, which the page shows. */
const ROBOT = { "user-agent": "Googlebot/2.1" };

let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct" });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

/** All that public surfaces say of a dataset, with the validators and dates of the answers. */
async function publicly(dataset: string): Promise<unknown[]> {
  const paths = [`/dataset/${dataset}`, "/datasets", "/feed.atom", "/sitemap/1.xml", "/catalogue.jsonld"];
  const answers = await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(service.url + path, { headers: { accept: "text/html, */*;q=0.5", ...ROBOT } });
      const { headers, status } = answer;
      return [path, status, headers.get("etag"), headers.get("last-modified"), await answer.text()];
    }),
  );
  const records = await new Harvester(service).ask("verb=ListIdentifiers&metadataPrefix=oai_dc");
  return [...answers, records.replace(/<responseDate>[^<]+/, "")];
}

test("an edit of a version that is not published changes nothing that the public sees, no date and no validator", async () => {
  const { dataset } = await publishAs(service, s3);
  await archiveAs(service, s3, undefined, { more: { dataset: { id: dataset } }, files: { "new.csv": "1" } });
  await service.settled();
  // The date of a page is sent once it identifies the page.
  await vi.waitUntil(async () =>
    (await fetch(`${service.url}/dataset/${dataset}`, { headers: { accept: "text/html", ...ROBOT } })).headers.has(
      "last-modified",
    ),
  );
  const before = await publicly(dataset);
  const { json, headers } = await service.api.get(`/dataset/${dataset}/metadata`);
  const metadata = { ...goodMetadata, title: "A title that nobody knows yet" };
  const put = await service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    headers: { "content-type": "application/json", "if-match": headers.get("etag") ?? "" },
    body: JSON.stringify({ metadata }),
  });
  expect([put.status, json.version]).toEqual([200, 2]);
  await vi.waitUntil(async () => {
    const { json: now } = await service.api.get(`/dataset/${dataset}/metadata`);
    return now.metadata.title === "A title that nobody knows yet";
  });
  await service.settled();
  expect(await publicly(dataset)).toEqual(before);
});
