/** @module-tag extended */
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { type DataciteProxy, startDataciteProxy } from "../support/api/datacite-proxy.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const NO_TOKEN = "none";
const asked = { agreement: true, access: "open" };
let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let proxy: DataciteProxy;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  datacite = account.server;
  proxy = await startDataciteProxy(datacite.url);
  service = await startTestService({ ACCESSION_PUBLICATION: "review", ...accountSettings() });
});
afterAll(async () => {
  await service.stop();
  proxy.close();
  await account.close();
  await s3.close();
});
afterEach(() => {
  proxy.interfere = async () => "pass";
  datacite.clearFaults();
});

function accountSettings(): Record<string, string> {
  return account.settings(proxy.url);
}

async function archived(): Promise<PublicationClient> {
  return new PublicationClient(service, (await archiveAs(service, s3, undefined)).dataset);
}

async function approve(one: PublicationClient): Promise<void> {
  await one.done(NO_TOKEN, "request", asked);
  await one.done(NO_TOKEN, "approve");
}

const doisOf = ({ dataset }: PublicationClient) =>
  [...datacite.dois.values()].filter(({ attributes }) => String(attributes.url).includes(dataset));
const until = (condition: () => boolean | Promise<boolean>) => vi.waitUntil(condition);
const change = (dataset: string, metadata: object) =>
  service.api.send(`/dataset/${dataset}/metadata`, {
    method: "PUT",
    body: JSON.stringify({ metadata }),
    headers: { "content-type": "application/json", "if-match": "*" },
  });

test("a reservation that is slower than the registration, whose answer is lost, leads to one DOI", async () => {
  let release: (() => void) | undefined;
  let isLost = false;
  proxy.interfere = async (method, body) => {
    if (method === "POST" && !body.includes('"event"')) await new Promise<void>((continued) => (release = continued));
    if (method !== "POST" || !body.includes('"publish"') || isLost) return "pass";
    isLost = true;
    setTimeout(() => release?.(), 200);
    return "lose the answer";
  };
  const one = await archived();
  const before = datacite.dois.size;
  await one.done(NO_TOKEN, "reserve-doi");
  await until(() => release !== undefined);
  await approve(one);
  const { doi } = await one.until(NO_TOKEN, "published");
  expect(isLost).toBe(true);
  expect(doisOf(one).map((record) => [record.doi, record.state])).toEqual([[doi, "findable"]]);
  expect(datacite.dois.size).toBe(before + 1);
});

test("a service that has another address after a lost answer continues with the same DOI", async () => {
  proxy.interfere = async (method) => (method === "POST" ? "lose the answer" : "pass");
  datacite.addFault({ match: { method: "GET" }, times: 1_000, fault: { status: 503 } });
  const one = await archived();
  await approve(one);
  await until(() => doisOf(one).length === 1);
  const before = service.url;
  // The service of this test listens on any free port.
  await service.restart();
  expect(service.url).not.toBe(before);
  proxy.interfere = async () => "pass";
  datacite.clearFaults();
  const { doi } = await one.until(NO_TOKEN, "published");
  expect(doisOf(one).map((record) => [record.doi, record.attributes.url])).toEqual([
    [doi, `${service.url}/dataset/${one.dataset}?version=1`],
  ]);
});

test("an attempt for an earlier approval sends nothing after the publication was taken back and approved again", {
  tags: "extended",
}, async () => {
  const refusal = { status: 422, body: JSON.stringify({ errors: [{ source: "titles", title: "is too short" }] }) };
  const accept = datacite.addFault({ match: { method: "POST" }, times: 1_000, fault: refusal });
  const one = await archived();
  await one.done(NO_TOKEN, "reserve-doi");
  accept();
  await until(async () => (await one.get(NO_TOKEN)).json.doiState === "reserved");
  const refuse = datacite.addFault({ match: { method: "PUT" }, times: 1_000, fault: refusal });
  await approve(one);
  await until(async () => (await one.get(NO_TOKEN)).json.problem?.code === "datacite_rejected");
  const titles: string[] = [];
  let release: (() => void) | undefined;
  proxy.interfere = async (method, body) => {
    if (method === "PUT") titles.push(JSON.parse(body).data.attributes.titles[0].title);
    if (method === "GET" && release === undefined) await new Promise<void>((continued) => (release = continued));
    return "pass";
  };
  await until(() => release !== undefined);
  refuse();
  await one.done(NO_TOKEN, "take-back");
  expect((await change(one.dataset, { ...goodMetadata, title: "Corrected" })).status).toBe(200);
  await approve(one);
  release?.();
  await one.until(NO_TOKEN, "published");
  expect(new Set(titles)).toEqual(new Set(["Corrected"]));
});

test("metadata that are changed while earlier metadata are being sent reach DataCite, too", async () => {
  const one = await archived();
  await approve(one);
  const { doi } = await one.until(NO_TOKEN, "published");
  let release: (() => void) | undefined;
  proxy.interfere = async (method) => {
    if (method === "PUT" && release === undefined) await new Promise<void>((continued) => (release = continued));
    return "pass";
  };
  const title = async () => (await service.api.get(`/dataset/${one.dataset}`)).json.title;
  for (const next of ["Second title", "Third title"]) {
    expect((await change(one.dataset, { ...goodMetadata, title: next })).status).toBe(200);
    await until(async () => (await title()) === next && release !== undefined);
  }
  release?.();
  await until(() => JSON.stringify(datacite.dois.get(doi)?.attributes.titles) === '[{"title":"Third title"}]');
});

test("versions that are registered at the same time get relations to each other", async () => {
  let release: (() => void) | undefined;
  proxy.interfere = async (method) => {
    if (method === "POST" && release === undefined) await new Promise<void>((continued) => (release = continued));
    return "pass";
  };
  const one = await archived();
  await approve(one);
  await until(() => release !== undefined);
  await archiveAs(service, s3, undefined, { more: { dataset: { id: one.dataset } } });
  const path = `/dataset/${one.dataset}/publication`;
  const { headers } = await service.api.post(`${path}/request?version=2`, asked);
  await service.api.post(`${path}/approve?version=2`, {}, { "if-match": headers.get("etag") ?? "" });
  await until(async () => (await service.api.get(`${path}?version=2`)).json.state === "published");
  release?.();
  const relations = () =>
    doisOf(one)
      .map(({ attributes }) => attributes.relatedIdentifiers as { relationType: string }[] | undefined)
      .map((all) => all?.map(({ relationType }) => relationType).join())
      .sort();
  await until(() => relations().join(" ") === "IsVersionOf,IsNewVersionOf IsVersionOf,IsPreviousVersionOf");
});

test("without the DataCite account, a version that has a DOI is not published under another identifier", {
  tags: "extended",
}, async () => {
  proxy.interfere = async (method) => (method === "POST" ? "lose the answer" : "pass");
  datacite.addFault({ match: { method: "GET" }, times: 1_000, fault: { status: 503 } });
  const one = await archived();
  await approve(one);
  await until(() => doisOf(one).length === 1);
  const none = Object.fromEntries(Object.keys(accountSettings()).map((name) => [name, ""]));
  await service.restart(undefined, none);
  await until(async () => (await one.get(NO_TOKEN)).json.problem?.code === "datacite_credentials");
  // The files may be public, so that the access can be changed in spite of the problem.
  const changed = await one.done(NO_TOKEN, "change-access", { access: "restricted", reason: "Personal data" });
  expect(changed).toMatchObject({ state: "registering", access: "restricted", filesOpen: false });
  proxy.interfere = async () => "pass";
  datacite.clearFaults();
  await service.restart(undefined, accountSettings());
  const { doi } = await one.until(NO_TOKEN, "published");
  expect(doisOf(one).map((record) => record.doi)).toEqual([doi]);
});

test("a published dataset keeps a licence", async () => {
  const one = await archived();
  await approve(one);
  await one.until(NO_TOKEN, "published");
  const { license: _, ...without } = goodMetadata as Record<string, unknown>;
  const { status, json } = await change(one.dataset, without);
  expect([status, json.errors]).toEqual([
    422,
    [expect.objectContaining({ pointer: "/metadata/license", code: "required" })],
  ]);
});
