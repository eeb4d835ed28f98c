import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { type DataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { runCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

const NO_TOKEN = "none";
const asked = { agreement: true, access: "open" };
const keys = { accessKey: "AKREADER", secretKey: "secret-key-of-the-bucket" };
let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  datacite = account.server;
  service = await startTestService({
    ACCESSION_PUBLICATION: "direct",
    ACCESSION_CONCEPT_DOI: "on",
    ...account.settings(),
  });
});
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});
afterEach(() => datacite.clearFaults());

const recordOf = (doi: string) => datacite.dois.get(doi);
// biome-ignore lint/suspicious/noExplicitAny: attributes of DataCite have any form.
const relationsOf = (doi: string): any[] => (recordOf(doi)?.attributes.relatedIdentifiers ?? []) as any[];

async function archived(more: object = {}): Promise<PublicationClient> {
  return new PublicationClient(service, (await archiveAs(service, s3, undefined, { more })).dataset);
}

async function published(): Promise<PublicationClient> {
  const one = await archived();
  await one.done(NO_TOKEN, "request", asked);
  await one.until(NO_TOKEN, "published");
  return one;
}

/** Waits until a submission shows its reserved DOI. */
async function reservedBy(submission: string): Promise<string> {
  return vi.waitUntil(
    async () => (await service.api.get(`/submission/${submission}`)).json.reservedDoi as string | null,
    { interval: 50 },
  ) as Promise<string>;
}

test("citations say before publication that there is none, and name the reserved DOI but no address", async () => {
  const citations = (one: PublicationClient) =>
    Promise.all(["bibtex", "ris", "csl"].map(async (name) => (await one.get(NO_TOKEN, `/export/${name}`)).text));
  const one = await archived();
  for (const text of await citations(one)) {
    expect(text).toContain("Not published yet");
    expect(text).not.toMatch(/https?:[^ "}]*\/dataset\//);
    expect(text).not.toContain("10.5072/");
  }
  await one.done(NO_TOKEN, "reserve-doi");
  const doi = (await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.doi)) as string;
  for (const text of await citations(one)) {
    expect(text).toContain("Not published yet");
    expect(text).not.toMatch(/https?:[^ "}]*\/dataset\//);
    expect(text).toContain(doi);
  }
  const details = async () => (await one.get(NO_TOKEN, "?details=true")).json.details;
  expect((await details()).citation).toMatchObject({ DOI: doi, status: "Not published yet" });
  expect((await details()).citation.URL).toBeUndefined();

  datacite.addFault({ match: { method: "PUT" }, times: Number.POSITIVE_INFINITY, fault: { status: 503 } });
  await one.done(NO_TOKEN, "request", asked);
  await one.until(NO_TOKEN, "registering");
  for (const text of await citations(one)) {
    expect(text).toContain("Not published yet");
    expect(text).not.toMatch(/https?:[^ "}]*\/dataset\//);
    expect(text).toContain(doi);
  }
  expect((await details()).citation).toMatchObject({ DOI: doi, status: "Not published yet" });

  datacite.clearFaults();
  await one.done(NO_TOKEN, "publish");
  await one.until(NO_TOKEN, "published");
  for (const text of await citations(one)) {
    expect(text).not.toContain("Not published yet");
    expect(text).toContain(`https://doi.org/${doi}`);
  }
});

test("a cursor of the list of DOIs that is none is refused", async () => {
  const { status, json } = await service.api.get("/doi?cursor=AA");
  expect([status, json.code]).toEqual([400, "bad_request"]);
});

describe("a reserved DOI", () => {
  test("is a draft at DataCite from the submission on, and becomes the DOI of the published version", async () => {
    const { dataset, submission } = await archiveAs(service, s3, undefined, { more: { reserveDoi: true } });
    const doi = await reservedBy(submission);
    expect(doi).toMatch(/^10\.5072\/[a-z0-9]{8}$/);
    expect(recordOf(doi)).toMatchObject({ state: "draft", attributes: {} });
    const one = new PublicationClient(service, dataset);
    const view = (await one.get(NO_TOKEN)).json;
    expect(view).toMatchObject({ state: "private", doi, doiState: "reserved", identifier: null });
    expect(view.actions).not.toContain("reserve-doi");
    // What is not published does not state the DOI: it would lead nowhere.
    expect((await one.get(NO_TOKEN, "/export/datacite-xml")).text).not.toContain(doi);
    const { json: log } = await service.api.get(`/submission/${submission}/events`);
    expect(log.filter(({ type }: { type: string }) => type === "doi_reserved")).toMatchObject([
      { data: { dataset, version: 1, doi } },
    ]);

    await one.done(NO_TOKEN, "request", asked);
    const after = await one.until(NO_TOKEN, "published");
    expect(after).toMatchObject({ doi, doiState: "registered", identifier: `https://doi.org/${doi}` });
    expect(recordOf(doi)?.state).toBe("findable");
  });

  test("can be reserved after archiving, once", { tags: "extended" }, async () => {
    const one = await archived();
    expect((await one.get(NO_TOKEN)).json.actions).toContain("reserve-doi");
    await one.done(NO_TOKEN, "reserve-doi");
    const doi = (await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.doi)) as string;
    await one.done(NO_TOKEN, "reserve-doi");
    expect((await one.get(NO_TOKEN)).json.doi).toBe(doi);
    expect(recordOf(doi)?.state).toBe("draft");
  });

  test("of a cancelled submission is deleted at DataCite", { tags: "extended" }, async () => {
    s3.addAccount(keys);
    s3.createBucket("slow-reservation");
    s3.put("slow-reservation", "a.txt", "a");
    s3.addFault({
      match: { operation: "get", bucket: "slow-reservation", nth: 2, times: 1_000 },
      fault: { stall: "forever" },
    });
    const sent = await service.api.post("/submission/upload/s3upload", {
      metadata: goodMetadata,
      s3Access: { endpoint: s3.endpoint, bucket: "slow-reservation", ...keys },
      reserveDoi: true,
    });
    expect(sent.status).toBe(202);
    const doi = await reservedBy(sent.json.id);
    await service.api.post(`/submission/${sent.json.id}/cancel`, {});
    await vi.waitUntil(() => recordOf(doi) === undefined);
    expect((await service.api.get(`/submission/${sent.json.id}`)).json.reservedDoi).toBeNull();
  });

  test("is one draft, also after a time-out, and failures are named until it is reserved", {
    tags: "extended",
  }, async () => {
    const before = datacite.dois.size;
    datacite.addFault({ match: { method: "POST" }, times: 1, fault: { closeAfter: true } });
    datacite.addFault({ match: { method: "GET" }, times: 1, fault: { status: 503 } });
    const one = await archived();
    await one.done(NO_TOKEN, "reserve-doi");
    const failed = await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.problem);
    expect(failed).toMatchObject({ code: "datacite_unreachable", fault: "operator" });
    const doi = (await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.doi)) as string;
    expect(datacite.dois.size).toBe(before + 1);
    expect(recordOf(doi)?.state).toBe("draft");
    expect((await one.get(NO_TOKEN)).json.problem).toBeNull();
  });

  test("that another account has is replaced before anyone sees it", { tags: "extended" }, async () => {
    datacite.addFault({
      match: { method: "POST" },
      times: 1,
      fault: { status: 422, body: JSON.stringify({ errors: [{ title: "This DOI has already been taken" }] }) },
    });
    const one = await archived();
    await one.done(NO_TOKEN, "reserve-doi");
    const doi = (await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.doi)) as string;
    expect(recordOf(doi)?.state).toBe("draft");
  });
});

test("the draft of a sent DOI is deleted when it can never be published: with its version, or with the dataset", {
  tags: "extended",
}, async () => {
  const { one, doi } = await reservedAndSent();
  await one.done(NO_TOKEN, "withdraw", { reason: "A mistake" });
  const other = await reservedAndSent();
  await other.one.done(NO_TOKEN, "take-back");
  // The requests to DataCite have certainly ended two minutes later.
  await service.restart(async () => {
    const { queries, close } = await service.database();
    await sql`update publication set attempts = 7, next_at = now() where next_at is not null`.execute(queries);
    await close();
  });
  await vi.waitUntil(() => recordOf(doi) === undefined);
  await vi.waitUntil(async () => (await other.one.get(NO_TOKEN)).json.nextAttemptAt === null);
  await service.settled();
  // The version can be published later, with the same DOI.
  expect(recordOf(other.doi)?.state).toBe("draft");
  datacite.addFault({ match: { method: "DELETE" }, times: 1, fault: { status: 503 } });
  const removal = await service.api.post(`/dataset/${other.one.dataset}/withdraw`, { reason: "By mistake" });
  expect(removal.status).toBe(202);
  await vi.waitUntil(() => recordOf(other.doi) === undefined);
});

/** A version whose reserved DOI was sent for registration, which DataCite ignored. */
async function reservedAndSent(): Promise<{ one: PublicationClient; doi: string }> {
  const { dataset, submission } = await archiveAs(service, s3, undefined, { more: { reserveDoi: true } });
  const doi = await reservedBy(submission);
  datacite.addFault({ match: { method: "PUT", doi }, times: 1_000, fault: { ignoreEvent: true } });
  const one = new PublicationClient(service, dataset);
  await one.done(NO_TOKEN, "request", asked);
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.problem?.code === "datacite_event_ignored");
  return { one, doi };
}

describe("a concept DOI", () => {
  test("stands for all versions, leads to the newest one, and is named by record and versions", {
    tags: "extended",
  }, async () => {
    const one = await published();
    const first = (await one.get(NO_TOKEN)).json;
    const concept = first.conceptDoi as string;
    expect(concept).not.toBe(first.doi);
    const url = `${service.url}/dataset/${one.dataset}`;
    expect(recordOf(concept)).toMatchObject({ state: "findable", attributes: { url } });
    expect(recordOf(concept)?.attributes).not.toHaveProperty("version");
    expect(relationsOf(concept)).toMatchObject([{ relationType: "HasVersion", relatedIdentifier: first.doi }]);
    const isVersionOf = { relationType: "IsVersionOf", relatedIdentifier: concept, relatedIdentifierType: "DOI" };
    await vi.waitUntil(() => JSON.stringify(relationsOf(first.doi)).includes(concept));
    expect(relationsOf(first.doi)).toContainEqual(expect.objectContaining(isVersionOf));
    const landing = async (language: string) => {
      const headers = { accept: "text/html", "accept-language": language };
      return (await fetch(`${service.url}/dataset/${one.dataset}?version=1`, { headers })).text();
    };
    const link = `<a href="https://doi.org/${concept}">https://doi.org/${concept}</a>`;
    const text = await landing("en");
    expect(text).toContain(`All versions: ${link}`);
    expect(text).toContain(`"exampleOfWork":{"@type":"CreativeWork","@id":"https://doi.org/${concept}"}`);
    expect(await landing("de")).toContain(`Alle Versionen: ${link}`);

    await archiveAs(service, s3, undefined, {
      metadata: { ...goodMetadata, title: "Second version" },
      more: { dataset: { id: one.dataset } },
    });
    await service.api.post(`/dataset/${one.dataset}/publication/request?version=2`, asked);
    await one.until(NO_TOKEN, "published");
    const second = (await one.get(NO_TOKEN)).json;
    expect(second).toMatchObject({ version: 2, conceptDoi: concept });
    // Until the publication, it leads to the first version.
    await vi.waitUntil(() => JSON.stringify(recordOf(concept)?.attributes.titles).includes("Second version"));
    await vi.waitUntil(() => relationsOf(concept).length === 2);
    expect(relationsOf(concept).map(({ relatedIdentifier }) => relatedIdentifier)).toEqual([first.doi, second.doi]);
    expect([...datacite.dois.values()].filter(({ attributes }) => attributes.url === url)).toHaveLength(1);
  });

  test("is corrected by the comparison with DataCite", { tags: "extended" }, async () => {
    const one = await published();
    const concept = (await one.get(NO_TOKEN)).json.conceptDoi as string;
    const record = recordOf(concept);
    if (record === undefined) throw new Error("DataCite has no concept DOI");
    datacite.put({
      ...record,
      attributes: { ...record.attributes, titles: [{ title: "Changed by another program" }] },
    });
    await service.api.post("/doi/check", { repair: true });
    await vi.waitUntil(() => JSON.stringify(recordOf(concept)?.attributes.titles).includes(goodMetadata.title));
  });

  test("of a dataset whose versions are withdrawn states the withdrawal", { tags: "extended" }, async () => {
    const one = await published();
    const concept = (await one.get(NO_TOKEN)).json.conceptDoi as string;
    await one.done(NO_TOKEN, "withdraw", { reason: "A mistake" });
    await vi.waitUntil(() => JSON.stringify(recordOf(concept)?.attributes.dates).includes("A mistake"));
    expect(recordOf(concept)?.state).toBe("findable");
  });
});

test("a rebuilt database has reserved and concept DOIs, and registers no other ones", {
  tags: "extended",
}, async () => {
  const { dataset, submission } = await archiveAs(service, s3, undefined, { more: { reserveDoi: true } });
  const reserved = await reservedBy(submission);
  const one = await published();
  const concept = (await one.get(NO_TOKEN)).json.conceptDoi as string;
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.nextAttemptAt === null);
  await service.restart(async () => {
    await service.recreateDatabase();
    const { code, stderr } = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect([code, stderr]).toEqual([0, ""]);
  });
  const before = datacite.dois.size;
  expect((await one.get(NO_TOKEN)).json).toMatchObject({ state: "published", conceptDoi: concept });
  const other = new PublicationClient(service, dataset);
  expect((await other.get(NO_TOKEN)).json).toMatchObject({ state: "private", doi: reserved, doiState: "reserved" });
  await other.done(NO_TOKEN, "request", asked);
  expect((await other.until(NO_TOKEN, "published")).doi).toBe(reserved);
  // Only the concept DOI of the second dataset is new.
  expect(datacite.dois.size).toBe(before + 1);
});
