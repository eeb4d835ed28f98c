import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { untilCatalogued } from "../support/api/published.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const { embargoDate: _, ...metadata } = goodMetadata as typeof goodMetadata & { embargoDate?: string };
/** No sign-in is configured: everybody is the owner and an admin. */
const NO_TOKEN = "none";

let s3: S3Server;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  service = await startTestService({ ACCESSION_PUBLICATION: "review", ACCESSION_SELF_APPROVAL: "on" });
});
afterAll(async () => {
  await service.stop();
  await s3.close();
});

async function sent(method: string, path: string, body?: object): Promise<void> {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  const answer = await service.api.send(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.any(String)]);
}

async function published(title: string, collections: string[] = []): Promise<string> {
  const { dataset } = await archiveAs(service, s3, undefined, { metadata: { ...metadata, title } });
  const one = new PublicationClient(service, dataset);
  await one.done(NO_TOKEN, "request", { agreement: true, access: "open", collections });
  await one.done(NO_TOKEN, "approve");
  await one.until(NO_TOKEN, "published");
  await untilCatalogued(service, dataset);
  return dataset;
}

async function datasetsOf(collection: string): Promise<string[]> {
  const { json } = await service.api.get(`/collections/${collection}/datasets?limit=100&sort=title`);
  return json.datasets.map(({ title }: { title: string }) => title);
}

/** Restarts the service with an empty database, and what `accession rebuild` reads from the archive. */
async function rebuild(): Promise<{ code: number; stdout: string }> {
  await service.settled();
  let ran = { code: -1, stdout: "" };
  await service.restart(async () => {
    await service.recreateDatabase();
    const { code, lines } = await runCommand(["rebuild"], service.data, { env: service.settings });
    ran = { code: code ?? -1, stdout: JSON.stringify(lines) };
  });
  return ran;
}

test("a rebuilt database has the collections of the archive, and the datasets that belong to them", async () => {
  const barley = { name: { en: "Barley", de: "Gerste" }, description: { en: "Trials" }, licences: ["CC-BY-4.0"] };
  await sent("PUT", "/collections/barley", { ...barley, curators: ["local"] });
  await sent("PUT", "/collections/gone", { name: { en: "Gone" } });
  await sent("PUT", "/collections/again", { name: { en: "Again" } });
  await published("A asked", ["barley", "gone", "again"]);
  const removed = await published("B removed", ["barley"]);
  const added = await published("C added");
  await sent("PUT", `/collections/barley/datasets/${added}`);
  await sent("DELETE", `/collections/barley/datasets/${removed}`);
  await sent("DELETE", "/collections/gone");
  await sent("DELETE", "/collections/again");
  await sent("PUT", "/collections/again", { name: { en: "Again" } });
  const before = (await service.api.get("/collections")).json;
  expect(await datasetsOf("barley")).toEqual(["A asked", "C added"]);

  expect((await rebuild()).code).toBe(0);
  for (const title of ["A asked", "B removed", "C added"]) {
    const { json } = await service.api.get(`/dataset?q=${encodeURIComponent(title)}`);
    await untilCatalogued(service, json[0].id);
  }
  expect(await datasetsOf("barley")).toEqual(["A asked", "C added"]);
  // The datasets of a deleted collection do not belong to a later one with its id.
  expect(await datasetsOf("again")).toEqual([]);
  // The service has another port.
  const kept = (all: { changedAt: string; url: string }[]) => all.map(({ changedAt: _at, url: _url, ...rest }) => rest);
  expect(kept((await service.api.get("/collections")).json)).toEqual(kept(before));

  const file = join(service.data, "archive/collections.json");
  await writeFile(file, '{"collections": [{"id": "../x"}]}');
  const refused = await rebuild();
  expect(refused.code).toBe(1);
  expect(refused.stdout).toContain("collections.json");
  expect((await service.api.get("/collections")).json).toEqual([]);
  // An archive of an earlier version has no such file.
  await rm(file);
  expect((await rebuild()).code).toBe(0);

  // A folder cannot be replaced by the file.
  await mkdir(join(file, "x"), { recursive: true });
  const body = JSON.stringify({ name: { en: "Soil" } });
  const headers = { "content-type": "application/json" };
  const answer = await service.api.send("/collections/soil", { method: "PUT", headers, body });
  expect([answer.status, answer.json.code]).toEqual([503, "archive_unwritable"]);
  expect((await service.api.get("/collections")).json).toEqual([]);
});
