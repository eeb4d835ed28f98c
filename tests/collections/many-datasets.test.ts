/** @module-tag extended */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { Harvester } from "../support/api/harvester.ts";
import { publishAs } from "../support/api/published.ts";
import { copyPublished } from "../support/database/many-published.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const COPIES = 9_999;

let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "direct", ACCESSION_RATE_LIMIT: "0" });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

test("a collection of 10,000 datasets is searched, harvested and deleted", async () => {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ name: { en: "Many" } });
  expect((await service.api.send("/collections/many", { method: "PUT", headers, body })).status).toBe(201);
  const one = await publishAs(service, s3);
  const path = `/collections/many/datasets/${one.dataset}`;
  expect((await service.api.send(path, { method: "PUT" })).status).toBe(204);
  await service.restart(async () => {
    const database = await service.database();
    // The copies of the entry have the term of the collection.
    await copyPublished(database, one.dataset, COPIES);
    await sql`insert into collection_dataset select 'many', id, 'local', now() from dataset on conflict do nothing`.execute(
      database.queries,
    );
    await database.close();
  });
  expect((await service.api.get("/collections/many")).json.datasets).toBe(COPIES + 1);
  expect((await service.api.get("/collections/many/datasets?facets=true")).json.total).toBe(COPIES + 1);
  const harvester = new Harvester(service);
  const records = async () => {
    const found = new Set<string>();
    const pages = harvester.pages("ListIdentifiers", { metadataPrefix: "oai_dc", set: "collection:many" });
    for await (const { records: listed } of pages) for (const [id] of listed) found.add(id);
    return found.size;
  };
  expect(await records()).toBe(COPIES + 1);
  expect((await service.api.send("/collections/many", { method: "DELETE" })).status).toBe(204);
  const list = await harvester.ask("verb=ListIdentifiers&metadataPrefix=oai_dc&set=collection:many");
  expect(list).toContain('code="noRecordsMatch"');
  expect((await service.api.get("/datasets")).json.total).toBe(COPIES + 1);
});
