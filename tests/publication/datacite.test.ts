import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import type { DataciteServer } from "../../packages/datacite-test-server/src/index.ts";
import { type S3Server, startS3Server } from "../../packages/s3-test-server/src/index.ts";
import { goodMetadata } from "../support/api/api.ts";
import { type DataciteAccount, dataciteAccount, openDatacite } from "../support/api/datacite-account.ts";
import { archiveAs, PublicationClient } from "../support/api/publications.ts";
import { runCommand, startCommand } from "../support/program/run-command.ts";
import { startTestService, type TestService } from "../support/program/service.ts";

let s3: S3Server;
let account: DataciteAccount;
let datacite: DataciteServer;
let service: TestService;

beforeAll(async () => {
  s3 = await startS3Server();
  account = await openDatacite();
  datacite = account.server;
  service = await startTestService(settings());
});

function settings(): Record<string, string> {
  return {
    ACCESSION_PUBLICATION: "review",
    ...account.settings(),
  };
}
afterAll(async () => {
  await service.stop();
  await account.close();
  await s3.close();
});
/** The publications of the current test. */
const started: PublicationClient[] = [];
// A publication that is still compared, or tried again, would send its requests during the next test.
afterEach(async () => {
  account.reset();
  for (const one of started.splice(0)) {
    if ((await one.get(NO_TOKEN)).json.state === "registering") await one.act(NO_TOKEN, "publish");
    await vi.waitUntil(
      async () => {
        const { status, json } = await one.get(NO_TOKEN);
        return status === 410 || (json.state !== "registering" && json.nextAttemptAt === null);
      },
      { interval: 50 },
    );
  }
});

const asked = { agreement: true, access: "open" };
/** The service has no authentication here: the only caller is the owner and an admin. */
const NO_TOKEN = "none";

/** Archives a dataset and starts its publication. */
async function approved(): Promise<PublicationClient> {
  const { dataset } = await archiveAs(service, s3, undefined);
  const one = new PublicationClient(service, dataset);
  started.push(one);
  await one.done(NO_TOKEN, "request", asked);
  await one.done(NO_TOKEN, "approve");
  return one;
}

async function published(): Promise<{ one: PublicationClient; doi: string }> {
  const one = await approved();
  const { doi } = await one.until(NO_TOKEN, "published");
  return { one, doi };
}

/** Waits until the publication names this problem. */
async function delayedBy(one: PublicationClient, code: string) {
  let view: Awaited<ReturnType<PublicationClient["get"]>>["json"];
  await vi
    .waitUntil(
      async () => {
        view = (await one.get(NO_TOKEN)).json;
        return view.problem?.code === code;
      },
      { interval: 50 },
    )
    .catch(() => {
      throw new Error(`The problem is ${JSON.stringify(view?.problem)} in the state ${view?.state}`);
    });
  return view;
}

const recordOf = (doi: string) => datacite.dois.get(doi);
const requestsOf = (method: string, since: number) =>
  datacite.requests.slice(since).filter((one) => one.method === method);

describe("registration of DOIs", () => {
  test("an approved dataset gets a findable DOI that leads to its page, and its exports name the DOI", async () => {
    const { one, doi } = await published();
    expect(doi).toMatch(/^10\.5072\/[a-z0-9]{8}$/);
    const record = recordOf(doi);
    expect(record).toMatchObject({ state: "findable", repository: "test.repo" });
    expect(record?.attributes.url).toBe(`${service.url}/dataset/${one.dataset}?version=1`);
    expect(record?.attributes.titles).toEqual([{ title: goodMetadata.title }]);
    const view = (await one.get(NO_TOKEN)).json;
    expect(view).toMatchObject({
      identifier: `https://doi.org/${doi}`,
      doiState: "registered",
      problem: null,
      attempts: 0,
    });
    const bibtex = await one.get(NO_TOKEN, "/export/bibtex");
    expect(bibtex.text).toContain(`doi = {${doi}}`);
    expect((await one.get(NO_TOKEN, "/export/datacite-xml")).text).toContain(
      `<identifier identifierType="DOI">${doi}<`,
    );
    expect((await one.get(NO_TOKEN, "")).headers.get("link")).toContain(`<https://doi.org/${doi}>; rel="cite-as"`);
  });

  test("changed metadata and new versions reach DataCite, without an event", { tags: "extended" }, async () => {
    const { one, doi } = await published();
    // The archive names the DOI in a second revision.
    await service.settled();
    const since = datacite.requests.length;
    const title = "A corrected title";
    const { status } = await service.api.send(`/dataset/${one.dataset}/metadata`, {
      method: "PUT",
      body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
      headers: { "content-type": "application/json", "if-match": '"1.2"' },
    });
    expect(status).toBe(200);
    await vi.waitUntil(() => JSON.stringify(recordOf(doi)?.attributes.titles) === JSON.stringify([{ title }]));
    expect(requestsOf("PUT", since)).toHaveLength(1);

    await archiveAs(service, s3, undefined, { more: { dataset: { id: one.dataset } } });
    const second = await service.api.post(`/dataset/${one.dataset}/publication/request?version=2`, asked);
    expect(second.json.state).toBe("in_review");
    const seen = { "if-match": second.headers.get("etag") ?? "" };
    await service.api.post(`/dataset/${one.dataset}/publication/approve?version=2`, {}, seen);
    await one.until(NO_TOKEN, "published");
    const other = (await one.get(NO_TOKEN)).json.doi;
    expect(other).not.toBe(doi);
    const relations = (of: string) => recordOf(of)?.attributes.relatedIdentifiers;
    expect(relations(other)).toContainEqual(
      expect.objectContaining({ relationType: "IsNewVersionOf", relatedIdentifier: doi }),
    );
    await vi.waitUntil(() => JSON.stringify(relations(doi)).includes("IsPreviousVersionOf"));
    expect(relations(doi)).toContainEqual(
      expect.objectContaining({
        relationType: "IsPreviousVersionOf",
        relatedIdentifier: other,
        relatedIdentifierType: "DOI",
      }),
    );
  });

  test("a withdrawn dataset keeps its findable DOI, with the date of the withdrawal", async () => {
    const { one, doi } = await published();
    await one.done(NO_TOKEN, "withdraw", { reason: "A mistake" });
    await vi.waitUntil(() => JSON.stringify(recordOf(doi)?.attributes.dates).includes("Withdrawn"));
    expect(recordOf(doi)?.state).toBe("findable");
    expect(recordOf(doi)?.attributes.dates).toContainEqual(
      expect.objectContaining({ dateType: "Withdrawn", dateInformation: "A mistake" }),
    );
  });
});

describe("faults of DataCite", () => {
  test("a connection that breaks after DataCite has stored the DOI: one DOI, published once", {
    tags: "extended",
  }, async () => {
    datacite.addFault({ match: { method: "POST" }, times: 1, fault: { closeAfter: true } });
    const before = datacite.dois.size;
    const { one, doi } = await published();
    expect(datacite.dois.size).toBe(before + 1);
    expect(recordOf(doi)?.state).toBe("findable");
    const { history } = (await one.get(NO_TOKEN)).json;
    expect(history.filter(({ action }: { action: string }) => action === "published")).toHaveLength(1);
  });

  test("a connection that breaks before DataCite has stored anything", { tags: "extended" }, async () => {
    datacite.addFault({ match: { method: "POST" }, times: 2, fault: { closeBefore: true } });
    const before = datacite.dois.size;
    await published();
    expect(datacite.dois.size).toBe(before + 1);
  });

  test("errors of the server, a page of a proxy and an endless answer are named, and tried again", {
    tags: "extended",
  }, async () => {
    datacite.addFault({ match: { method: "POST" }, times: 1, fault: { status: 503 } });
    datacite.addFault({
      match: { method: "POST" },
      times: 1,
      fault: { status: 200, body: "<html>", contentType: "text/html" },
    });
    datacite.addFault({ match: { method: "GET" }, times: 1, fault: { endless: true } });
    const one = await approved();
    const { problem } = await delayedBy(one, "datacite_unreachable");
    expect(problem.message).toMatch(/DataCite/);
    await one.until(NO_TOKEN, "published");
    const { history } = (await one.get(NO_TOKEN)).json;
    expect(history.map(({ action }: { action: string }) => action)).not.toContain("delayed");
  });

  test("too many requests: the service pauses as long as DataCite asks", { tags: "extended" }, async () => {
    datacite.addFault({ match: { method: "POST" }, times: 1, fault: { status: 429, headers: { "retry-after": "2" } } });
    const since = datacite.requests.length;
    const begun = Date.now();
    await published();
    expect(Date.now() - begun).toBeGreaterThan(2_000);
    expect(requestsOf("POST", since)).toHaveLength(2);
  });

  test("an ignored event keeps the dataset unpublished until the DOI is findable", { tags: "extended" }, async () => {
    datacite.addFault({ match: { method: "POST" }, times: 1, fault: { ignoreEvent: true } });
    datacite.addFault({ match: { method: "PUT" }, times: 1, fault: { ignoreEvent: true } });
    const one = await approved();
    const view = await delayedBy(one, "datacite_event_ignored");
    expect(view).toMatchObject({ state: "registering", waitingFor: "service", doiState: "registering" });
    await one.until(NO_TOKEN, "published");
  });

  test("a handle that is never registered keeps the dataset in registration, with the cause", {
    tags: "extended",
  }, async () => {
    const remove = datacite.addFault({ match: { method: "POST" }, times: 1, fault: { registration: "never" } });
    const one = await approved();
    const view = await delayedBy(one, "doi_not_registered");
    expect(view.problem).toMatchObject({ fault: "operator" });
    expect(view.attempts).toBeGreaterThan(0);
    expect(Date.parse(view.nextAttemptAt)).toBeGreaterThan(Date.parse(view.problem.at));
    remove();
    const record = recordOf(view.doi);
    if (record !== undefined)
      datacite.put({ ...record, handle: String(record.attributes.url), registered: new Date().toISOString() });
    await one.done(NO_TOKEN, "publish");
    await one.until(NO_TOKEN, "published");
  });

  test("the command publish waits while the service tries again, and ends if a person must act", {
    tags: "extended",
  }, async () => {
    const publish = (one: PublicationClient) =>
      runCommand(["publish", one.dataset, "--wait"], service.data, { env: { ACCESSION_URL: service.url } });
    const remove = datacite.addFault({ match: { method: "POST" }, times: 1, fault: { registration: "never" } });
    const one = await approved();
    const { doi } = await delayedBy(one, "doi_not_registered");
    remove();
    // The service records no action if its next try is due anyway. Only the command shows that it has seen the problem.
    const { promise: hasSeen, resolve } = Promise.withResolvers<void>();
    const waiting = startCommand(["publish", one.dataset, "--wait"], service.data, {
      env: { ACCESSION_URL: service.url },
      onStart: ({ stderr }) => stderr?.once("data", () => resolve()),
    });
    await hasSeen;
    const record = recordOf(doi);
    if (record === undefined) throw new Error("DataCite does not know the DOI");
    datacite.put({ ...record, handle: String(record.attributes.url), registered: new Date().toISOString() });
    const late = await waiting;
    expect([late.code, late.lines[0]?.state]).toEqual([0, "published"]);
    expect(late.stderr.match(/The service tries again automatically/g)).toHaveLength(1);
    Object.assign(datacite.accounts[0] ?? {}, { domains: ["elsewhere.example"] });
    const refused = await publish(await approved());
    expect([refused.code, refused.lines[0]?.problem.code]).toEqual([1, "datacite_domain"]);
    expect(refused.stderr).toContain("the operator must act");
  });

  test("a DOI that belongs to another account or another dataset is replaced", async () => {
    const since = datacite.requests.length;
    datacite.addFault({
      match: { method: "POST" },
      times: 1,
      fault: {
        status: 422,
        body: JSON.stringify({ errors: [{ source: "doi", title: "This DOI has already been taken" }] }),
      },
    });
    // The foreign DOI is returned for the question to whom it belongs.
    datacite.addFault({
      match: { method: "GET" },
      times: 1,
      fault: { status: 200, body: JSON.stringify(foreign()), contentType: "application/vnd.api+json" },
    });
    const { doi } = await published();
    expect(recordOf(doi)?.state).toBe("findable");
    expect(requestsOf("POST", since)).toHaveLength(2);
  });

  test("an account without the domain: the DOI stays a draft, nothing is visible, and the operator is named", {
    tags: "extended",
  }, async () => {
    Object.assign(datacite.accounts[0] ?? {}, { domains: ["elsewhere.example.org"] });
    const one = await approved();
    const view = await delayedBy(one, "datacite_domain");
    expect(view).toMatchObject({ state: "registering", waitingFor: "operator" });
    expect(view.problem.action).toMatch(/domain/);
    expect([...datacite.dois.values()].some(({ doi }) => doi === view.doi)).toBe(false);
    Object.assign(datacite.accounts[0] ?? {}, { domains: ["*"] });
    await one.done(NO_TOKEN, "publish");
    await one.until(NO_TOKEN, "published");
  });

  test("credentials that are revoked in the middle: the operator is named, and the service continues with valid ones", async () => {
    Object.assign(datacite.accounts[0] ?? {}, { password: "another" });
    const one = await approved();
    const { problem } = await delayedBy(one, "datacite_credentials");
    expect(problem).toMatchObject({ fault: "operator" });
    expect(JSON.stringify(problem)).not.toContain(dataciteAccount.password);
    Object.assign(datacite.accounts[0] ?? {}, { password: dataciteAccount.password });
    await one.done(NO_TOKEN, "publish");
    await one.until(NO_TOKEN, "published");
  });

  test("a falsified address in the answer is not accepted as registered", { tags: "extended" }, async () => {
    datacite.addFault({
      match: { method: "GET" },
      times: 1,
      fault: { rewrite: (attributes) => ({ ...attributes, url: "https://evil.example.org/" }) },
    });
    const since = datacite.requests.length;
    const { one, doi } = await published();
    expect(requestsOf("POST", since)).toHaveLength(1);
    expect(recordOf(doi)?.attributes.url).toBe(`${service.url}/dataset/${one.dataset}?version=1`);
  });
});

test("a DOI that was changed at DataCite is found by “doi check”, and corrected on request only", {
  tags: "extended",
}, async () => {
  const { doi } = await published();
  const hidden = await published();
  const check = (...more: string[]) =>
    runCommand(["doi", "check", "--json", ...more], service.data, { env: { ACCESSION_URL: service.url } });
  const none = { compared: expect.any(Number), different: 0, failed: 0 };
  expect(await check()).toMatchObject({ code: 0, lines: [none] });
  const record = recordOf(doi);
  const other = recordOf(hidden.doi);
  if (record === undefined || other === undefined) throw new Error("The DOIs are not registered");
  datacite.put({ ...record, attributes: { ...record.attributes, url: "https://elsewhere.example.org/", titles: [] } });
  datacite.put({ ...other, state: "registered" });
  const since = datacite.requests.length;
  const found = await check();
  expect(found.code).toBe(1);
  expect(found.lines.at(-1)).toEqual({ compared: expect.any(Number), different: 2, failed: 0 });
  expect(
    found.lines
      .slice(0, -1)
      .map((line) => [line.doi, line.differences])
      .toSorted(),
  ).toEqual(
    [
      [doi, ["titles", "url"]],
      [hidden.doi, ["state"]],
    ].toSorted(),
  );
  expect(requestsOf("PUT", since)).toEqual([]);
  expect((await service.api.get("/metrics")).text).toContain("accession_dois_different 2");
  // One dataset can be compared, and corrected, alone.
  const [line] = found.lines.filter((one) => one.doi === hidden.doi);
  expect(line).toMatchObject({ dataset: hidden.one.dataset, title: goodMetadata.title });
  const run = (...words: string[]) =>
    runCommand(["doi", ...words], service.data, { env: { ACCESSION_URL: service.url } });
  const listed = await run("list", "--json", "--different", hidden.one.dataset);
  expect(listed).toMatchObject({ code: 0, lines: [{ doi: hidden.doi, differences: ["state"] }] });
  expect(await check("--repair", hidden.one.dataset)).toMatchObject({
    code: 0,
    lines: [{ compared: 1, different: 0, failed: 0 }],
  });
  expect(recordOf(hidden.doi)?.state).toBe("findable");
  expect(recordOf(doi)?.attributes.titles).toEqual([]);
  expect(await check(hidden.one.dataset)).toMatchObject({ code: 0, lines: [{ compared: 1 }] });
  for (const dataset of ["x", "00000000-0000-4000-8000-000000000000"]) {
    expect((await check(dataset)).stderr).toContain("The service has no dataset with this id");
  }
  expect(await check("--repair")).toMatchObject({ code: 0, lines: [none] });
  expect(recordOf(doi)?.attributes.titles).toEqual([{ title: goodMetadata.title }]);
  expect(recordOf(hidden.doi)?.state).toBe("findable");
});

test("metadata that were not approved are never published: during the registration they cannot be changed", async () => {
  const change = (dataset: string, title: string) =>
    service.api.send(`/dataset/${dataset}/metadata`, {
      method: "PUT",
      body: JSON.stringify({ metadata: { ...goodMetadata, title } }),
      headers: { "content-type": "application/json", "if-match": "*" },
    });
  // The result is unknown: the DOI may lead to the dataset already.
  const remove = datacite.addFault({ match: { method: "POST" }, times: 1_000, fault: { closeAfter: true } });
  const removeGet = datacite.addFault({ match: { method: "GET" }, times: 1_000, fault: { status: 503 } });
  const unknown = await approved();
  await delayedBy(unknown, "datacite_unreachable");
  expect((await change(unknown.dataset, "Never approved")).json.code).toBe("approved_metadata");
  remove();
  removeGet();
  await unknown.done(NO_TOKEN, "publish");
  const { doi } = await unknown.until(NO_TOKEN, "published");
  expect(recordOf(doi)?.attributes.titles).toEqual([{ title: goodMetadata.title }]);

  // DataCite refuses the metadata: they are corrected, and approved again.
  const refuse = { status: 422, body: JSON.stringify({ errors: [{ source: "titles", title: "is too short" }] }) };
  const accept = datacite.addFault({ match: { method: "POST" }, times: 1_000, fault: refuse });
  const refused = await approved();
  expect((await delayedBy(refused, "datacite_rejected")).actions).toContain("take-back");
  expect((await change(refused.dataset, "Corrected")).json.code).toBe("approved_metadata");
  expect((await refused.done(NO_TOKEN, "take-back")).problem).toBeNull();
  expect((await change(refused.dataset, "Corrected")).status).toBe(200);
  accept();
  await refused.done(NO_TOKEN, "request", asked);
  await refused.done(NO_TOKEN, "approve");
  const after = await refused.until(NO_TOKEN, "published");
  // The service may have written a third one, with the DOI.
  expect(after.approvedRevision).toBe(2);
  expect(recordOf(after.doi)?.attributes.titles).toEqual([{ title: "Corrected" }]);
});

test("an account without the domain is named before the approval, and no longer after its correction", {
  tags: "extended",
}, async () => {
  const accountOf = datacite.accounts[0];
  if (accountOf === undefined) throw new Error("The server has no account");
  accountOf.domains = ["data.example.org", "*.example.net"];
  // Another service: the account is checked when it starts, and then once an hour.
  await using other = {
    service: await startTestService(settings()),
    [Symbol.asyncDispose]: () => other.service.stop(),
  };
  const { dataset } = await archiveAs(other.service, s3, undefined);
  const one = new PublicationClient(other.service, dataset);
  const found = async (code: string) => {
    const { checks } = (await one.get(NO_TOKEN)).json;
    return checks.find((check: { code: string }) => check.code === code);
  };
  const finding = await vi.waitUntil(() => found("doi_domain"));
  expect(finding).toMatchObject({ severity: "warning", message: expect.stringContaining("127.0.0.1") });
  expect(finding.nextStep).toContain("Add the domain");
  await one.done(NO_TOKEN, "request", asked);
  await one.done(NO_TOKEN, "approve");
  await delayedBy(one, "datacite_domain");
  accountOf.domains = ["127.0.0.1"];
  await vi.waitUntil(async () => (await found("doi_domain")) === undefined);
  await one.until(NO_TOKEN, "published");
});

test("a database that is rebuilt from the archive has the publications, and their DOIs still work", {
  tags: "extended",
}, async () => {
  const { one, doi } = await published();
  await one.done(NO_TOKEN, "change-access", { access: "embargoed", embargoDate: "2099-01-01", reason: "Article" });
  const other = await published();
  await other.one.done(NO_TOKEN, "withdraw", { reason: "A mistake" });
  const gone = await published();
  const { status } = await service.api.post(`/dataset/${gone.one.dataset}/withdraw`, { reason: "Personal data" });
  expect(status).toBe(202);
  const dates = (of: string) => JSON.stringify(recordOf(of)?.attributes.dates);
  await vi.waitUntil(
    () =>
      dates(doi).includes("2099-01-01") &&
      dates(other.doi).includes("Withdrawn") &&
      dates(gone.doi).includes("Withdrawn"),
  );
  await vi.waitUntil(async () => (await gone.one.get(NO_TOKEN, "")).json.tombstone?.removedAt != null);
  await vi.waitUntil(async () => (await one.get(NO_TOKEN)).json.nextAttemptAt === null);
  // The records are stored after DataCite was informed.
  await service.settled();
  await service.restart(async () => {
    await service.recreateDatabase();
    const { code, stderr, lines } = await runCommand(["rebuild"], service.data, { env: service.settings });
    expect([code, stderr]).toEqual([0, ""]);
    expect(lines.filter(({ outcome }) => outcome === "left_alone" || outcome === "refused")).toEqual([]);
  });
  const url = `https://doi.org/${doi}`;
  expect((await one.get(NO_TOKEN)).json).toMatchObject({ state: "published", doi, identifier: url, filesOpen: false });
  expect((await other.one.get(NO_TOKEN)).json).toMatchObject({ state: "withdrawn", withdrawnReason: "A mistake" });
  expect((await gone.one.get(NO_TOKEN)).status).toBe(410);
  const since = datacite.requests.length;
  await one.done(NO_TOKEN, "change-access", { access: "open", reason: "Published" });
  await vi.waitUntil(() => requestsOf("PUT", since).length > 0 && !dates(doi).includes("2099-01-01"));
  expect(recordOf(doi)?.attributes.url).toBe(`${service.url}/dataset/${one.dataset}?version=1`);
});

function foreign() {
  return {
    data: {
      id: "10.5072/foreign1",
      type: "dois",
      attributes: {
        doi: "10.5072/foreign1",
        state: "findable",
        url: "https://other.example.org/",
        registered: "2026-01-01T00:00:00Z",
      },
      relationships: { client: { data: { id: "other.repo", type: "clients" } } },
    },
  };
}
